"""`pagekin evaluate`, `sweep` and `tune`: measure strategies by a hand-made directory."""

import argparse
import json
import sys
from dataclasses import asdict, replace
from pathlib import Path

from pagekin.api import Index, evaluate_held_out
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
    add_folder,
    add_json,
    add_memory,
    add_threads,
    count,
    settings_of,
    sources_of,
)
from pagekin.cli.output import print_json, printable
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
from pagekin.evaluation.selection.results_table import ranking, read_report
from pagekin.evaluation.truths.trec import write_qrels
from pagekin.strategy import DEFAULT, Strategy
from pagekin.work.settings import HoldOut

__all__ = ["add_evaluate", "add_sweep", "add_tune"]


def add_evaluate(commands: Commands) -> None:
    """`pagekin evaluate`."""
    command = commands.add_parser(
        "evaluate",
        help="evaluate an index, or a TREC run, by what people know of its pages",
        description="Measure how well an index, or a TREC run, finds related pages: by a hand-made "
        "directory, by see-also lists, by links that are held out, or by texts of the pages.",
    )
    command.add_argument(
        "sources",
        metavar="INDEX|SOURCE",
        nargs="+",
        help="folder of the index; with --see-also auto or --held-out-links, a crawl to read",
    )
    add_folder(command)
    add_directory(command, required=False)
    command.add_argument(
        "--see-also",
        metavar="FILE|auto",
        help="evaluate by lists of related pages that authors wrote: TSV of query URL and related "
        "URL, or qrels; auto takes sections such as See also out of the SOURCEs",
    )
    command.add_argument(
        "--held-out-links",
        metavar="SHARE",
        nargs="?",
        type=float,
        const=0.1,
        help="leave the links of this share of the linking pages out of the evidence, and "
        "evaluate by the pages that they name side by side (default: 0.1)",
    )
    command.add_argument(
        "--strategy",
        metavar="FILE.toml",
        default=DEFAULT,
        help="with SOURCEs: how pages are represented (default: %(default)s)",
    )
    add_memory(command, "with SOURCEs: memory to use")
    add_threads(command)
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
    holds_out = options.see_also == "auto" or options.held_out_links is not None
    other_truth = options.directory or options.known_items
    if not (other_truth or options.see_also or holds_out):
        options.command.error("give --directory FILE, --see-also FILE or --known-items N")
    _check_pairing(options)
    if holds_out:
        file = options.see_also not in (None, "auto")
        if other_truth or options.answers or file:
            options.command.error(
                "--see-also auto and --held-out-links build from SOURCEs; "
                "evaluate an INDEX in a command of its own"
            )
        return _run_held_out(options)
    if len(options.sources) > 1:
        options.command.error("give one INDEX; SOURCEs need --see-also auto or --held-out-links")
    index = Index(options.sources[0])
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


def _check_pairing(options: argparse.Namespace) -> None:
    """Refuse options that would have no effect for want of another."""
    if options.answers and not (options.directory or options.see_also):
        options.command.error("--run is judged by --directory FILE or --see-also FILE")
    for flag in ("qrels", "queries"):
        if getattr(options, flag) and not options.directory:
            options.command.error(f"--{flag} needs --directory FILE")


def _run_held_out(options: argparse.Namespace) -> ExitCode:
    """Build without what pages are judged by, and print the measures."""
    for name in options.sources:
        if (Path(name) / "manifest.json").exists():
            options.command.error(f"{name} is an index; give the SOURCEs it was built from")
    kinds = {}
    if options.see_also:
        kinds["see_also"] = HoldOut()
    if options.held_out_links is not None:
        kinds["held_out_links"] = HoldOut(options.held_out_links, options.seed)
    found = {
        name: evaluate_held_out(
            sources_of(options),
            kind,
            strategy=Strategy.load(options.strategy),
            settings=settings_of(options),
            progress=progress_on(sys.stderr),
        )
        for name, kind in kinds.items()
    }
    document = {name: judged.as_dict() for name, judged in found.items()}
    texts = map(see_also_text, found.values())
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


def _directory_of(options: argparse.Namespace, other: str | None = None) -> Directory:
    """The directory of the options, or another one that is read with the same options."""
    structure = None if other else options.structure
    source = other or options.directory
    found = Directory.read(
        source, depth=options.depth, structure=structure, deep_only=options.deep_only
    )
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
    add_json(command)
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
    if options.json:
        failures = [asdict(each) for each in found.failures]
        ranked = asdict(ranking(read_report(options.output)))
        print_json(ranked | {"report": found.report, "failures": failures})
    else:
        print(sweep_text(found))
    for failure in found.failures:
        print(f"pagekin: {printable(str(failure.as_error()))}", file=sys.stderr)
    if not can_draw():
        print(f"pagekin: {HINT}", file=sys.stderr)
    return ExitCode.BAD_INPUT if found.failures else ExitCode.DONE


def _crawl_of(options: argparse.Namespace) -> JudgedCrawl:
    sources = sources_of(options)
    own_pages = tuple(options.directory_pages)
    return JudgedCrawl(sources, replace(_directory_of(options), own_pages=own_pages))


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
        "--trials",
        metavar="N",
        type=count,
        default=100,
        help="strategies to try (default: %(default)s)",
    )
    command.add_argument(
        "--measure",
        default=str(Gamma()),
        help="measure to maximise, for example P@10, or several with weights: sibling=2,P@10=1 "
        "(default: %(default)s)",
    )
    command.add_argument(
        "--crawl",
        dest="crawls",
        nargs=2,
        metavar=("SOURCE", "DIRECTORY"),
        action="append",
        default=[],
        help="also tune on this crawl with its directory; all crawls count the same (repeatable)",
    )
    command.add_argument(
        "--folds",
        metavar="N",
        type=count,
        default=1,
        help="search N times, each time holding back one Nth of the classes to judge the result, "
        "and once more on all; 1 holds back half of the classes once (default: %(default)s)",
    )
    add_json(command)
    command.set_defaults(run=run_tune)


def run_tune(options: argparse.Namespace) -> ExitCode:
    """Search, write the best strategy, and print how good it is."""
    others = (
        JudgedCrawl(resolve_sources([source]), _directory_of(options, directory))
        for source, directory in options.crawls
    )
    tuned = tune(
        [_crawl_of(options), *others],
        options.output,
        search=Search(measure(options.measure), options.trials, options.seed, options.folds),
        settings=settings_of(options),
        progress=progress_on(sys.stderr),
    )
    for failure in tuned.failures:
        print(f"pagekin: {printable(str(failure.as_error()))}", file=sys.stderr)
    if options.json:
        print_json(tuned.as_dict())
    else:
        print(tuning_text(tuned))
    return ExitCode.DONE
