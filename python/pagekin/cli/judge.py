"""`pagekin evaluate`, `sweep` and `tune`: measure strategies by a hand-made directory."""

import argparse
import json
import sys
from pathlib import Path

from pagekin.api import Index
from pagekin.cli.options import (
    Commands,
    add_crawl,
    add_directory,
    add_index,
    add_json,
    count,
    settings_of,
)
from pagekin.cli.output import printable
from pagekin.cli.progress import progress_on
from pagekin.crawl import resolve_sources
from pagekin.errors import ExitCode
from pagekin.evaluation import (
    Directory,
    Evaluation,
    JudgedCrawl,
    KnownItemEvaluation,
    Search,
    SeeAlsoEvaluation,
    Sweep,
    Tuning,
    sweep,
    tune,
)
from pagekin.evaluation.judge import SIMILARITIES, Band, matched_with
from pagekin.evaluation.measures import Gamma, measure
from pagekin.evaluation.ranked import Score
from pagekin.evaluation.report import HINT, can_draw
from pagekin.evaluation.selection import Contender
from pagekin.evaluation.selection.trials import StrategyComparison
from pagekin.evaluation.shown import HitKinds, ShownQuality
from pagekin.evaluation.truths.trec import write_qrels
from pagekin.strategy import Strategy

__all__ = ["add_evaluate", "add_sweep", "add_tune", "verdict"]


def add_evaluate(commands: Commands) -> None:
    """`pagekin evaluate`."""
    command = commands.add_parser(
        "evaluate",
        help="evaluate an index, or a TREC run, against a directory",
        description="Measure how well an index finds related pages, by a hand-made directory.",
    )
    add_index(command)
    add_directory(command, required=False)
    command.add_argument(
        "--see-also",
        metavar="FILE",
        help="evaluate by what authors relate pages to: TSV of query URL and related URL, or qrels",
    )
    command.add_argument(
        "--known-items",
        metavar="N",
        type=count,
        help="evaluate by N titles, sentences and passages of pages, beside BM25; needs no labels",
    )
    command.add_argument(
        "--queries",
        metavar="N",
        type=count,
        help="ask about this many pages of the directory, drawn at random (default: all)",
    )
    command.add_argument(
        "--similarity",
        choices=SIMILARITIES,
        default="jaccard",
        help="similarity measure (default: %(default)s)",
    )
    command.add_argument(
        "--run",
        dest="answers",
        metavar="FILE",
        help="evaluate these answers instead of the index: a TREC run with URLs as names",
    )
    command.add_argument(
        "--qrels", metavar="FILE", help="also write the directory as TREC qrels to this file"
    )
    add_json(command)
    command.set_defaults(run=run_evaluate)


def run_evaluate(options: argparse.Namespace) -> ExitCode:
    """Evaluate, and print the measures."""
    if not (options.directory or options.see_also or options.known_items):
        options.command.error("give --directory FILE, --see-also FILE or --known-items N")
    index = Index(options.index)
    document: dict[str, object] = {}
    texts = []
    if options.directory:
        found = _evaluate_directory(index, options)
        document = found.as_dict()
        texts.append(evaluation_text(found))
    if options.see_also:
        listed = index.evaluate_see_also(options.see_also, run=options.answers)
        document["strategy"] = listed.strategy.as_dict() if listed.strategy else None
        document["see_also"] = listed.as_dict()
        texts.append(see_also_text(listed))
    if options.known_items:
        known = index.evaluate_known_items(options.known_items, seed=options.seed)
        document["strategy"] = known.strategy.as_dict()
        document["known_items"] = known.as_dict()
        texts.append(known_items_text(known))
    print(json.dumps(document) if options.json else "\n\n".join(texts))
    return ExitCode.DONE


def _evaluate_directory(index: Index, options: argparse.Namespace) -> Evaluation:
    directory = _directory_of(options)
    found = index.evaluate(
        directory,
        similarity=options.similarity,
        run=options.answers,
        queries=options.queries,
        seed=options.seed,
    )
    if options.qrels:
        matched = matched_with(index.reader, directory)
        write_qrels(Path(options.qrels), index.reader, matched)
    return found


def _directory_of(options: argparse.Namespace) -> Directory:
    found = Directory.read(options.directory, depth=options.depth, structure=options.structure)
    return found.sampled(options.sample, options.seed) if options.sample else found


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
        f"never fetched                {_number(hits.never_fetched)}",
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


def add_sweep(commands: Commands) -> None:
    """`pagekin sweep`."""
    command = commands.add_parser(
        "sweep",
        help="compare many strategies on a crawl",
        description="Compare many strategies on a crawl, measured by a hand-made directory. Run "
        "again with the same folder, it resumes.",
    )
    add_crawl(command)
    command.add_argument(
        "--grid",
        metavar="paper|FILE.toml",
        default="paper",
        help="the strategies to compare (default: %(default)s)",
    )
    command.add_argument(
        "-o", "--output", metavar="FOLDER", required=True, help="folder for results and report"
    )
    command.set_defaults(run=run_sweep)


def run_sweep(options: argparse.Namespace) -> ExitCode:
    """Sweep, write the report, and print the best strategy."""
    found = sweep(
        _crawl_of(options),
        options.output,
        grid=options.grid,
        settings=settings_of(options),
        progress=progress_on(sys.stderr),
    )
    print(_sweep_text(found))
    for failure in found.failures:
        print(f"pagekin: {printable(str(failure.as_error()))}", file=sys.stderr)
    if not can_draw():
        print(f"pagekin: {HINT}", file=sys.stderr)
    return ExitCode.BAD_INPUT if found.failures else ExitCode.DONE


def _crawl_of(options: argparse.Namespace) -> JudgedCrawl:
    sources = resolve_sources(options.sources, options.base_url)
    return JudgedCrawl(sources, _directory_of(options))


def _sweep_text(found: Sweep) -> str:
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


def add_tune(commands: Commands) -> None:
    """`pagekin tune`."""
    command = commands.add_parser(
        "tune",
        help="search for the best strategy for a crawl",
        description="Search for the best strategy for a crawl. Half of the directory's classes "
        "are tuned on; the others are held back to measure how good the strategy is.",
    )
    add_crawl(command)
    command.add_argument(
        "-o", "--output", metavar="STRATEGY.toml", required=True, help="file to write"
    )
    command.add_argument(
        "--trials", type=count, default=100, help="strategies to try (default: %(default)s)"
    )
    command.add_argument(
        "--measure",
        default=str(Gamma()),
        help="measure to maximise, for example unrelated-gamma or P@10 (default: %(default)s)",
    )
    command.set_defaults(run=run_tune)


def run_tune(options: argparse.Namespace) -> ExitCode:
    """Search, write the best strategy, and print how good it is."""
    found = tune(
        _crawl_of(options),
        options.output,
        search=Search(measure(options.measure), options.trials, options.seed),
        settings=settings_of(options),
        progress=progress_on(sys.stderr),
    )
    for failure in found.failures:
        print(f"pagekin: {printable(str(failure.as_error()))}", file=sys.stderr)
    print("\n".join(map(printable, _tune_lines(found))))
    return ExitCode.DONE


def _tune_lines(tuned: Tuning) -> list[str]:
    held, name = tuned.held_back, _name(tuned.strategy)
    halves, search = tuned.halves, tuned.search
    return [
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
