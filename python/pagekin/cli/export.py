"""`pagekin export`: related pages as files for a static site."""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from pagekin.cli.index import count
from pagekin.cli.progress import progress_on
from pagekin.cli.related import share
from pagekin.cli.summary import printable
from pagekin.errors import ExitCode
from pagekin.opened import Index
from pagekin.query import Filters
from pagekin.serve.export import export

if TYPE_CHECKING:
    from pagekin.cli.types import Commands

__all__ = ["add_to", "run"]


def add_to(commands: "Commands") -> None:
    """Add the command's options."""
    command = commands.add_parser(
        "export",
        help="write related pages as files for a static site",
        description="Write the related pages of every crawled page as JSON files, with a script "
        "that shows them on the pages of a static site, and a demo page.",
    )
    command.add_argument("index", metavar="INDEX", help="folder of the index")
    command.add_argument("-o", "--output", metavar="FOLDER", required=True, help="folder to write")
    command.add_argument("-k", type=count, default=5, help="pages a page (default: %(default)s)")
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
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> ExitCode:
    """Write the files and say where to look."""
    filters = Filters(
        k=options.k,
        min_score=options.min_score,
        exclude_site=options.exclude_site,
        exclude_linked=options.exclude_linked,
        group_by_site=options.group_by_site,
    )
    exported = export(
        Index(options.index),
        Path(options.output),
        filters,
        threads=options.threads,
        progress=progress_on(sys.stderr),
    )
    pages = "1 page" if exported.pages == 1 else f"{exported.pages:,} pages"
    print(printable(f"{pages} in {options.output}; see {exported.demo}"))
    return ExitCode.DONE
