"""Evaluations, sweeps and tunings as text: measures with their intervals, one line each."""

from pagekin.cli.output import printable
from pagekin.evaluation import Evaluation, KnownItemEvaluation, SeeAlsoEvaluation, Sweep, Tuning
from pagekin.evaluation.ranked import Score
from pagekin.evaluation.selection import Result, difference
from pagekin.evaluation.selection.names import strategy_name
from pagekin.evaluation.selection.search import SearchResult
from pagekin.evaluation.selection.trials import StrategyComparison
from pagekin.evaluation.shown import HitKinds, ShownQuality
from pagekin.evaluation.strata import Representation, Stratum
from pagekin.evaluation.truths.directory import BIAS as DIRECTORY_BIAS
from pagekin.evaluation.truths.known_items import BIAS as KNOWN_ITEM_BIAS
from pagekin.evaluation.truths.matching import Halves
from pagekin.evaluation.truths.trec import RunCounts

__all__ = [
    "evaluation_text",
    "known_items_text",
    "see_also_text",
    "sweep_text",
    "tuning_text",
    "verdict",
]


def evaluation_text(found: Evaluation) -> str:
    """The evaluation as lines for people."""
    coverage = found.coverage
    lines = [
        f"{found.pages:,} pages in {found.classes:,} classes, {found.queries:,} queries",
        f"in the directory only: {coverage.directory_only:,}; in the crawl only: "
        f"{coverage.crawl_only:,}; not crawled but linked to: {coverage.not_crawled:,}",
    ]
    lines += [found.depth_note] if found.depth_note else []
    lines += [f"skipped: {number:,} rows, {reason}" for reason, number in found.skipped.items()]
    lines += [*_run_lines(found.run), f"bias: {DIRECTORY_BIAS}"]
    lines += ["", "Γ          strict  95 % of resamples   value           pairs    tied"]
    for name, gamma in found.gamma.items():
        pairs = gamma.concordant + gamma.discordant + gamma.tied
        low, high = gamma.interval or (None, None)
        tied = f"{gamma.tied / pairs:7.1%}" if pairs else "      -"
        between = f"{_number(low)} to {_number(high)}"
        lines.append(
            f"{name:9} {_number(gamma.strict)}  {between} {_number(gamma.value)} {pairs:15,} {tied}"
        )
    lines += [
        "",
        f"precision at 10              {_number(found.precision_at_10)}",
        f"orthogonal pairs of a class  {_number(found.orthogonal_same_class)}",
        *_strata_lines(found.strata),
        *(_representation_lines(found.representation) if found.representation else []),
        *(_shown_lines(found.shown) if found.shown else []),
    ]
    return "\n".join(map(printable, lines))


def _run_lines(run: RunCounts | None) -> list[str]:
    """What was used of a TREC run."""
    if run is None:
        return []
    missing = f"; {run.unanswered:,} queries are not in the run" if run.unanswered else ""
    tied = f"; {run.tied:,} rows are tied" if run.tied else ""
    return [
        f"run: {run.rows:,} rows, {run.queries:,} queries to judge{missing}{tied}",
        *(f"skipped in the run: {count:,} rows, {what}" for what, count in run.skipped.items()),
    ]


def _shown_lines(shown: ShownQuality) -> list[str]:
    """The answers as `related` shows them."""
    lines = [
        "",
        "as shown     judged hits  95 % of resamples   all hits  95 % of resamples",
    ]
    for k, precision in ((5, shown.precision_at_5), (10, shown.precision_at_10)):
        scores = (_score_text(precision.judged), _score_text(precision.strict))
        lines.append(f"P@{k:<10} {scores[0]}  {scores[1]}")
    return lines + _hit_lines(shown.hits)


def _hit_lines(hits: HitKinds) -> list[str]:
    return [
        "",
        f"{hits.hits:,} hits of {hits.queries:,} queries, first {hits.k} each",
        f"not crawled                  {_number(hits.not_crawled)}",
        f"copies                       {_number(hits.copies)}",
        f"linked to in the template    {_number(hits.template_links)}",
        f"the same, of first hits      {_number(hits.first_is_template_link)}",
        f"queries with fewer hits      {hits.fewer_than_k:7,}",
    ]


