"""`pagekin index`: from a crawl to an index."""

import argparse
import re
import sys
from typing import TYPE_CHECKING

from pagekin.build import build
from pagekin.cli.progress import progress_on
from pagekin.cli.summary import printable, summary_text
from pagekin.crawl import Limits, resolve_sources
from pagekin.engines import spark
from pagekin.engines.settings import Settings
from pagekin.errors import EngineError, ExitCode
from pagekin.strategy import DEFAULT, Strategy, presets
from pagekin.types import BuildSummary

if TYPE_CHECKING:
    from pagekin.cli.types import Commands

__all__ = ["add_to", "run"]

_UNITS = {"": 1, "K": 10**3, "M": 10**6, "G": 10**9, "T": 10**12}
_MOST = 10**12
_HEADERS = 1 << 20
"""Room for what stands before a body in its record."""


def byte_size(text: str) -> int:
    """`2GB`, `512MB`, `1500000`: a number of bytes."""
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([KMGT]?)B?", text.strip().upper())
    size = float(match[1]) * _UNITS[match[2]] if match else 0.0
    if not 1 <= size <= _MOST:
        raise argparse.ArgumentTypeError(f"{text!r} is no size: write for example 2GB or 500MB")
    return int(size)


def count(text: str) -> int:
    """A whole number from 1."""
    if not text.isdecimal() or not int(text):
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number from 1")
    return int(text)


def add_to(commands: "Commands") -> None:
    """Add the command's options."""
    command = commands.add_parser(
        "index",
        help="index a crawl",
        description="Index a crawl. A SOURCE is a WARC, ARC or WACZ file, compressed or not; a "
        "folder of HTML with --base-url; @list.txt, a file with one source a line; or - for "
        "standard input.",
    )
    command.add_argument("sources", metavar="SOURCE", nargs="+", help="what to read")
    command.add_argument("-o", "--output", metavar="INDEX", required=True, help="folder to write")
    command.add_argument(
        "--strategy",
        metavar="FILE.toml",
        default=DEFAULT,
        help=f"how bags are made: a file, or one of {', '.join(presets())} (default: %(default)s)",
    )
    command.add_argument("--base-url", metavar="URL", help="what a folder of HTML stands for")
    command.add_argument(
        "--memory",
        type=byte_size,
        help="how much to use (default: 2GB; with spark, for one task: 512MB)",
    )
    command.add_argument("--threads", type=count, help="how many (default: one a core)")
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


def add_engine(command: argparse.ArgumentParser) -> None:
    """Add the options that say what runs the work."""
    command.add_argument(
        "--engine",
        choices=["local", "spark"],
        default="local",
        help="what does the work (default: local)",
    )
    command.add_argument(
        "--master",
        metavar="URL",
        help="where Spark runs, for example local[4] or spark://host:7077 (default: what Spark is "
        "set to, or this machine)",
    )


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


def refuse(value: object, name: str, advice: str) -> None:
    """An option that another engine has is an error."""
    if value is not None:
        raise EngineError("is not for this engine", where=name, advice=advice)
