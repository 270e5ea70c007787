"""`pagekin pairs`: two linked pages of a site that together answer a query."""

import argparse
import json
import sys
from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING

from pagekin.cli.options import add_index, add_json
from pagekin.cli.summary import printable
from pagekin.cli.values import count
from pagekin.errors import ExitCode
from pagekin.index import IndexReader
from pagekin.pairs import Pair, PairPage, SitePairs, search

if TYPE_CHECKING:
    from pagekin.cli.types import Commands

__all__ = ["add_to", "run"]


def add_to(commands: "Commands") -> None:
    """Add the command's options."""
    command = commands.add_parser(
        "pairs",
        help="find two linked pages of a site that together answer a query",
        description="Find pairs of linked pages. The first keyword picks the sites, the others the "
        "pages: the best pair has different keywords on its two pages, those that come earlier in "
        "the query on the page that links.",
    )
    add_index(command)
    command.add_argument(
        "keywords",
        metavar="KEYWORD",
        nargs="+",
        help="two to five words in order; a phrase in quotes is one keyword, and all its words "
        "must be there",
    )
    command.add_argument(
        "--alpha",
        type=float,
        default=0.6,
        help="how much the order of keywords counts, from 0.5 (not at all) to 1 "
        "(default: %(default)s)",
    )
    command.add_argument("--sites", type=count, default=10, help="how many (default: %(default)s)")
    command.add_argument(
        "--per-site", type=count, default=1, help="pairs of each site (default: %(default)s)"
    )
    add_json(command)
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> ExitCode:
    """Print the pairs. Without any the exit code is 1, and the reason is said."""
    answer = search(
        IndexReader(options.index),
        options.keywords,
        alpha=options.alpha,
        sites=options.sites,
        per_site=options.per_site,
    )
    if options.json:
        print(json.dumps(asdict(answer), ensure_ascii=False))
    elif answer.empty is not None:
        print(f"pagekin: no pair: {printable(answer.empty)}", file=sys.stderr)
    else:
        print("\n\n".join(_site_text(site) for site in answer.sites))
    return ExitCode.DONE if answer.sites else ExitCode.ANSWER_IS_NO


def _site_text(site: SitePairs) -> str:
    """A site with its pairs as lines for people."""
    lines = [f"{site.site}  {_title(site.title)}", f"  home    {site.home}"]
    for pair in site.pairs:
        lines += _pair_lines(pair)
    return "\n".join(map(printable, lines))


def _pair_lines(pair: Pair) -> Iterator[str]:
    yield f"  {pair.weight:.3f}   {_title(pair.source.title)}"
    yield from _page_lines(pair.source)
    yield f"  links   {pair.words}"
    yield f"  to      {_title(pair.target.title)}"
    yield from _page_lines(pair.target)


def _page_lines(page: PairPage) -> Iterator[str]:
    yield f"          {page.url}"
    carried = ", ".join(f"{each.keyword} {each.strength:.2f}" for each in page.carries)
    yield f"          {carried}"


def _title(title: str | None) -> str:
    return title or "(no title)"
