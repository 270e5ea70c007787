"""`pagekin precompute` and `export`: the related pages of every page, as a table or as files."""

import argparse
import importlib
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

from pagekin.api import Index
from pagekin.cli.options import (
    Commands,
    add_engine,
    add_filters,
    add_index,
    add_json,
    add_replay,
    add_threads,
    filters_of,
    open_index,
    refuse,
)
from pagekin.cli.output import counted, print_json, printable
from pagekin.cli.progress import progress_on
from pagekin.errors import ExitCode, InputError

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
    add_json(command)
    command.set_defaults(run=run_precompute)


def run_precompute(options: argparse.Namespace) -> ExitCode:
    """Write the table and print its number of rows."""
    rows = _precompute(options)
    if options.json:
        print_json({"rows": rows, "file": options.output})
        return ExitCode.DONE
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
        "that shows them on the pages of a static site, and a demo page; or the related pages of "
        "one site as a data file, for the templates of Hugo, Jekyll and others.",
    )
    add_index(command)
    command.add_argument("-o", "--output", metavar="FOLDER", help="folder to write")
    command.add_argument(
        "--data",
        metavar="FILE.json",
        help="data file to write; if the index has several sites, select one with --site",
    )
    add_filters(command, k=5)
    add_replay(command)
    add_threads(command)
    add_json(command)
    command.set_defaults(run=run_export)


def run_export(options: argparse.Namespace) -> ExitCode:
    """Write the files and print where they are."""
    if options.output is None and options.data is None:
        advice = "give -o FOLDER, --data FILE.json or both"
        raise InputError("nothing to write", source="pagekin export", advice=advice)
    index, filters = open_index(options), filters_of(options)
    run: dict[str, Any] = {"threads": options.threads, "progress": progress_on(sys.stderr)}
    data = index.export_data(options.data, filters=filters, **run) if options.data else None
    site = index.export(options.output, filters=filters, **run) if options.output else None
    if options.json:
        print_json({"site": site and asdict(site), "data": data and asdict(data)})
        return ExitCode.DONE
    if data:
        print(printable(f"{counted(data.pages, 'page')} in {options.data}"))
    if site:
        pages = counted(site.pages, "page")
        print(printable(f"{pages} in {options.output}; see {site.demo}"))
    return ExitCode.DONE
