"""`pagekin dump`: a table of the index in a format that other tools read."""

import argparse
from dataclasses import asdict
from pathlib import Path

from pagekin.api import Index
from pagekin.cli.options import Commands, add_index, add_json
from pagekin.cli.output import counted, print_json, printable
from pagekin.errors import ExitCode

__all__ = ["add_dump"]


def add_dump(commands: Commands) -> None:
    """`pagekin dump`."""
    command = commands.add_parser(
        "dump",
        help="write a table for other tools",
        description="Write the captures as CDXJ, the capture index that pywb reads.",
    )
    add_index(command)
    command.add_argument("table", metavar="TABLE", choices=["captures"], help="captures")
    command.add_argument("--format", choices=["cdxj"], default="cdxj", help="cdxj")
    command.add_argument("-o", "--output", metavar="FILE", required=True, help="file to write")
    add_json(command)
    command.set_defaults(run=run_dump)


def run_dump(options: argparse.Namespace) -> ExitCode:
    """Write the file and print how many captures it has."""
    written = Index(options.index).write_cdxj(Path(options.output))
    if options.json:
        print_json(asdict(written) | {"file": options.output})
        return ExitCode.DONE
    left_out = ", ".join(f"{count:,} {reason}" for reason, count in written.left_out.items())
    rest = f"; left out: {left_out}" if left_out else ""
    print(printable(f"{counted(written.captures, 'capture')} in {options.output}{rest}"))
    return ExitCode.DONE
