"""`pagekin precompute` and `export`: the related pages of every page, as a table or as files."""

import argparse
import importlib
import sys
from pathlib import Path

from pagekin.api import Index
from pagekin.cli.options import (
    Commands,
    add_engine,
    add_filters,
    add_index,
    add_replay,
    add_threads,
    filters_of,
    open_index,
    refuse,
)
from pagekin.cli.output import counted, printable
from pagekin.cli.progress import progress_on
from pagekin.errors import ExitCode

__all__ = ["add_export", "add_precompute"]


def add_precompute(commands: Commands) -> None:
    """`pagekin precompute`."""
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
    add_filters(command)
    add_threads(command)
    add_engine(command)
    command.set_defaults(run=run_precompute)


def run_precompute(options: argparse.Namespace) -> ExitCode:
    """Write the table and print its number of rows."""
    rows = _precompute(options)
    print(printable(f"{rows:,} rows in {options.output}"))
    return ExitCode.DONE


def _precompute(options: argparse.Namespace) -> int:
    filters, progress = filters_of(options), progress_on(sys.stderr)
    if options.engine == "spark":
        refuse(options.threads, "--threads", "leave it out; the cores are Spark's: local[4]")
        spark = importlib.import_module("pagekin.engines.spark")
        with spark.open_session(options.master):
            rows: int = spark.precompute(options.index, options.output, filters, progress=progress)
            return rows
    refuse(options.master, "--master", "leave it out, or add --engine spark")
    path = Path(options.output)
    index = Index(options.index)
    return index.precompute(path, filters=filters, threads=options.threads, progress=progress)


def add_export(commands: Commands) -> None:
    """`pagekin export`."""
    command = commands.add_parser(
        "export",
        help="write related pages as files for a static site",
        description="Write the related pages of every crawled page as JSON files, with a script "
        "that shows them on the pages of a static site, and a demo page.",
    )
    add_index(command)
    command.add_argument("-o", "--output", metavar="FOLDER", required=True, help="folder to write")
    add_filters(command, k=5)
    add_replay(command)
    add_threads(command)
    command.set_defaults(run=run_export)


def run_export(options: argparse.Namespace) -> ExitCode:
    """Write the files and print where the demo page is."""
    exported = open_index(options).export(
        Path(options.output),
        filters=filters_of(options),
        threads=options.threads,
        progress=progress_on(sys.stderr),
    )
    pages = counted(exported.pages, "page")
    print(printable(f"{pages} in {options.output}; see {exported.demo}"))
    return ExitCode.DONE
