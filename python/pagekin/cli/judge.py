"""`pagekin evaluate`, `sweep` and `tune`: measure strategies by a hand-made directory."""

import argparse
import json
import sys
from pathlib import Path

from pagekin.api import Index
from pagekin.cli.judged_text import (
    evaluation_text,
    known_items_text,
    see_also_text,
    sweep_text,
    tuning_text,
)
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
    Search,
    sweep,
    tune,
)
from pagekin.evaluation.judge import SIMILARITIES, matched_with
from pagekin.evaluation.measures import Gamma, measure
from pagekin.evaluation.report import HINT, can_draw
from pagekin.evaluation.truths.trec import write_qrels

__all__ = ["add_evaluate", "add_sweep", "add_tune"]


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
    print(sweep_text(found))
    for failure in found.failures:
        print(f"pagekin: {printable(str(failure.as_error()))}", file=sys.stderr)
    if not can_draw():
        print(f"pagekin: {HINT}", file=sys.stderr)
    return ExitCode.BAD_INPUT if found.failures else ExitCode.DONE


def _crawl_of(options: argparse.Namespace) -> JudgedCrawl:
    sources = resolve_sources(options.sources, options.base_url)
    return JudgedCrawl(sources, _directory_of(options))


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
    print(tuning_text(found))
    return ExitCode.DONE
