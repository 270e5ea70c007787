"""`pagekin dump`: a table of the index in a format that other tools read."""

import argparse
from dataclasses import asdict
from pathlib import Path

from pagekin.api import Index
from pagekin.cli.options import Commands, add_index, add_json
from pagekin.cli.output import counted, print_json, printable
from pagekin.errors import ExitCode, InputError
from pagekin.index.tables.dump import DUMPED

__all__ = ["add_dump"]


def add_dump(commands: Commands) -> None:
    """`pagekin dump`."""
    command = commands.add_parser(
        "dump",
        help="write a table for other tools",
        description="Write a table of the index as Parquet, or the captures as CDXJ, the capture "
        "index that pywb reads.",
    )
    add_index(command)
    command.add_argument("table", metavar="TABLE", choices=DUMPED, help=", ".join(DUMPED))
    command.add_argument(
        "--format",
        choices=["parquet", "cdxj"],
        help="parquet or cdxj (default: by the suffix of the file, otherwise parquet)",
    )
    command.add_argument("-o", "--output", metavar="FILE", required=True, help="file to write")
    add_json(command)
    command.set_defaults(run=run_dump)


def run_dump(options: argparse.Namespace) -> ExitCode:
    """Write the file and print how many rows it has."""
    path = Path(options.output)
    if (options.format or path.suffix) not in ("cdxj", ".cdxj"):
        rows = Index(options.index).write_table(options.table, path)
        if options.json:
            print_json({"table": options.table, "rows": rows, "file": options.output})
        else:
            print(printable(f"{counted(rows, 'row')} of {options.table} in {options.output}"))
        return ExitCode.DONE
    if options.table != "captures":
        raise InputError(
            f"only captures can be written as CDXJ, not {options.table}",
            source=options.output,
            advice="write it as Parquet: --format parquet",
        )
    written = Index(options.index).write_cdxj(path)
    if options.json:
        print_json(asdict(written) | {"file": options.output})
        return ExitCode.DONE
    left_out = ", ".join(f"{count:,} {reason}" for reason, count in written.left_out.items())
    rest = f"; left out: {left_out}" if left_out else ""
    print(printable(f"{counted(written.captures, 'capture')} in {options.output}{rest}"))
    return ExitCode.DONE
