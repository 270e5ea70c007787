"""Answers as text: whole lines in a pipe; colours and truncated lines on a terminal."""

import json
import os
import re
import sys
from collections.abc import Iterable, Iterator
from typing import TextIO

from rich.console import Console
from rich.text import Text

from pagekin.pairs import Pair, PairPage, SitePairs
from pagekin.query import Captures, Comparison, SearchResults, Subject, subjects
from pagekin.query.search import SearchHit
from pagekin.types import Citation, Hit, LinkedPage, PageCard, Query, Related, TermShare

__all__ = [
    "answer_text",
    "brief",
    "captures_text",
    "card_text",
    "comparison_text",
    "counted",
    "print_answer",
    "print_json",
    "printable",
    "printable_lines",
    "search_text",
    "site_text",
    "subject_parts",
]

Line = list[tuple[str, str]]
"""A line as parts, each with its style on a terminal."""

TERMS = 6
"""Terms shown of a hit."""
SUBJECTS = 2
"""Subjects shown of a hit."""
QUOTED = 100
"""Characters shown of a quotation."""
INDENT = " " * 24
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
EIGHTHS = " ▏▎▍▌▋▊▉█"
_NOT_EXACT = "only likely candidates were compared; --exact compares every page"


def print_json(document: object) -> None:
    """Print one JSON document, with paths as texts."""
    print(json.dumps(document, ensure_ascii=False, default=os.fspath))


def print_answer(answer: Related, out: TextIO | None = None) -> None:
    """Print the answer: in colour on a terminal, as plain lines elsewhere."""
    out = out or sys.stdout
    if not out.isatty():
        print(answer_text(answer), file=out)
        return
    console = Console(file=out, highlight=False)
    for line in _lines(answer):
        console.print(Text.assemble(*line), no_wrap=True, overflow="ellipsis")


def answer_text(answer: Related) -> str:
    """The answer as plain lines."""
    return "\n".join("".join(text for text, _ in line).rstrip() for line in _lines(answer))


def _lines(answer: Related) -> Iterator[Line]:
    for line in _answer_lines(answer):
        yield [(printable(text), style) for text, style in line]


def _answer_lines(answer: Related) -> Iterator[Line]:
    yield from _head(answer.query)
    for url in answer.copies_of_query:
        yield [("copied at  ", ""), (url, "cyan")]
    for rank, hit in enumerate(answer.hits, 1):
        yield []
        yield from _hit(rank, hit)
    yield from _linked_pages(answer.not_in_crawl)
    yield []
    if answer.note:
        yield [(answer.note, "yellow")]
    took = f"{counted(len(answer.hits), 'page')} in {answer.took_ms:.1f} ms"
    yield [(took if answer.exact else f"{took}; {_NOT_EXACT}", "dim")]


def _linked_pages(pages: list[LinkedPage]) -> Iterator[Line]:
    if pages:
        yield []
        yield [("linked to, not in this crawl", "bold")]
    for page in pages:
        yield [(f"     {page.score:.3f}  ", ""), (page.title or "(no words)", "")]
        yield [(INDENT, ""), (page.url, "cyan")]


def _head(query: Query) -> Iterator[Line]:
    urls = [*filter(None, [query.url]), *query.also]
    names = [(query.title, "bold")] if query.title else []
    names += [(url, "cyan") for url in urls]
    if query.word_share is not None and (urls or not names):
        names.append(("the text", "bold"))
    for number, name in enumerate(names):
        yield [("           " if number else "related to ", ""), name]
    for url in query.unlike:
        yield [("but unlike ", ""), (url, "cyan")]


def _hit(rank: int, hit: Hit) -> Iterator[Line]:
    yield [
        (f"{rank:3}  {hit.score:.3f}  ", "bold"),
        (f"{_bar(hit.score)}  ", "green"),
        (_name(hit), "bold" if hit.title else "dim"),
    ]
    yield [(INDENT, ""), (hit.url, "cyan")]
    if hit.why.words is not None:
        parts = f"by words {hit.why.words:.3f}, by similarity {hit.why.similarity:.3f}"
        yield [(f"{INDENT}{parts}", "dim")]
    if hit.why.concepts:
        yield [(f"{INDENT}both about: ", "dim"), *_subjects(hit)]
    if hit.why.terms:
        yield [(f"{INDENT}shared: ", "dim"), *_terms(hit)]
    for copy in hit.copies:
        yield [(f"{INDENT}copy: ", "dim"), (copy, "cyan")]
    yield from _citation(hit.why.cited_together_by)


def _name(page: Hit | SearchHit | PageCard) -> str:
    return page.title or ("(no title)" if page.crawled else "(not crawled)")


def _bar(score: float) -> str:
    """A bar of ten characters, filled in eighths."""
    full, rest = divmod(min(round(score * 80), 80), 8)
    return f"{'█' * full}{EIGHTHS[rest] if rest else ''}".ljust(10, "·")


def _terms(hit: Hit) -> Iterator[tuple[str, str]]:
    for number, term in enumerate(hit.why.terms[:TERMS]):
        yield (", " if number else ""), "dim"
        yield term.term, ""
        yield f" {term.share:.1%}", "dim"
    others = hit.why.other_terms.count + len(hit.why.terms[TERMS:])
    if others:
        yield f" and {others:,} more", "dim"


def _subjects(hit: Hit) -> Iterator[tuple[str, str]]:
    for number, subject in enumerate(subjects(hit.why.concepts)[:SUBJECTS]):
        yield ("; " if number else ""), "dim"
        yield from subject_parts(subject)


