"""A reference implementation, from pages to the tables of an index.

Plain and slow, everything in dictionaries by URL and nothing cut, spilled or hashed together:
the core must give the same rows. Only parsing, stemming and the ids of terms and URLs are the
core's own; they have tests of their own.
"""

import html
import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import count, pairwise
from typing import NamedTuple

from pagekin import _core
from pagekin.strategy import Strategy

TOTAL = 65_535
UNIT = 1024
LINK = 1 << 63
MOST_LINKS = 10_000

PARAGRAPH, CELL, LIST_ITEM, _, SENTENCE_BREAK, HEADING, LIST_END, TABLE_END = (
    1 << bit for bit in range(8)
)
TOPICAL = HEADING | LIST_END | TABLE_END
SYNTACTIC = TOPICAL | PARAGRAPH | CELL | LIST_ITEM | SENTENCE_BREAK
CUTS = {"basic": 0, "topical": TOPICAL, "syntactic": SYNTACTIC}


class Capture(NamedTuple):
    """A page as it was fetched."""

    url: str
    body: bytes
    charset: str | None = None
    date: int | None = None
    file: str = ""
    offset: int = 0


@dataclass(frozen=True)
class Page:
    """A capture that was parsed."""

    capture: Capture
    url: str
    title: str
    language: str | None
    words: list[str]
    title_words: list[str]
    anchors: list[_core.PageAnchor]
    breaks: list[_core.PageBreak]


Pagelet = tuple[str, tuple[str, ...]]
"""A host, and the words between two breaks."""


class LinkRow(NamedTuple):
    """A row of the link table; URLs stand for their ids."""

    target: str
    source: str
    start: int
    first: int
    last: int
    end: int
    template: int


@dataclass
class Tables:
    """The expected tables of an index. Bags are real shares that sum to 1, before quantisation."""

    pages: dict[str, Page]
    urls: set[str]
    inlinks: Counter[str]
    links: list[LinkRow]
    bags: dict[str, dict[int, float]]
    lexicon: dict[int, tuple[str, int]]


def parse(capture: Capture) -> Page | None:
    """The page of a capture; None if its URL is not http."""
    page = _core.parse_page(capture.url, capture.body, capture.charset)
    if page is None:
        return None
    title = _core.parse_page(page.url, html.escape(page.title).encode(), "utf-8")
    title_words = title.words if title else []
    anchors, breaks = page.anchors, page.breaks
    parsed = page.url, page.title, page.language, page.words
    return Page(capture, *parsed, title_words, anchors, breaks)


def latest(pages: Iterable[Page]) -> dict[str, Page]:
    """One page per URL: the latest, then the larger digest, then the first offset."""
    captured: dict[str, list[Page]] = defaultdict(list)
    for page in pages:
        captured[page.url].append(page)
    return {url: min(same, key=_age) if same[1:] else same[0] for url, same in captured.items()}


def _age(page: Page) -> tuple[float, int, str, int]:
    capture = page.capture
    date = -math.inf if capture.date is None else capture.date
    return -date, -_digest(capture.body), capture.file, capture.offset


def _digest(body: bytes) -> int:
    """XXH3 of the bytes, which is also what the id of a URL is."""
    return _core.url_id(body.decode())


def tables(pages: Iterable[Page], strategy: Strategy, wanted: set[str] | None = None) -> Tables:
    """Every table of the index; only the wanted bags, if some are."""
    live = latest(pages)
    maker = Fragments(strategy, templates(live.values(), strategy.template.pages))
    for page in live.values():
        maker.add(page)
    urls = {*live, *(link.target for link in maker.links)}
    inlinks = Counter(target for target, _ in {(link.target, link.source) for link in maker.links})
    frequencies = Counter(term for url in urls for term in maker.terms_of(url))
    bags = {url: weighed(maker, url, frequencies, len(urls), strategy) for url in wanted or urls}
    lexicon = {term: (maker.shown(term), count) for term, count in frequencies.items()}
    return Tables(live, urls, inlinks, maker.links, bags, lexicon)


