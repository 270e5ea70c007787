"""`pagekin capture`: the archived response of a URL."""

import argparse
import json
import sys

from pagekin.cli.options import Commands, add_index, add_json, add_replay, open_index
from pagekin.cli.output import printable, printable_lines
from pagekin.errors import ExitCode
from pagekin.query import ArchivedResponse

__all__ = ["add_capture"]


def add_capture(commands: Commands) -> None:
    """`pagekin capture`."""
    command = commands.add_parser(
        "capture",
        help="print the archived response of a page",
        description="Print the archived response of a URL from its WARC, ARC, WACZ or folder: the "
        "body, without transfer and content encodings. Exit code 1 if the crawl has none.",
    )
    add_index(command)
    command.add_argument("url", metavar="URL", help="URL of the crawl")
    command.add_argument(
        "--date",
        metavar="DATE",
        help="the capture nearest to this date: 2024, 2024-05-17, 2024-05-17T08:30:00Z or "
        "20240517083000 (default: the one that is indexed)",
    )
    add_source_root(command)
    shown = command.add_mutually_exclusive_group()
    shown.add_argument(
        "--headers", action="store_true", help="print the status line and the headers instead"
    )
    add_json(shown)
    add_replay(command)
    command.set_defaults(run=run_capture)


def add_source_root(command: argparse.ArgumentParser) -> None:
    """Add `--source-root`."""
    command.add_argument(
        "--source-root",
        metavar="FOLDER",
        help="folder or URI that has the archives now (default: where they were, or beside the "
        "index)",
    )


def run_capture(options: argparse.Namespace) -> ExitCode:
    """Print the response. Without a body in the crawl, say so and exit with 1."""
    index = open_index(options)
    found = index.capture(options.url, options.date, source_root=options.source_root)
    if options.json:
        print(json.dumps(found.as_dict(), ensure_ascii=False))
        return ExitCode.DONE
    if options.headers:
        print(printable_lines(found.head()))
        return ExitCode.DONE
    _print_body(found)
    for said in filter(None, [found.note, _ENCODED if found.encoded else None]):
        print(f"pagekin: {printable(said)}", file=sys.stderr)
    return ExitCode.ANSWER_IS_NO if found.note else ExitCode.DONE


def _print_body(found: ArchivedResponse) -> None:
    """The bytes as they are; on a terminal the text, without what would control it."""
    if sys.stdout.isatty():
        text = found.text if found.text is not None else f"{len(found.body):,} bytes, not a text"
        print(printable_lines(text))
        return
    sys.stdout.flush()
    sys.stdout.buffer.write(found.body)


_ENCODED = "the encodings of the body could not be removed: these are the bytes as archived"
