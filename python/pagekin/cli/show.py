"""`pagekin show`: what is known of one page."""

import argparse
import json
from dataclasses import asdict
from typing import TYPE_CHECKING

from pagekin.cli.answer import about
from pagekin.cli.options import add_index, add_json
from pagekin.cli.summary import printable
from pagekin.cli.values import count
from pagekin.errors import ExitCode
from pagekin.opened import Index
from pagekin.query import subjects
from pagekin.types import PageCard

if TYPE_CHECKING:
    from pagekin.cli.types import Commands

__all__ = ["add_to", "run"]


def add_to(commands: "Commands") -> None:
    """Add the command's options."""
    command = commands.add_parser(
        "show",
        help="show a page's bag, its inlinks and where it came from",
        description="Show what the index knows of a URL, crawled or only linked to.",
    )
    add_index(command)
    command.add_argument("url", metavar="URL", help="page to show")
    command.add_argument("--terms", type=count, default=10, help="how many (default: %(default)s)")
    add_json(command)
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> ExitCode:
    """Print the card of a page."""
    card = Index(options.index).show(options.url, terms=options.terms)
    if options.json:
        print(json.dumps(asdict(card), ensure_ascii=False))
    else:
        print(card_text(card))
    return ExitCode.DONE


def card_text(card: PageCard) -> str:
    """The card as lines for people."""
    lines = [
        card.title or ("(no title)" if card.crawled else "(not crawled)"),
        card.url,
        f"site      {card.site}",
        f"crawled   {_origin(card)}",
        f"inlinks   {card.inlinks:,}",
        "terms     "
        + (", ".join(f"{term.term} {term.share:.1%}" for term in card.terms) or "none"),
    ]
    for place, subject in enumerate(subjects(card.concepts)):
        words = "".join(text for text, _ in about(subject))
        lines.append(f"{'' if place else 'concepts':<10}{words}")
    for link in card.linked_from:
        lines += [f"linked    {link.url}", f"          {link.words}"]
    return "\n".join(map(printable, lines))


def _origin(card: PageCard) -> str:
    if not card.crawled:
        return "no"
    return f"{card.date or 'date unknown'}, {card.file} at {card.offset:,}"
