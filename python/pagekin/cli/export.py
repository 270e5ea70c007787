"""`pagekin export`: related pages as files for a static site."""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from pagekin.cli.options import add_filters, add_index, add_threads, filters_of
from pagekin.cli.progress import progress_on
from pagekin.cli.summary import counted, printable
from pagekin.errors import ExitCode
from pagekin.opened import Index
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
    add_index(command)
    command.add_argument("-o", "--output", metavar="FOLDER", required=True, help="folder to write")
    add_filters(command, k=5)
    add_threads(command)
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> ExitCode:
    """Write the files and say where to look."""
    exported = export(
        Index(options.index),
        Path(options.output),
        filters_of(options),
        threads=options.threads,
        progress=progress_on(sys.stderr),
    )
    pages = counted(exported.pages, "page")
    print(printable(f"{pages} in {options.output}; see {exported.demo}"))
    return ExitCode.DONE
