"""`pagekin index`: from a crawl to an index."""

import argparse
import sys
from typing import TYPE_CHECKING

from pagekin.build import build
from pagekin.cli.options import add_engine, add_sources, add_threads, refuse
from pagekin.cli.progress import progress_on
from pagekin.cli.summary import printable, summary_text
from pagekin.cli.values import byte_size
from pagekin.crawl import Limits, resolve_sources
from pagekin.engines import spark
from pagekin.engines.settings import Settings
from pagekin.errors import ExitCode
from pagekin.strategy import DEFAULT, Strategy, presets
from pagekin.types import BuildSummary

if TYPE_CHECKING:
    from pagekin.cli.types import Commands

__all__ = ["add_to", "run"]

_HEADERS = 1 << 20
"""Room for what stands before a body in its record."""


def add_to(commands: "Commands") -> None:
    """Add the command's options."""
    command = commands.add_parser(
        "index",
        help="index a crawl",
        description="Index a crawl. A SOURCE is a WARC, ARC or WACZ file, compressed or not; a "
        "folder of HTML with --base-url; @list.txt, a file with one source a line; or - for "
        "standard input.",
    )
    add_sources(command)
    command.add_argument("-o", "--output", metavar="INDEX", required=True, help="folder to write")
    command.add_argument(
        "--strategy",
        metavar="FILE.toml",
        default=DEFAULT,
        help=f"how bags are made: a file, or one of {', '.join(presets())} (default: %(default)s)",
    )
    command.add_argument(
        "--memory",
        type=byte_size,
        help="how much to use (default: 2GB; with spark, for one task: 512MB)",
    )
    add_threads(command)
    add_engine(command)
    command.add_argument(
        "--max-record",
        metavar="SIZE",
        type=byte_size,
        help="records larger than this are skipped (default: 64 MiB, or --max-body if more)",
    )
    command.add_argument(
        "--max-body",
        metavar="SIZE",
        type=byte_size,
        default=Limits().body,
        help="pages larger than this are skipped (default: 16 MiB)",
    )
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> ExitCode:
    """Build, and say what was done. Files that cannot be read make the exit code 2."""
    summary = _built(options)
    print(summary_text(summary, options.output))
    for failure in summary.failures:
        print(f"pagekin: {printable(str(failure.as_error()))}", file=sys.stderr)
    return ExitCode.BAD_INPUT if summary.failures else ExitCode.DONE


def _built(options: argparse.Namespace) -> BuildSummary:
    sources = resolve_sources(options.sources, options.base_url)
    strategy, progress = Strategy.load(options.strategy), progress_on(sys.stderr)
    if options.engine == "spark":
        refuse(options.threads, "--threads", "leave it out; the cores are Spark's: local[4]")
        settings = _settings(options, memory=options.memory or spark.DEFAULT.memory, threads=1)
        with spark.opened(options.master):
            return spark.build(
                sources, options.output, strategy=strategy, settings=settings, progress=progress
            )
    refuse(options.master, "--master", "leave it out, or add --engine spark")
    threads = {"threads": options.threads} if options.threads else {}
    settings = _settings(options, memory=options.memory or byte_size("2GB"), **threads)
    return build(sources, options.output, strategy=strategy, settings=settings, progress=progress)


def _settings(options: argparse.Namespace, **given: int) -> Settings:
    record = options.max_record or max(Limits().record, options.max_body + _HEADERS)
    return Settings(limits=Limits(record, options.max_body), **given)
