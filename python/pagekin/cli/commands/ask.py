"""`pagekin related`, `search`, `show`, `compare` and `pairs`: queries to an index."""

import argparse
import json
import sys
from dataclasses import asdict

from pagekin.api import Index
from pagekin.cli.hits_text import print_answer, search_text
from pagekin.cli.index_text import overview_text
from pagekin.cli.options import (
    Commands,
    add_fields,
    add_filters,
    add_index,
    add_indexes,
    add_json,
    add_replay,
    count,
    fields_of,
    filters_of,
    open_index,
    split_indexes,
)
from pagekin.cli.output import captures_text, card_text, comparison_text, printable, site_text
from pagekin.errors import ExitCode, InputError
from pagekin.pairs import PairsQuestion
from pagekin.query import PageSelection, Question
from pagekin.query.question import LARGEST_PAGE
from pagekin.types import Related

__all__ = ["add_compare", "add_pairs", "add_related", "add_search", "add_show"]

MORE_FILTERS = ("exact", "min_agreement")
STDIN = "-"


def add_related(commands: Commands) -> None:
    """`pagekin related`."""
    command = commands.add_parser(
        "related",
        help="list the pages most like a page, and why",
        description="List the pages most like a page of the crawl, a text, an HTML file, or a "
        "mixture of them, with the words they share and the pages that link to both. --text - and "
        "--file - read standard input.",
    )
    add_indexes(command)
    command.add_argument("urls", metavar="URL", nargs="*", help="page of the crawl")
    add_fields(command, Question, "unlike", "text", "file", "unlike_text")
    add_filters(command, *MORE_FILTERS)
    add_replay(command)
    add_json(command)
    command.set_defaults(run=run_related)


def run_related(options: argparse.Namespace) -> ExitCode:
    """Print the related pages; exit code 1 if there is none."""
    indexes, urls = split_indexes(options, options.urls)
    question = _question(options, urls)
    index = open_index(options, indexes)
    answer = index.related(question, filters=filters_of(options, *MORE_FILTERS))
    _tell_left_out(index)
    if options.json:
        print(json.dumps(asdict(answer), ensure_ascii=False))
    else:
        _print_related(answer)
    return ExitCode.DONE if answer.hits else ExitCode.ANSWER_IS_NO


def _tell_left_out(index: Index) -> None:
    """Say what is wrong with indexes that were not asked."""
    for fault in index.left_out.values():
        print(f"pagekin: left out: {printable(fault)}", file=sys.stderr)


def _question(options: argparse.Namespace, urls: list[str]) -> Question:
    """The question that the flags describe; `-` is standard input."""
    text, file, page = options.text, options.file, None
    if text == STDIN and file == STDIN:
        raise InputError(
            "asked for twice", source="standard input", advice="give --text - or --file -"
        )
    if text == STDIN:
        text = _read_input().decode("utf-8", "replace")
    if file == STDIN:
        file, page = None, _read_input()
    return Question(
        tuple(urls),
        tuple(options.unlike),
        text=text,
        file=file,
        page=page,
        unlike_text=options.unlike_text,
    )


def _read_input() -> bytes:
    given = sys.stdin.buffer.read(LARGEST_PAGE + 1)
    if len(given) > LARGEST_PAGE:
        raise InputError(
            f"larger than {LARGEST_PAGE >> 20} MiB",
            source="standard input",
            advice="give a shorter text",
        )
    return given


def _print_related(answer: Related) -> None:
    if answer.hits:
        print_answer(answer)
    else:
        print(f"pagekin: {printable(answer.note or 'no related page')}", file=sys.stderr)


def add_search(commands: Commands) -> None:
    """`pagekin search`."""
    command = commands.add_parser(
        "search",
        help="find pages by words",
        description="Find the pages that best match these words in their title, URL or text, or in "
        "links to them (BM25F). A page need not have all words; words in quotes must follow each "
        "other: '\"bare roots\" roses'. A URL or a part of one is found as well.",
    )
    add_indexes(command)
    command.add_argument("words", metavar="WORD", nargs="+", help="words to look for")
    command.add_argument("-k", type=count, default=10, help="number of pages (default: 10)")
    add_fields(command, PageSelection)
    add_replay(command)
    add_json(command)
    command.set_defaults(run=run_search)