def subject_parts(subject: Subject) -> Iterator[tuple[str, str]]:
    """What pages are about and its share, each with its style."""
    yield str(subject), ""
    yield f"{', …' if subject.words else ''} {subject.share:.1%}", "dim"


def _citation(citations: list[Citation]) -> Iterator[Line]:
    """The first page that links to both, with its quotation."""
    for cited in citations[:1]:
        yield [(f"{INDENT}linked together by ", "dim"), (cited.url, "cyan")]
        yield [(f"{INDENT}“{brief(cited.words, QUOTED)}”", "italic")]


def brief(words: str, most: int) -> str:
    """A quotation with its anchors and as many words around them as fit."""
    parts = words.split(" ")
    anchors = list(_anchors(parts))
    texts = (_around(parts, anchors, aside) for aside in range(8, -1, -1))
    return next((text for text in texts if len(text) <= most), _around(parts, anchors, 0))


def _anchors(parts: list[str]) -> Iterator[int]:
    """The places of the words in brackets."""
    inside = False
    for place, part in enumerate(parts):
        inside = inside or "[" in part
        if inside:
            yield place
        inside = inside and "]" not in part


def _around(parts: list[str], anchors: Iterable[int], aside: int) -> str:
    near = {place + step for place in anchors for step in range(-aside, aside + 1)}
    kept = [part if place in near else "…" for place, part in enumerate(parts)]
    pairs = zip(["", *kept], kept, strict=False)
    return " ".join(part for before, part in pairs if part != "…" or before != "…")


def search_text(found: SearchResults) -> str:
    """The pages that a search found, as text."""
    lines = []
    for rank, hit in enumerate(found.hits, found.paging.offset + 1):
        lines += [f"{rank:3}  {hit.score:.3f}  {_name(hit)}", f"            {hit.url}"]
    lines += ["", f"{counted(found.found, 'page')} found in {found.took_ms:.1f} ms"]
    return "\n".join(map(printable, lines))


def card_text(card: PageCard) -> str:
    """The card as text."""
    lines = [
        _name(card),
        card.url,
        *(f"also at   {url}" for url in card.variants),
        f"site      {card.site}",
        f"crawled   {_origin(card)}",
        f"language  {card.language or 'unknown'}",
        f"inlinks   {card.inlinks:,}",
        f"terms     {_shares(card.terms)}",
    ]
    for place, subject in enumerate(subjects(card.concepts)):
        words = "".join(text for text, _ in subject_parts(subject))
        lines.append(f"{'' if place else 'concepts':<10}{words}")
    for link in card.linked_from:
        lines += [f"linked    {link.url}", f"          {link.words}"]
    return "\n".join(map(printable, lines))


def captures_text(found: Captures) -> str:
    """The captures of a URL as lines: date, status, kind, media type and place."""
    lines = []
    for each in found:
        date, status = each.date or "no date", "-" if each.status is None else f"{each.status}"
        mark = "  (indexed)" if each.indexed else ""
        place = f"{each.media or '-'}  {each.file} at {each.offset}"
        lines.append(f"{date:<20}  {status:>3}  {each.kind:<8}  {place}{mark}")
    text = "\n".join(map(printable, lines))
    return text or "no capture: the URL was linked to, and not crawled"


def printable_lines(text: str) -> str:
    """Untrusted text of several lines, without other control characters."""
    return "\n".join(map(printable, text.expandtabs().splitlines()))


def _shares(terms: list[TermShare]) -> str:
    return ", ".join(f"{term.term} {term.share:.1%}" for term in terms) or "none"


def comparison_text(found: Comparison) -> str:
    """Two pages side by side, as text."""
    own_rank = f"{found.rank} among the pages related to the first"
    shared = (f"{each.term} {each.one:.1%} and {each.other:.1%}" for each in found.shared)
    lines = [
        f"first        {_name(found.one)}",
        f"             {found.one.url}",
        f"second       {_name(found.other)}",
        f"             {found.other.url}",
        f"score        {found.score:.3f}; {found.why.intersection:.1%} of both pages is shared",
        f"rank         {found.note or own_rank}",
    ]
    for place, each in enumerate(found.about):
        label = "" if place else "both about"
        lines.append(f"{label:<13}{each.term} {each.one:.1%} and {each.other:.1%}")
    lines += [
        f"shared       {', '.join(shared) or 'nothing'}",
        f"only first   {_shares(found.own_one)}",
        f"only second  {_shares(found.own_other)}",
        f"links        first to second: {_quoted(found.link_to_other)}",
        f"             second to first: {_quoted(found.link_to_one)}",
    ]
    for cited in found.why.cited_together_by:
        lines += [f"linked by    {cited.url}", f"             {_quoted(cited.words)}"]
    return "\n".join(map(printable, lines))


def _quoted(words: str | None) -> str:
    return "none" if words is None else f"“{brief(words, QUOTED)}”"


def _origin(card: PageCard) -> str:
    if not card.crawled:
        return "no (not fetched, or its response was skipped)"
    return f"{card.date or 'date unknown'}, {card.file} at {card.offset:,}"


def site_text(site: SitePairs) -> str:
    """A site with its pairs, as text."""
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


def counted(number: int, noun: str) -> str:
    """`1 page`, `2 pages`."""
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


def printable(text: str) -> str:
    """Untrusted text on one line, without control characters."""
    return _CONTROL.sub("\N{REPLACEMENT CHARACTER}", text)
