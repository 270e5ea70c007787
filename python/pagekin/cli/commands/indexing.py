"""`pagekin index`, `check` and `sign`: make an index, verify it, vouch for it."""

import argparse
import importlib
import json
import sys
from dataclasses import replace
from pathlib import Path

from pagekin.api import Index
from pagekin.cli.index_text import fitted_text
from pagekin.cli.options import (
    Commands,
    add_engine,
    add_index,
    add_json,
    add_sources,
    add_threads,
    refuse,
    size,
    sources_of,
)
from pagekin.cli.output import counted, print_json, printable
from pagekin.cli.progress import progress_on, size_text
from pagekin.dates import span_of
from pagekin.engines.update import Rebuild
from pagekin.errors import ExitCode, IndexCorrupt, StrategyMismatch
from pagekin.fields import byte_size_text
from pagekin.index.signature import NAME as SIGNATURE
from pagekin.strategy import DEFAULT, PAGES_A_COMPONENT, Strategy, presets
from pagekin.work.outcome import BuildSummary, ConceptCounts
from pagekin.work.settings import MEMORY, MIB, TASK_MEMORY, Limits, Settings

__all__ = [
    "add_build_options",
    "add_check",
    "add_index_command",
    "add_model",
    "add_sign",
    "run_build",
    "summary_text",
]

_HEADERS = 1 << 20
"""Space for the headers before a body in its record."""


def add_index_command(commands: Commands) -> None:
    """`pagekin index`."""
    command = commands.add_parser(
        "index",
        help="index a crawl",
        description="Index a crawl. A SOURCE is a WARC, ARC or WACZ file, compressed or not; a "
        "folder of HTML with --base-url; an index, whose archives are not needed; @list.txt, a "
        "file with one source per line; or - for standard input.",
    )
    add_sources(command)
    command.add_argument("-o", "--output", metavar="INDEX", required=True, help="folder to write")
    command.add_argument(
        "--strategy",
        metavar="FILE.toml",
        help=f"how pages are represented: a TOML file, or one of {', '.join(presets())} "
        f"(default: {DEFAULT}, or that of --model)",
    )
    command.add_argument(
        "--no-fit",
        action="store_true",
        help="use the weights of the strategy as they are, not fitted to the crawl",
    )
    add_model(command)
    add_build_options(command)
    command.add_argument(
        "--as-of",
        metavar="DATE",
        help="index the crawl as it was on this date: later captures are not read (2024, "
        "2024-05-17, 2024-05-17T08:30:00Z or 20240517083000)",
    )
    command.set_defaults(run=run_index)


def add_model(command: argparse.ArgumentParser) -> None:
    """Add `--model`."""
    command.add_argument(
        "--model",
        metavar="INDEX",
        help="weight pages by the document frequencies, concepts and weights of this index instead "
        "of learning them: such indexes can be asked together",
    )


def add_build_options(command: argparse.ArgumentParser) -> None:
    """Add what every build may use, which engine runs it, and `--json`."""
    command.add_argument(
        "--memory",
        metavar="SIZE",
        type=size,
        help=f"memory to use (default: {byte_size_text(MEMORY)}; with spark, "
        f"{byte_size_text(TASK_MEMORY)} for each task)",
    )
    add_threads(command)
    add_engine(command)
    command.add_argument(
        "--max-record",
        metavar="SIZE",
        type=size,
        help=f"records larger than this are skipped (default: {Limits().record // MIB} MiB, or "
        "--max-body if more)",
    )
    command.add_argument(
        "--max-body",
        metavar="SIZE",
        type=size,
        default=Limits().body,
        help=f"pages larger than this are skipped (default: {Limits().body // MIB} MiB)",
    )
    add_json(command)


def run_index(options: argparse.Namespace) -> ExitCode:
    """Build, and print a summary. Exit with 2 if a file could not be read."""
    strategy = Strategy.load(options.strategy) if options.strategy else None
    if options.no_fit:
        strategy = (strategy or presets()[DEFAULT]).unfitted()
    return run_build(options, Rebuild(sources_of(options), options.output, strategy, options.model))


def run_build(options: argparse.Namespace, wanted: Rebuild) -> ExitCode:
    """Build, and print a summary. Exit with 2 if a file could not be read."""
    summary = _build(options, wanted)
    if options.json:
        print(json.dumps(summary.as_dict(), ensure_ascii=False))
    else:
        print(summary_text(summary, str(wanted.index)))
    for failure in summary.failures:
        print(f"pagekin: {printable(str(failure.as_error()))}", file=sys.stderr)
    return ExitCode.BAD_INPUT if summary.failures else ExitCode.DONE


def _build(options: argparse.Namespace, wanted: Rebuild) -> BuildSummary:
    progress = progress_on(sys.stderr)
    if options.engine == "spark":
        refuse(options.threads, "--threads", "leave it out; the cores are Spark's: local[4]")
        settings = _settings(options, options.memory or TASK_MEMORY, threads=1)
        spark = importlib.import_module("pagekin.engines.spark")
        with spark.open_session(options.master):
            built: BuildSummary = spark.build(
                wanted.sources,
                wanted.index,
                strategy=wanted.strategy,
                model=wanted.model,
                settings=settings,
                progress=progress,
            )
            return built
    refuse(options.master, "--master", "leave it out, or add --engine spark")
    settings = _settings(options, options.memory or MEMORY, options.threads)
    return wanted.run(settings=settings, progress=progress)


