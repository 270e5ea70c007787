"""`pagekin precompute`: every page's related pages, as a table."""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from pagekin.cli.index import add_engine, count, refuse
from pagekin.cli.progress import progress_on
from pagekin.cli.related import share
from pagekin.cli.summary import printable
from pagekin.engines import spark
from pagekin.errors import ExitCode
from pagekin.opened import Index
from pagekin.query import Filters

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
    command.add_argument("index", metavar="INDEX", help="folder of the index")
    command.add_argument(
        "-o", "--output", metavar="ANSWERS.parquet", required=True, help="file to write"
    )
    command.add_argument("-k", type=count, default=10, help="pages a page (default: %(default)s)")
    command.add_argument(
        "--min-score", type=share, default=0.0, metavar="X", help="only pages at least so similar"
    )
    command.add_argument(
        "--exclude-site", action="store_true", help="no pages of the page's own site"
    )
    command.add_argument(
        "--exclude-linked", action="store_true", help="no pages that the page links to"
    )
    command.add_argument(
        "--group-by-site", action="store_true", help="only the best page of each site"
    )
    command.add_argument("--threads", type=count, help="how many (default: one a core)")
    add_engine(command)
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> ExitCode:
    """Write the table and say how many rows it has."""
    filters = Filters(
        k=options.k,
        min_score=options.min_score,
        exclude_site=options.exclude_site,
        exclude_linked=options.exclude_linked,
        group_by_site=options.group_by_site,
    )
    rows = _written(options, filters)
    print(printable(f"{rows:,} rows in {options.output}"))
    return ExitCode.DONE


def _written(options: argparse.Namespace, filters: Filters) -> int:
    progress = progress_on(sys.stderr)
    if options.engine == "spark":
        refuse(options.threads, "--threads", "leave it out; the cores are Spark's: local[4]")
        with spark.opened(options.master):
            return spark.precompute(options.index, options.output, filters, progress=progress)
    refuse(options.master, "--master", "leave it out, or add --engine spark")
    path = Path(options.output)
    index = Index(options.index)
    return index.precompute(path, filters=filters, threads=options.threads, progress=progress)
