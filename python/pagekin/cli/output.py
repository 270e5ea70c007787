"""Cards, comparisons, captures and pairs as text, and what all texts share."""

import json
import os
import re
from collections.abc import Iterable, Iterator

from pagekin.pairs import Pair, PairPage, SitePairs
from pagekin.query import Captures, Comparison, Subject, subjects
from pagekin.query.search import SearchHit
from pagekin.types import Hit, PageCard, TermShare

__all__ = [
    "QUOTED",
    "brief",
    "captures_text",
    "card_text",
    "comparison_text",
    "counted",
    "name_of",
    "print_json",
    "printable",
    "printable_lines",
    "site_text",
    "subject_parts",
]

QUOTED = 100
"""Characters shown of a quotation."""
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]")


def print_json(document: object) -> None:
    """Print one JSON document, with paths as texts."""
    print(json.dumps(document, ensure_ascii=False, default=os.fspath))


def name_of(page: Hit | SearchHit | PageCard) -> str:
    """The title of a page, or why it has none."""
    return page.title or ("(no title)" if page.crawled else "(not crawled)")


def subject_parts(subject: Subject) -> Iterator[tuple[str, str]]:
    """What pages are about and its share, each with its style."""
    yield str(subject), ""
    yield f" {subject.share:.1%}", "dim"


def brief(words: str, length: int) -> str:
    """A quotation with its anchors and as many words around them as fit."""
    parts = words.split(" ")
    anchors = list(_anchors(parts))
    texts = (_around(parts, anchors, aside) for aside in range(8, -1, -1))
    return next((text for text in texts if len(text) <= length), _around(parts, anchors, 0))


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


def card_text(card: PageCard) -> str:
    """The card as text."""
    lines = [
        name_of(card),
        card.url,
        *(f"also at   {url}" for url in card.variants),
        f"site      {card.site}",
        f"crawled   {_origin(card)}",
        f"language  {card.language or 'unknown'}",
        f"inlinks   {card.inlinks:,}",
        f"terms     {_shares(card.terms)}",
    ]
    for place, subject in enumerate(subjects(card.concepts, card.site)):
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
        f"first        {name_of(found.one)}",
        f"             {found.one.url}",
        f"second       {name_of(found.other)}",
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