def _score_text(score: Score | None) -> str:
    if score is None:
        return f"{_number(None)}  {_number(None)} to {_number(None)}"
    return f"{_number(score.value)}  {_number(score.interval[0])} to {_number(score.interval[1])}"


def see_also_text(found: SeeAlsoEvaluation) -> str:
    """The evaluation by see-also lists as lines for people."""
    lines = [f"see also: {found.all.queries:,} queries, {found.all.relevant:,} related pages"]
    if found.held_out:
        held_out = found.held_out
        lines = [
            f"judged by {held_out.what}, left out of the evidence of {held_out.pages:,} of "
            f"{held_out.crawled:,} pages",
            f"{found.all.queries:,} queries, {found.all.relevant:,} related pages",
        ]
    strict = found.strict
    lines.append(
        "strict (not linked elsewhere): "
        + (f"{strict.queries:,} queries, {strict.relevant:,} related pages" if strict else "none")
    )
    lines += [f"skipped: {number:,} rows, {reason}" for reason, number in found.skipped.items()]
    if found.without_related:
        lines.append(f"left out: {found.without_related:,} query pages without a related page")
    lines += [*_run_lines(found.run), f"bias: {found.bias}"]
    lines += ["", "               all  95 % of resamples    strict  95 % of resamples"]
    for name, score in found.all.measures.items():
        others = strict.measures[name] if strict else None
        lines.append(f"{name:10} {_score_text(score)}   {_score_text(others)}")
    if found.hits:
        lines += _hit_lines(found.hits)
    return "\n".join(map(printable, lines))


def known_items_text(found: KnownItemEvaluation) -> str:
    """The evaluation by known items as lines for people."""
    lines = ["known items           pagekin  95 % of resamples      BM25  95 % of resamples"]
    for kind, scores in found.kinds.items():
        lines.append(f"{kind}, {scores.queries:,} queries")
        for name, score in scores.pagekin.items():
            lines.append(f"  {name:17} {_score_text(score)}   {_score_text(scores.bm25[name])}")
    lines += [f"skipped: {number:,} pages, {reason}" for reason, number in found.skipped.items()]
    lines.append(f"bias: {KNOWN_ITEM_BIAS}")
    return "\n".join(map(printable, lines))


def _strata_lines(strata: dict[str, list[Stratum]]) -> list[str]:
    """The groups of query pages by each property."""
    lines = []
    for name, groups in strata.items():
        lines += ["", f"{name:14} pages  sibling  cousin unrelated   P@10"]
        lines += map(_stratum_text, groups)
    return lines


def _stratum_text(stratum: Stratum) -> str:
    gammas = f"{_number(stratum.sibling)} {_number(stratum.cousin)}   {_number(stratum.unrelated)}"
    return f"{stratum.name:14} {stratum.pages:5,}  {gammas} {_number(stratum.precision_at_10)}"


def _representation_lines(found: Representation) -> list[str]:
    """How the directory's pages differ from the crawl's, and what that changes."""
    lines = ["", f"{found.queries:,} crawled query pages beside {found.crawl:,} crawled pages"]
    for name, compared in (("inlinks", found.inlinks), ("length", found.length)):
        lines.append(
            f"median {name:8} {compared.median_queries:7,.0f} beside {compared.median_crawl:,.0f}"
        )
        lines += [
            f"  {band.name:13} {band.queries:7.1%} beside {band.crawl:.1%}"
            for band in compared.bands
        ]
    lines += [
        f"{found.covered:.1%} of the crawl is like some query page (in-degree and length)",
        "",
        "reweighted to the crawl   95 % of resamples",
    ]
    return lines + [f"{name:16} {_score_text(score)}" for name, score in found.reweighted.items()]


def _number(value: float | None) -> str:
    """Three decimals, or a dash for None."""
    return "      -" if value is None else f"{value:7.3f}"