def pagelets(page: Page) -> list[Pagelet]:
    """For each word of a page, what stands between the two breaks around it."""
    size = len(page.words)
    inside = {each.position for each in page.breaks if 0 < each.position < size}
    cuts = [0, *sorted(inside), size]
    host = _core.site(page.url)
    pieces = [tuple(page.words[start:end]) for start, end in pairwise(cuts)]
    return [(host, piece) for piece in pieces for _ in piece]


def templates(pages: Iterable[Page], least: int) -> set[Pagelet]:
    """What stands on at least so many pages of a host."""
    on_pages = Counter(piece for page in pages for piece in set(pagelets(page)))
    return {piece for piece, count in on_pages.items() if least and count >= least}


class Fragments:
    """The evidence about every URL, added up by kind: content counts, the others in units."""

    def __init__(self, strategy: Strategy, templates: set[Pagelet]) -> None:
        self.strategy = strategy
        self.templates = templates
        self.named: set[tuple[str, Pagelet, tuple[int, ...]]] = set()
        self.kinds: dict[str, dict[str, Counter[int]]] = {
            kind: defaultdict(Counter) for kind, weight in _weights(strategy) if weight
        }
        self.links: list[LinkRow] = []
        self.forms: dict[int, Counter[str]] = defaultdict(Counter)
        core = _core.Strategy(strategy.to_core())
        self.language: str | None = None
        self._term = cache(lambda *word: term.id if (term := _core.term_of(core, *word)) else 0)
        # Words that weigh nothing are no part of a window.
        sides = range(1, strategy.window.size + 1)
        self.reach = sum(self.weight(distance) > 0 for distance in sides)

    def term(self, word: str) -> int:
        """The term of a word of the page that is added, or 0 for a stop word."""
        return self._term(word, self.language)

    def add(self, page: Page) -> None:
        """What a page says of itself, and of the pages it links to."""
        self.language = page.language
        pieces = pagelets(page)
        terms = [(word, piece) for word, piece in zip(page.words, pieces, strict=True)]
        terms = [(word, piece) for word, piece in terms if self.term(word)]
        own = [word for word, piece in terms if piece not in self.templates]
        counting = own or [word for word, _ in terms]
        early = [(word, 0) for word in page.title_words if self.term(word)]
        for word in [*page.words, *page.title_words]:
            if self.term(word):
                self.forms[self.term(word)][word] += 1
        for word, position in [*zip(counting, count(), strict=False), *early]:
            self._count("content", page.url, self.term(word), self.own_weight(position))
        for word in page.title_words:
            self._count("anchor", page.url, self.term(word), self.weight(0))
        outward = [anchor for anchor in page.anchors if anchor.target != page.url][:MOST_LINKS]
        cutting = CUTS[self.strategy.window.kind]
        cuts = {each.position for each in page.breaks if each.kinds & cutting}
        before = len(self.links)
        for anchor in outward:
            window = page, pieces, cuts
            self._add_window(window, anchor.first, anchor.last, anchor.target)
        by_author = (link for link in self.links[before:] if not link.template)
        for target in {link.target for link in by_author}:
            self._count("link", target, _core.url_id(page.url) | LINK, UNIT)

    def _add_window(
        self, window: tuple[Page, list[Pagelet], set[int]], first: int, last: int, target: str
    ) -> None:
        page, pieces, cuts = window
        left, right = self._left(page, cuts, first), self._right(page, cuts, last)
        around = pieces[min(first, len(pieces) - 1)] if pieces else None
        in_template = around in self.templates
        if around is not None and in_template:
            self._add_name(target, around, [*map(self.term, page.words[first:last])])
        else:
            weighed = [(position, self.weight(0)) for position in range(first, last)]
            for side in (left, right):
                weighed += [(at, self.weight(distance)) for distance, at in enumerate(side, 1)]
            for position, weight in weighed:
                if pieces[position] not in self.templates:
                    self._count("anchor", target, self.term(page.words[position]), weight)
        start = left[-1] if left else first
        end = right[-1] + 1 if right else last
        self.links.append(LinkRow(target, page.url, start, first, last, end, int(in_template)))

    def _add_name(self, target: str, template: Pagelet, terms: list[int]) -> None:
        """What a template calls a page, once."""
        named = target, template, tuple(filter(None, terms))
        if named not in self.named:
            self.named.add(named)
            for term in named[2]:
                self._count("anchor", target, term, self.weight(0))

    def _left(self, page: Page, cuts: set[int], gap: int) -> list[int]:
        """Positions of the words before the gap that are not stop words, nearest first."""
        found: list[int] = []
        while gap > 0 and len(found) < self.reach and gap not in cuts:
            gap -= 1
            if self.term(page.words[gap]):
                found.append(gap)
        return found

    def _right(self, page: Page, cuts: set[int], gap: int) -> list[int]:
        """Positions of the words after the gap that are not stop words, nearest first."""
        found: list[int] = []
        while gap < len(page.words) and len(found) < self.reach and gap not in cuts:
            if self.term(page.words[gap]):
                found.append(gap)
            gap += 1
        return found

    def own_weight(self, position: int) -> int:
        """half / (half + position) in units, or one unit."""
        half = self.strategy.lead.half
        return max(UNIT * half // (half + position), 1) if half else UNIT

    def weight(self, distance: int) -> int:
        """log2(32 / (1 + d)) in units."""
        if not self.strategy.window.distance:
            return UNIT
        return max(round(math.log2(32 / (1 + distance)) * UNIT), 0)

    def _count(self, kind: str, url: str, term: int, units: int) -> None:
        if term and units and kind in self.kinds:
            self.kinds[kind][url][term] += units

    def terms_of(self, url: str) -> set[int]:
        """The terms of a URL's bag, of whatever kind."""
        return {term for kind in self.kinds.values() for term in kind.get(url, ())}

    def shown(self, term: int) -> str:
        """The most common form on crawled pages; ties go to the first in the alphabet."""
        forms = self.forms.get(term, Counter())
        return min(forms, key=lambda word: (-forms[word], word), default="")


def weighed(
    maker: Fragments, url: str, frequencies: Counter[int], bags: int, strategy: Strategy
) -> dict[int, float]:
    """The shares of a bag's terms."""
    mixed: dict[int, float] = defaultdict(float)
    for kind, weight in _weights(strategy):
        counted = maker.kinds[kind].get(url, Counter[int]()) if weight else Counter[int]()
        real = {
            term: units / UNIT * factor(frequencies[term], bags, strategy)
            for term, units in counted.items()
        }
        kind_sum = math.fsum(real.values()) if strategy.mix.normalise_kinds else 1.0
        for term, value in real.items():
            mixed[term] += weight * value / kind_sum if kind_sum else 0.0
    total = math.fsum(mixed.values())
    return {term: value / total for term, value in mixed.items()} if total else {}


def _weights(strategy: Strategy) -> Iterator[tuple[str, float]]:
    kinds = strategy.kinds
    yield from (("content", kinds.content), ("anchor", kinds.anchor), ("link", kinds.link))


def factor(df: int, bags: int, strategy: Strategy) -> float:
    """The frequency weight of a term in `df` of `bags` bags."""
    frequency = strategy.frequency
    match frequency.weight:
        case "log":
            return 1 / (1 + math.log2(df))
        case "sqrt":
            return 1 / math.sqrt(df)
        case "nmdf":
            size = math.log(max(bags, 2))
            mean, spread = (frequency.mu or 0) * size, (frequency.sigma or 0) * size
            return math.exp(-0.5 * ((math.log(df) - mean) / spread) ** 2)
        case _:
            return 1.0


def quantised(shares: dict[int, float], total: int = TOTAL) -> dict[int, int]:
    """Integers that sum to `total`: rounded down, and the largest remainders up."""
    integers = {term: math.floor(share * total) for term, share in shares.items()}
    missing = total - sum(integers.values()) if integers else 0
    by_remainder = sorted(shares, key=lambda term: (-(shares[term] * total % 1), term))
    for term in by_remainder[:missing]:
        integers[term] += 1
    return {term: integer for term, integer in integers.items() if integer}
