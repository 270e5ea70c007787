"""`pagekin related`: the pages most like a page, a text or a file, and why."""

import argparse
import json
import sys
from dataclasses import asdict, replace
from typing import TYPE_CHECKING

from pagekin.cli.answer import print_answer
from pagekin.cli.options import add_filters, add_index, add_json, filters_of
from pagekin.cli.summary import printable
from pagekin.cli.values import share
from pagekin.errors import ExitCode, InputError
from pagekin.opened import Index
from pagekin.query import Filters
from pagekin.types import Related

if TYPE_CHECKING:
    from pagekin.cli.types import Commands

__all__ = ["add_to", "run"]


def add_to(commands: "Commands") -> None:
    """Add the command's options."""
    command = commands.add_parser(
        "related",
        help="list the pages most like a page, and why",
        description="List the pages most like a page of the crawl, several pages at once, a text "
        "or an HTML file, with the terms they share and the pages that link to both.",
    )
    add_index(command)
    command.add_argument("urls", metavar="URL", nargs="*", help="page to compare with")
    command.add_argument("--text", help="a text that is not in the crawl")
    command.add_argument("--file", metavar="PAGE.html", help="a page that is not in the crawl")
    command.add_argument(
        "--unlike", metavar="URL", action="append", default=[], help="take this page's terms off"
    )
    _add_search(command)
    add_json(command)
    command.set_defaults(run=run)


def _add_search(command: argparse.ArgumentParser) -> None:
    add_filters(command, k=10)
    command.add_argument(
        "--exact", action="store_true", help="compare every page, not only likely ones"
    )
    command.add_argument(
        "--alpha",
        type=share,
        default=0.0,
        metavar="X",
        help="only pages whose sketches agree in more than this share of positions",
    )


def run(options: argparse.Namespace) -> ExitCode:
    """Print the related pages; none at all is a no."""
    filters = replace(filters_of(options), alpha=options.alpha, exact=options.exact)
    answer = _answer(options, filters)
    if options.json:
        print(json.dumps(asdict(answer), ensure_ascii=False))
    else:
        _print_hits(answer)
    return ExitCode.DONE if answer.hits else ExitCode.ANSWER_IS_NO


def _print_hits(answer: Related) -> None:
    if answer.hits:
        print_answer(answer)
    else:
        print(f"pagekin: {printable(answer.note or 'no related page')}", file=sys.stderr)


def _answer(options: argparse.Namespace, filters: Filters) -> Related:
    given = [name for name in ("urls", "text", "file") if getattr(options, name) not in ([], None)]
    if len(given) != 1:
        raise _badly_asked("nothing is asked" if not given else "more than one thing is asked")
    if options.unlike and given != ["urls"]:
        raise _badly_asked("--unlike goes with URLs alone")
    index = Index(options.index)
    if options.text is not None:
        return index.related_to_text(options.text, filters=filters)
    if options.file is not None:
        return index.related_to_file(options.file, filters=filters)
    return index.related(options.urls, unlike=options.unlike, filters=filters)


def _badly_asked(what: str) -> InputError:
    return InputError(what, source="the query", advice="give URLs, or --text, or --file")
