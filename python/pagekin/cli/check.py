"""`pagekin check`: whether an index can be trusted."""

import argparse
import json
import sys
from typing import TYPE_CHECKING

from pagekin.cli.options import add_index, add_json
from pagekin.cli.progress import progress_on
from pagekin.cli.summary import printable
from pagekin.errors import ExitCode, IndexCorrupt, StrategyMismatch
from pagekin.opened import Index

if TYPE_CHECKING:
    from pagekin.cli.types import Commands

__all__ = ["add_to", "run"]


def add_to(commands: "Commands") -> None:
    """Add the command's options."""
    command = commands.add_parser(
        "check",
        help="verify every file of an index",
        description="Compute every checksum and every invariant of an index again, and name the "
        "first fault. Exit code 1 if there is one.",
    )
    add_index(command)
    add_json(command)
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> ExitCode:
    """Print whether the index is sound. What is no index at all is bad input, not a no."""
    try:
        Index(options.index).check(progress_on(sys.stderr))
    except (IndexCorrupt, StrategyMismatch) as error:
        if options.json:
            print(json.dumps({"sound": False, "error": error.as_dict()}, ensure_ascii=False))
        else:
            print(printable(f"not sound: {error}"))
        return ExitCode.ANSWER_IS_NO
    print(json.dumps({"sound": True, "error": None}) if options.json else "sound")
    return ExitCode.DONE