def run_search(options: argparse.Namespace) -> ExitCode:
    """Print the pages found; exit code 1 if there is none."""
    selection = asdict(fields_of(options, PageSelection))
    indexes, words = split_indexes(options, options.words)
    index = open_index(options, indexes)
    found = index.search(" ".join(words), k=options.k, **selection)
    _tell_left_out(index)
    if options.json:
        print(json.dumps(asdict(found), ensure_ascii=False))
    elif found.hits:
        print(search_text(found))
    else:
        print(f"pagekin: {printable(found.note or 'no page found')}", file=sys.stderr)
    return ExitCode.DONE if found.hits else ExitCode.ANSWER_IS_NO


def add_show(commands: Commands) -> None:
    """`pagekin show`."""
    command = commands.add_parser(
        "show",
        help="show a page's words, inlinks and origin, or what the index is made of",
        description="Show what the index knows about a URL, crawled or only linked to. Without a "
        "URL: what the index has, and the weights that its build fitted to the crawl.",
    )
    add_index(command)
    command.add_argument("url", metavar="URL", nargs="?", help="page to show")
    command.add_argument(
        "--terms", type=count, default=10, help="number of words (default: %(default)s)"
    )
    command.add_argument(
        "--captures", action="store_true", help="list all captures of the page as well"
    )
    add_replay(command)
    add_json(command)
    command.set_defaults(run=run_show)


def run_show(options: argparse.Namespace) -> ExitCode:
    """Print the card of a page, or an overview of the index."""
    index = open_index(options)
    if options.url is None:
        if options.captures:
            raise InputError("no URL given", source="--captures", advice="name one after the index")
        seen = index.overview()
        print(json.dumps(asdict(seen), ensure_ascii=False) if options.json else overview_text(seen))
        return ExitCode.DONE
    card = index.show(options.url, terms=options.terms)
    found = index.captures(options.url) if options.captures else None
    if options.json:
        listed = {} if found is None else {"captures": [asdict(each) for each in found]}
        print(json.dumps(asdict(card) | listed, ensure_ascii=False))
    else:
        print(card_text(card))
        if found is not None:
            print(captures_text(found))
    return ExitCode.DONE


def add_compare(commands: Commands) -> None:
    """`pagekin compare`."""
    command = commands.add_parser(
        "compare",
        help="show what two pages share, and how one ranks among the pages related to the other",
        description="Compare two pages: their score, the words they share, the words of each "
        "alone, the links between them and the pages that link to both. An exact search finds the "
        "rank of the second page among the 100 pages most like the first.",
    )
    add_index(command)
    command.add_argument("one", metavar="URL", help="first page")
    command.add_argument("other", metavar="URL", help="second page, whose rank is looked up")
    add_json(command)
    command.set_defaults(run=run_compare)


def run_compare(options: argparse.Namespace) -> ExitCode:
    """Print the comparison."""
    found = Index(options.index).compare(options.one, options.other)
    print(json.dumps(asdict(found), ensure_ascii=False) if options.json else comparison_text(found))
    return ExitCode.DONE


def add_pairs(commands: Commands) -> None:
    """`pagekin pairs`."""
    command = commands.add_parser(
        "pairs",
        help="find two linked pages of a site that together answer a query",
        description="Find pairs of linked pages. The first keyword selects sites, the others "
        "select pages. In the best pairs the two pages have different keywords, and the linking "
        "page has those that come earlier in the query.",
    )
    add_index(command)
    command.add_argument(
        "keywords",
        metavar="KEYWORD",
        nargs="+",
        help="two to five keywords in order; a phrase in quotes is one keyword, and a page must "
        "have all its words",
    )
    command.add_argument(
        "--directory",
        metavar="FILE",
        help="pages and their classes: the first keyword selects the sites listed in classes of "
        "that name (default: those with the word in their pages or in links to them)",
    )
    add_fields(command, PairsQuestion)
    add_json(command)
    command.set_defaults(run=run_pairs)


def run_pairs(options: argparse.Namespace) -> ExitCode:
    """Print the pairs. Without one, print the reason and exit with 1."""
    question = fields_of(options, PairsQuestion, keywords=tuple(options.keywords))
    answer = Index(options.index).pairs(
        question.keywords,
        alpha=question.alpha,
        sites=question.sites,
        per_site=question.per_site,
        directory=options.directory,
    )
    if options.json:
        print(json.dumps(asdict(answer), ensure_ascii=False))
    elif answer.empty is not None:
        print(f"pagekin: no pair: {printable(answer.empty)}", file=sys.stderr)
    else:
        print("\n\n".join(site_text(site) for site in answer.sites))
    return ExitCode.DONE if answer.sites else ExitCode.ANSWER_IS_NO
