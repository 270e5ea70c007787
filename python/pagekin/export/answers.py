"""The related pages of every crawled page, as visitors of a site see them.

Threads answer a few dozen pages at a time, and answers are handed on as they come, so memory does
not grow with the crawl.
"""

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice

from pagekin.export.reasons import reason_words
from pagekin.index import IndexReader
from pagekin.query.explore.show import find_page
from pagekin.query.filters import Filters
from pagekin.query.question import Question, resolve
from pagekin.query.related import FIRST, explain, find
from pagekin.query.titles import page_title
from pagekin.types import Hit
from pagekin.work.threads import map_by_threads

__all__ = ["PageLinks", "RelatedLink", "answers", "crawled_urls"]

PAGES = 32
"""Pages answered at a time; their answers are held in memory."""


@dataclass(frozen=True, slots=True)
class RelatedLink:
    """A related page as a site's visitors see it.

    `terms` are words that both pages have. Where there are none, `linked_by` is the title of a page
    that links to both.
    """

    url: str
    title: str
    site: str
    score: float
    terms: list[str]
    linked_by: str | None
    replay: str | None


@dataclass(frozen=True, slots=True)
class PageLinks:
    """A page and its related pages."""

    title: str
    related: list[RelatedLink]


def answers(
    index: IndexReader, urls: Iterable[str], filters: Filters, threads: int | None
) -> Iterator[tuple[str, PageLinks]]:
    """The answers of pages in order, few of them waiting."""

    def answer(urls: tuple[str, ...]) -> list[tuple[str, PageLinks]]:
        return [(url, _answer(index, url, filters)) for url in urls]

    waiting = iter(urls)
    some = iter(lambda: tuple(islice(waiting, PAGES)), ())
    for found in map_by_threads(answer, some, threads or os.cpu_count() or 1):
        yield from found


def crawled_urls(index: IndexReader) -> Iterator[str]:
    """The addresses of all crawled pages, in order of their ids."""
    for batch in index.tables["pages"].batches():
        crawled = batch.column("url").filter(batch.column("crawled"))
        yield from map(str, crawled.to_pylist())


def _answer(index: IndexReader, url: str, filters: Filters) -> PageLinks:
    question = resolve(index, Question.about(url))
    # As deep as `related` searches: a shallower search may find fewer pages, or others.
    found = find(index, question, replace(filters, k=max(filters.k, FIRST) + 1)).hits
    hits = explain(index, question, found[: filters.k])
    return PageLinks(question.query.title or url, [_link(index, hit) for hit in hits])


def _link(index: IndexReader, hit: Hit) -> RelatedLink:
    words = reason_words(term.term for term in hit.why.terms)
    cited = [] if words else hit.why.cited_together_by[:1]
    return RelatedLink(
        url=hit.url,
        title=hit.title or hit.url,
        site=hit.site,
        score=hit.score,
        terms=words,
        linked_by=next((_title(index, each.url) for each in cited), None),
        replay=hit.replay,
    )


def _title(index: IndexReader, url: str) -> str:
    return page_title(index, find_page(index, url)) or url
