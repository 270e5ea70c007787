"""What the crawl has of one site: its main pages, dates, languages and subjects.

Dates and languages are counted in at most `COUNTED` pages: those with the smallest ids, which are
hashes, so that they are as good as drawn at random.
"""

import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from pagekin import _core
from pagekin.arrays import Numbers, numbers
from pagekin.dates import iso_date
from pagekin.errors import UnknownSite
from pagekin.index import IndexReader
from pagekin.query.explore.crawl_subjects import CrawlSubject, subjects_of
from pagekin.query.explore.sites import sites
from pagekin.query.selection import PageSelection, host_of, selected_rows
from pagekin.query.titles import page_title
from pagekin.types import Paging

__all__ = ["SiteCard", "SitePage", "site"]

COUNTED = 1 << 14
"""Pages whose dates and languages are counted."""
SUBJECTS = 16
"""Subjects at most."""
SUGGESTED = 3
"""Sites that are named for one that is not there."""


@dataclass(frozen=True, slots=True)
class SitePage:
    """A page of a site."""

    url: str
    title: str | None
    date: str | None
    language: str | None
    replay: str | None


@dataclass(frozen=True, slots=True)
class SiteCard:
    """A site: how much of it was crawled, when, in which languages, what it is about, and a part of
    its pages, those of the highest PageRank first.

    `linked` counts its pages that are only linked to. `months` has the number of pages
    by the month of their capture, `languages` by language; both count `counted` pages.
    """

    site: str
    home: str
    title: str | None
    pages: int
    linked: int
    months: dict[str, int]
    languages: dict[str, int]
    counted: int
    subjects: list[CrawlSubject]
    main_pages: list[SitePage]
    paging: Paging
    took_ms: float


def site(index: IndexReader, name: str, *, k: int = 20, offset: int = 0) -> SiteCard:
    """The card of a site, given by its host or by a URL on it; an unknown site is an error."""
    start = time.perf_counter()
    with index.blaming():
        number, row = _find_site(index, name)
        home = index.tables["pages"].find(row["root"])
        if home is None:
            raise index.tables["sites"].corrupt("a site has no root")
        rows, ranks = _pages_of(index, number)
        best = rows[np.argsort(-ranks, kind="stable")]
        sample = [*map(index.searcher.page_meta, index.place(rows[:COUNTED]))]
        return SiteCard(
            site=row["site"],
            home=home["url"],
            title=home["title"],
            pages=row["pages"],
            linked=row["urls"] - row["pages"],
            months=dict(sorted(_counts(_month(page) for page in sample).items())),
            languages=dict(_counts(page.language for page in sample).most_common()),
            counted=len(sample),
            subjects=subjects_of(index, rows, SUBJECTS),
            main_pages=[_page(index, place) for place in index.place(best[offset : offset + k])],
            paging=Paging.of(offset, k, len(best)),
            took_ms=round((time.perf_counter() - start) * 1000, 3),
        )


def _find_site(index: IndexReader, name: str) -> tuple[int, dict[str, Any]]:
    """The number of a site in the table of sites, and its row."""
    host = host_of(name)
    key, before = np.uint64(_core.url_id(host or "")), 0
    for batch in index.tables["sites"].batches():
        ids = numbers(batch.column("id"))
        at = int(np.searchsorted(ids, key))
        if at < len(ids) and ids[at] == key and (row := batch.slice(at, 1).to_pylist()[0])["pages"]:
            return before + at, row
        before += len(ids)
    near = [
        each.site for each in sites(index, (host or name).removeprefix("www."), k=SUGGESTED).sites
    ]
    hint = f"did you mean {' or '.join(near)}? " if near else ""
    raise UnknownSite(name, advice=f"{hint}see the list of sites")


def _pages_of(index: IndexReader, number: int) -> tuple[Numbers, Numbers]:
    """The rows of the crawled pages of a site, and their PageRank."""
    crawled = selected_rows(index, PageSelection().to_core())
    rows, ranks, before = [], [], 0
    for batch in index.tables["ranks"].batches():
        own = np.flatnonzero(numbers(batch.column("site")) == number)
        own = own[crawled[before + own]]
        rows.append(before + own)
        ranks.append(numbers(batch.column("rank"))[own])
        before += batch.num_rows
    return np.concatenate(rows), np.concatenate(ranks)


def _month(page: _core.PageMeta) -> str | None:
    date = iso_date(page.date)
    return date and date[: len("2024-05")]


def _counts(values: Iterable[str | None]) -> Counter[str]:
    return Counter(value for value in values if value)


def _page(index: IndexReader, place: _core.PageRef) -> SitePage:
    meta = index.searcher.page_meta(place)
    return SitePage(
        url=meta.url,
        title=page_title(index, place),
        date=iso_date(meta.date),
        language=meta.language,
        replay=index.replay_of(meta),
    )