def sweep_text(found: Sweep) -> str:
    """The best strategy of a sweep, and its files, as lines for people."""
    matched, winner, folder, gamma = found.survey.matched, found.best, found.folder, found.gamma
    lines = [
        f"{len(found.results):,} strategies, {len(matched.ids):,} pages in "
        f"{len(matched.classes):,} classes ({matched.coverage.directory_only:,} pages in the "
        f"directory only, {matched.coverage.crawl_only:,} in the crawl only)",
        *found.notes,
    ]
    if winner is not None:
        low, high = winner.interval(gamma)
        value = f"{winner.measure(gamma):.3f} ({low:.3f} to {high:.3f})"
        lines += [f"best: {winner.contender.name}, {gamma} {value}", *_default_line(found, winner)]
    lines.append(f"{found.report}, {folder / 'results.parquet'}, {folder / 'best.toml'}")
    return "\n".join(map(printable, lines))


def _default_line(found: Sweep, winner: Result) -> list[str]:
    """The default beside the best."""
    default = found.default
    if default is None or default is winner:
        return ["that is the default"] if default else []
    gain, low, high = difference(winner, default, found.gamma)
    value = f"{default.measure(found.gamma):.3f}"
    sure = "" if low > 0 else ": no sure gain"
    return [f"the default: {value}; the best gains {gain:+.3f} ({low:+.3f} to {high:+.3f}){sure}"]


def tuning_text(tuned: Tuning) -> str:
    """How good the strategy is that was found, as lines for people."""
    found = tuned.found
    held, search = found.held_back, found.search
    lines = [
        *_crawl_texts(tuned),
        f"best of {found.trials:,}: {strategy_name(found.best)}",
        f"{search.measure} where it was tuned {found.tuned_on:.3f}, on the classes held back "
        f"{held.value:.3f} ({held.interval[0]:.3f} to {held.interval[1]:.3f})",
        f"the default strategy there: {found.default:.3f}; gain {_gain(held)}: {verdict(held)}",
        *_crawl_lines(found),
        *(["the default is written: on the classes held back it is better"] * _kept(found)),
        *_band_lines(found),
        f"written: {', '.join(map(str, tuned.written))}",
    ]
    return "\n".join(map(printable, lines))


def _kept(found: SearchResult) -> bool:
    """Whether the default is written although another strategy was the best."""
    return found.strategy != found.best


def _crawl_texts(tuned: Tuning) -> list[str]:
    """Each crawl: the classes tuned on and held back, and the pages left out."""
    crawls = zip(tuned.found.folds, tuned.notes, strict=True)
    return [line for folds, notes in crawls for line in (_crawl_text(folds), *notes)]


def _crawl_text(folds: tuple[Halves, ...]) -> str:
    """What was tuned on and held back of one crawl."""
    if len(folds) > 1:
        pages = sum(len(fold.held_back.ids) for fold in folds)
        classes = sum(len(fold.held_back.classes) for fold in folds)
        return f"tuned and judged in {len(folds)} folds of {classes:,} classes, {pages:,} pages"
    (halves,) = folds
    return (
        f"tuned on {len(halves.tuning.ids):,} pages in {len(halves.tuning.classes):,} classes, "
        f"judged on {len(halves.held_back.ids):,} in {len(halves.held_back.classes):,} others "
        f"({halves.left_out:,} pages in both left out)"
    )


def _crawl_lines(found: SearchResult) -> list[str]:
    """The gain on each crawl, if there are several."""
    if len(found.by_crawl) == 1:
        return []
    return [
        f"  crawl {number}: {held.value:.3f}, gain {_gain(held)}: {verdict(held)}"
        for number, held in enumerate(found.by_crawl, start=1)
    ]


def _gain(held: StrategyComparison) -> str:
    return f"{held.gain:+.3f} ({held.gain_interval[0]:+.3f} to {held.gain_interval[1]:+.3f})"


def verdict(held: StrategyComparison) -> str:
    """The result on the classes that were held back, in words."""
    if held.wins:
        return "better than the default"
    return "worse than the default" if held.loses else "no sure gain over the default"


def _band_lines(found: SearchResult) -> list[str]:
    bands = found.bands
    gains = f"another strategy for each band of in-degree gains {_gain(bands.held_back)}"
    if not bands.wins:
        return [f"{gains}: not kept"]
    return [
        f"{gains}: kept",
        *(f"  {name} inlinks: {strategy_name(each)}" for name, each in bands.strategies.items()),
    ]
