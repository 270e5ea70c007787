"""Evaluations, sweeps and tunings as text: measures with their intervals, one line each."""

from pagekin.cli.output import printable
from pagekin.evaluation import Evaluation, KnownItemEvaluation, SeeAlsoEvaluation, Sweep, Tuning
from pagekin.evaluation.judge import Band
from pagekin.evaluation.measures import Gamma
from pagekin.evaluation.ranked import Score
from pagekin.evaluation.selection import Contender
from pagekin.evaluation.selection.trials import StrategyComparison
from pagekin.evaluation.shown import HitKinds, ShownQuality
from pagekin.strategy import Strategy

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
    lines += [f"skipped: {number:,} rows, {reason}" for reason, number in found.skipped.items()]
    lines += ["", "Γ          strict  95 % of resamples   value       pairs    tied"]
    for name, gamma in found.gamma.items():
        pairs = gamma.concordant + gamma.discordant + gamma.tied
        low, high = gamma.interval or (None, None)
        tied = f"{gamma.tied / pairs:7.1%}" if pairs else "      -"
        between = f"{_number(low)} to {_number(high)}"
        lines.append(
            f"{name:9} {_number(gamma.strict)}  {between} {_number(gamma.value)} {pairs:11,} {tied}"
        )
    lines += [
        "",
        f"precision at 10              {_number(found.precision_at_10)}",
        f"orthogonal pairs of a class  {_number(found.orthogonal_same_class)}",
        "",
        "inlinks      pages  sibling cousin unrelated  P@10",
        *map(_band_text, found.bands),
        *(_shown_lines(found.shown) if found.shown else []),
    ]
    return "\n".join(map(printable, lines))


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
    if found.strict:
        lines.append(
            f"strict (not linked elsewhere): {found.strict.queries:,} queries, "
            f"{found.strict.relevant:,} related pages"
        )
    lines += [f"skipped: {number:,} rows, {reason}" for reason, number in found.skipped.items()]
    lines += ["", "               all  95 % of resamples    strict  95 % of resamples"]
    for name, score in found.all.measures.items():
        strict = found.strict.measures[name] if found.strict else None
        lines.append(f"{name:10} {_score_text(score)}   {_score_text(strict)}")
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
    return "\n".join(map(printable, lines))


def _band_text(band: Band) -> str:
    gammas = f"{_number(band.sibling)} {_number(band.cousin)}   {_number(band.unrelated)}"
    return f"{band.inlinks:9} {band.pages:8,}  {gammas} {_number(band.precision_at_10)}"


def _number(value: float | None) -> str:
    """Three decimals, or a dash for None."""
    return "      -" if value is None else f"{value:7.3f}"


def sweep_text(found: Sweep) -> str:
    """The best strategy of a sweep, and its files, as lines for people."""
    matched, winner, folder = found.survey.matched, found.best, found.folder
    lines = [
        f"{len(found.results):,} strategies, {len(matched.ids):,} pages in "
        f"{len(matched.classes):,} classes ({matched.coverage.directory_only:,} pages in the "
        f"directory only, {matched.coverage.crawl_only:,} in the crawl only)",
    ]
    if winner is not None:
        low, high = winner.interval(Gamma())
        gamma = f"{winner.measure(Gamma()):.3f} ({low:.3f} to {high:.3f})"
        lines.append(f"best: {winner.contender.name}, sibling-gamma {gamma}")
    lines.append(f"{found.report}, {folder / 'results.parquet'}, {folder / 'best.toml'}")
    return "\n".join(map(printable, lines))


def tuning_text(tuned: Tuning) -> str:
    """How good the strategy is that was found, as lines for people."""
    held, name = tuned.held_back, _name(tuned.strategy)
    halves, search = tuned.halves, tuned.search
    lines = [
        f"tuned on {len(halves.tuning.ids):,} pages in {len(halves.tuning.classes):,} classes, "
        f"judged on {len(halves.held_back.ids):,} in {len(halves.held_back.classes):,} others "
        f"({halves.left_out:,} pages in both left out)",
        f"best of {tuned.trials:,}: {name}",
        f"{search.measure} where it was tuned {tuned.tuned_on:.3f}, on the classes held back "
        f"{held.value:.3f} ({held.interval[0]:.3f} to {held.interval[1]:.3f})",
        f"the default strategy there: {tuned.default:.3f}; gain {held.gain:+.3f} "
        f"({held.gain_interval[0]:+.3f} to {held.gain_interval[1]:+.3f}): "
        f"{verdict(held)}",
        *_band_lines(tuned),
        f"written: {', '.join(map(str, tuned.written))}",
    ]
    return "\n".join(map(printable, lines))


def verdict(held: StrategyComparison) -> str:
    """The result on the classes that were held back, in words."""
    if held.wins:
        return "better than the default"
    return "worse than the default: keep that" if held.loses else "no sure gain over the default"


def _band_lines(tuned: Tuning) -> list[str]:
    bands = tuned.bands
    held = bands.held_back
    gain = f"{held.gain:+.3f} ({held.gain_interval[0]:+.3f} to {held.gain_interval[1]:+.3f})"
    if not bands.wins:
        return [f"another strategy for each band of in-degree gains {gain}: not kept"]
    return [
        f"another strategy for each band of in-degree gains {gain}: kept",
        *(f"  {name} inlinks: {_name(each)}" for name, each in bands.strategies.items()),
    ]


def _name(strategy: Strategy) -> str:
    frequency = strategy.frequency
    mu = f" (mu {frequency.mu:.3f}, sigma {frequency.sigma:.3f})" if frequency.mu else ""
    return Contender(strategy, "jaccard").name + mu