def _settings(options: argparse.Namespace, memory: int, threads: int | None) -> Settings:
    record = options.max_record or max(Limits().record, options.max_body + _HEADERS)
    as_of = span_of(options.as_of)[1] if options.as_of else None
    limits = Limits(record, options.max_body, as_of)
    settings = Settings(memory=memory, limits=limits)
    return replace(settings, threads=threads) if threads else settings


def summary_text(summary: BuildSummary, index: str) -> str:
    """What was read, skipped and written, and the time of each stage."""
    written = "written" if summary.changed else "as it was: nothing has changed"
    lines = [
        f"{counted(summary.pages, 'page')} from {counted(summary.captures, 'capture')}, "
        f"{size_text(summary.bytes_read)} read",
        f"skipped: {_reasons(summary)}",
        f"{counted(summary.bags, 'URL')} ({summary.bags - summary.pages:,} linked to but not "
        f"crawled), {counted(summary.terms, 'term')}, {counted(summary.links, 'link')}",
        f"{index}: {size_text(summary.bytes_written)} {written}",
        "seconds: " + ", ".join(f"{stage} {time:.1f}" for stage, time in summary.seconds.items()),
    ]
    if summary.concepts:
        lines.insert(3, _concepts(summary.concepts))
    if summary.fitted:
        taken = summary.concepts is not None and summary.concepts.is_of_model
        whose = "weights of the model" if taken else "fitted to this crawl"
        lines.insert(4, f"{whose}: {fitted_text(summary.fitted)}")
    if summary.too_deep:
        lines.insert(
            2,
            f"{counted(summary.too_deep, 'page')} nested too deeply, parsed in one pass",
        )
    if summary.truncated:
        lines.insert(2, f"{counted(summary.truncated, 'page')} truncated by the crawler, and kept")
    if summary.links_left_out:
        lines.insert(
            2,
            f"{counted(summary.links_left_out, 'link')} left out, beyond the 10,000th or the first "
            "2 MiB of URLs of a page",
        )
    if summary.pages_cut:
        lines.insert(2, f"{counted(summary.pages_cut, 'page')} cut after 250,000 distinct words")
    if summary.urls_left_out:
        lines.insert(
            2,
            f"{counted(summary.urls_left_out, 'URL')} left out: the hash is that of another URL",
        )
    return "\n".join(lines)


def _concepts(concepts: ConceptCounts) -> str:
    if concepts.is_of_model:
        return f"{counted(concepts.found, 'concept')} of the model"
    sample = counted(concepts.pages, "crawled page")
    if not concepts.wanted:
        return f"no concepts learnt from {sample}: they need at least {PAGES_A_COMPONENT} pages"
    if not concepts.found:
        return f"no concepts learnt from {sample}: the pages have nothing, or everything, in common"
    fewer = concepts.found < concepts.wanted
    requested = f" of {concepts.wanted:,}" if fewer else ""
    more = ": the pages have no more in common" if fewer else ""
    return f"{concepts.found:,}{requested} concepts learnt from {sample}{more}"


def _reasons(summary: BuildSummary) -> str:
    reasons = [f"{count:,} {reason}" for reason, count in summary.skipped.items() if count]
    if summary.superseded:
        reasons.append(f"{counted(summary.superseded, 'capture')} replaced by a later one")
    if summary.folded:
        reasons.append(f"{counted(summary.folded, 'capture')} of another address of a page")
    return ", ".join(reasons) or "nothing"


def add_check(commands: Commands) -> None:
    """`pagekin check`."""
    command = commands.add_parser(
        "check",
        help="verify every file of an index",
        description="Verify every checksum and every invariant of an index, and name the first "
        "fault. Exit code 1 if there is one.",
    )
    add_index(command)
    command.add_argument(
        "--signed-by",
        metavar="KEY.pub",
        help="public key of the maker, who must have signed the index: checksums alone detect "
        "accidents, not attacks",
    )
    add_json(command)
    command.set_defaults(run=run_check)


def add_sign(commands: Commands) -> None:
    """`pagekin sign`."""
    command = commands.add_parser(
        "sign",
        help="sign an index",
        description="Sign an index, so that others can check with its maker's public key that "
        "nobody changed it. Make keys with openssl: genpkey -algorithm ed25519 -out key.pem, then "
        "pkey -in key.pem -pubout -out key.pub.",
    )
    add_index(command)
    command.add_argument("--key", metavar="KEY.pem", required=True, help="private Ed25519 key")
    add_json(command)
    command.set_defaults(run=run_sign)


def run_sign(options: argparse.Namespace) -> ExitCode:
    """Sign the index and print where the signature is."""
    Index(options.index).sign(options.key)
    signature = Path(options.index) / SIGNATURE
    if options.json:
        print_json({"signature": signature})
    else:
        print(printable(f"signed: {signature}"))
    return ExitCode.DONE


def run_check(options: argparse.Namespace) -> ExitCode:
    """Print whether the index is sound. A folder that is not an index is bad input."""
    try:
        Index(options.index).check(progress_on(sys.stderr), signed_by=options.signed_by)
    except (IndexCorrupt, StrategyMismatch) as error:
        if options.json:
            print(json.dumps({"sound": False, "error": error.as_dict()}, ensure_ascii=False))
        else:
            print(printable(f"not sound: {error}"))
        return ExitCode.ANSWER_IS_NO
    print(json.dumps({"sound": True, "error": None}) if options.json else "sound")
    return ExitCode.DONE
