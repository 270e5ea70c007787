"""`pagekin audit`: the links of a site, for its owner."""

import argparse
import sys
from pathlib import Path

from pagekin.api import Index
from pagekin.audit import FORMATS, KINDS, AuditQuestion, kinds_named, read_audit, render
from pagekin.cli.options import Commands, add_fields, add_index, add_threads, fields_of
from pagekin.cli.output import printable
from pagekin.cli.progress import progress_on
from pagekin.errors import ExitCode
from pagekin.work.files import write_errors, write_whole

__all__ = ["add_audit"]


def add_audit(commands: Commands) -> None:
    """`pagekin audit`."""
    command = commands.add_parser(
        "audit",
        help="find orphans, dead ends, missing and broken links, and near duplicates of a site",
        description="Audit the links of a site. The kinds of findings are "
        f"{', '.join(KINDS)}. A near-orphan is linked to by menus only; a near-dead-end links to "
        "other pages by menus only.",
    )
    add_index(command)
    add_fields(command, AuditQuestion)
    command.add_argument(
        "--kind",
        metavar="KIND",
        action="append",
        default=[],
        help="only findings of this kind (repeatable)",
    )
    command.add_argument(
        "--baseline",
        metavar="AUDIT.json",
        help="earlier audit, written with --format json; its findings are left out",
    )
    command.add_argument(
        "--fail-on",
        metavar="KIND",
        action="append",
        default=[],
        help="exit with 1 if there is a finding of this kind (repeatable)",
    )
    command.add_argument(
        "--format", choices=[*FORMATS], default="text", help="output format (default: text)"
    )
    command.add_argument(
        "--json",
        dest="format",
        action="store_const",
        const="json",
        help="the same as --format json",
    )
    command.add_argument(
        "-o", "--output", metavar="FILE", help="file to write (default: standard output)"
    )
    add_threads(command)
    command.set_defaults(run=run_audit)


def run_audit(options: argparse.Namespace) -> ExitCode:
    """Print or write the audit; exit code 1 if there is a finding to fail on."""
    fail_on, kinds = kinds_named(options.fail_on), kinds_named(options.kind or KINDS)
    earlier = read_audit(options.baseline) if options.baseline else None
    found = Index(options.index).audit(
        fields_of(options, AuditQuestion), threads=options.threads, progress=progress_on(sys.stderr)
    )
    found = found.of_kinds(kinds)
    found = found.since(earlier) if earlier else found
    _write(render(found, options.format), options.output)
    fails = any(found.counts[kind] for kind in fail_on)
    return ExitCode.ANSWER_IS_NO if fails else ExitCode.DONE


def _write(text: str, output: str | None) -> None:
    if output is None:
        for line in text.removesuffix("\n").split("\n") if text else ():
            print(printable(line))
        return
    path = Path(output)
    with write_errors("the audit", path):
        write_whole(path, text)
