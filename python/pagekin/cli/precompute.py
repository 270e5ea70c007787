"""`pagekin precompute`: every page's related pages, as a table."""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from pagekin.cli.options import (
    add_engine,
    add_filters,
    add_index,
    add_threads,
    filters_of,
    refuse,
)
from pagekin.cli.progress import progress_on
from pagekin.cli.summary import printable
from pagekin.engines import spark
from pagekin.errors import ExitCode
from pagekin.opened import Index

if TYPE_CHECKING:
    from pagekin.cli.types import Commands

__all__ = ["add_to", "run"]


def add_to(commands: "Commands") -> None:
    """Add the command's options."""
    command = commands.add_parser(
        "precompute",
        help="write every page's related pages as a table",
        description="Write the related pages of every page to one Parquet table with the columns "
        "url, rank, related and score. Spark writes it as a folder of files.",
    )
    add_index(command)
    command.add_argument(
        "-o", "--output", metavar="ANSWERS.parquet", required=True, help="file to write"
    )
    add_filters(command, k=10)
    add_threads(command)
    add_engine(command)
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> ExitCode:
    """Write the table and say how many rows it has."""
    rows = _written(options)
    print(printable(f"{rows:,} rows in {options.output}"))
    return ExitCode.DONE


def _written(options: argparse.Namespace) -> int:
    filters, progress = filters_of(options), progress_on(sys.stderr)
    if options.engine == "spark":
        refuse(options.threads, "--threads", "leave it out; the cores are Spark's: local[4]")
        with spark.opened(options.master):
            return spark.precompute(options.index, options.output, filters, progress=progress)
    refuse(options.master, "--master", "leave it out, or add --engine spark")
    path = Path(options.output)
    index = Index(options.index)
    return index.precompute(path, filters=filters, threads=options.threads, progress=progress)
