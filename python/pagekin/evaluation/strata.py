"""Strata of query pages: measures by in-degree, length, language, crawled or not; and whether the
directory's pages are like the crawl's.

Editors list pages that are linked to more often, and longer ones. Post-stratification (Holt and
Smith 1979) says what the measures would be on pages like those of the crawl: query pages of a cell,
a band of in-degree and of length, count by the share of the crawl's pages that the cell has. Cells
without a query page are left out, and how much of the crawl the others cover is told.

A new property of pages is a column of `PageProperties` and an entry in `groupings`.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pagekin.evaluation.counts import Counts, Flags, PooledCounts
from pagekin.evaluation.measures import ORDERINGS, RELATIONS, Gamma, K, Measure, Precision
from pagekin.evaluation.ranked import Score
from pagekin.evaluation.truths.matching import BANDS, Bounds, band_names
from pagekin.index import IndexReader

__all__ = [
    "LENGTHS",
    "BandShare",
    "PageProperties",
    "PropertyComparison",
    "Representation",
    "Stratum",
    "page_properties",
    "represent",
    "strata",
]

Ids = np.ndarray[Any, np.dtype[np.uint64]]
Whole = np.ndarray[Any, np.dtype[np.int64]]
Real = np.ndarray[Any, np.dtype[np.float64]]
Codes = np.ndarray[Any, np.dtype[np.str_]]

LENGTHS: tuple[Bounds, ...] = ((0, 0), (1, 99), (100, 299), (300, 999), (1000, 2999), (3000, None))
"""Bands of length: the fewest and the most words of a page; one that was not crawled has none."""


@dataclass(frozen=True, slots=True)
class PageProperties:
    """What is known of each page, in order of ids: whether it was crawled, inlinks, words, and the
    code of its language, or nothing."""

    ids: Ids
    crawled: Flags
    inlinks: Whole
    length: Whole
    language: Codes

    def only(self, wanted: Flags) -> "PageProperties":
        """Some of the pages."""
        return PageProperties(
            self.ids[wanted],
            self.crawled[wanted],
            self.inlinks[wanted],
            self.length[wanted],
            self.language[wanted],
        )

    def groupings(self) -> dict[str, list[tuple[str, Flags]]]:
        """By property, the groups of pages: name, and which pages are in it."""
        return {
            "inlinks": _within(self.inlinks, BANDS),
            "length": _within(self.length, LENGTHS),
            "crawled": [("crawled", self.crawled), ("only linked to", ~self.crawled)],
            "language": self._by_language(),
        }

    def _by_language(self) -> list[tuple[str, Flags]]:
        """The crawled pages of each language, the most common first; then those of none that is
        known."""
        codes, counts = np.unique(self.language[self.crawled], return_counts=True)
        known = [code for code in codes[np.argsort(-counts, kind="stable")].tolist() if code]
        groups = [(code, self.crawled & (self.language == code)) for code in known]
        return [*groups, ("unknown", self.crawled & (self.language == ""))]


def page_properties(index: IndexReader) -> PageProperties:
    """The properties of every URL of an index."""
    table = index.tables["pages"].scan(["id", "crawled", "inlinks", "length", "language"])
    ids, crawled, inlinks, words = (column.to_numpy() for column in table.columns[:4])
    return PageProperties(
        ids,
        crawled.astype(bool),
        inlinks.astype(np.int64),
        words.astype(np.int64),
        np.array([code or "" for code in table.column("language").to_pylist()], dtype="U2"),
    )


def _within(values: Whole, bands: Sequence[Bounds]) -> list[tuple[str, Flags]]:
    place = _band_of(values, bands)
    return [(name, place == number) for number, name in enumerate(band_names(bands))]


def _band_of(values: Whole, bands: Sequence[Bounds]) -> Whole:
    """The number of the band of each value; bands rise and leave no gap."""
    starts = np.array([least for least, _ in bands])
    return (np.searchsorted(starts, values, side="right") - 1).astype(np.int64)


@dataclass(frozen=True, slots=True)
class Stratum:
    """The strict Γ and the precision of the query pages of one group."""

    name: str
    pages: int
    sibling: float | None
    cousin: float | None
    unrelated: float | None
    precision_at_10: float | None


def strata(counts: Counts, pages: PageProperties) -> dict[str, list[Stratum]]:
    """The measures of the query pages of each group, by property; groups without any are left
    out."""
    return {
        name: [
            _stratum(group, pooled)
            for group, within in groups
            if (pooled := counts.where(within)).queries[0]
        ]
        for name, groups in pages.groupings().items()
    }


def _stratum(name: str, pooled: PooledCounts) -> Stratum:
    sibling, cousin, unrelated = (
        _number(pooled.measure(Gamma(relation))[0]) for relation in RELATIONS
    )
    precision = _number(pooled.measure(Precision(K))[0])
    return Stratum(name, int(pooled.queries[0]), sibling, cousin, unrelated, precision)


def _number(value: float) -> float | None:
    return None if math.isnan(value) else float(value)


@dataclass(frozen=True, slots=True)
class BandShare:
    """The share of the query pages, and of the crawled pages, that are in a band."""

    name: str
    queries: float
    crawl: float


@dataclass(frozen=True, slots=True)
class PropertyComparison:
    """How query pages and crawled pages differ in one property."""

    median_queries: float
    median_crawl: float
    bands: list[BandShare]


@dataclass(frozen=True, slots=True)
class Representation:
    """How the query pages that were crawled differ from all crawled pages, and the measures that
    pages like those of the crawl would have. `covered` is the share of the crawled pages that are
    in a cell with a query page."""

    queries: int
    crawl: int
    inlinks: PropertyComparison
    length: PropertyComparison
    covered: float
    reweighted: dict[str, Score]


def represent(
    counts: Counts, pages: PageProperties, crawl: PageProperties
) -> Representation | None:
    """Compare the query pages with the crawl; None if no query page was crawled.

    `pages` are those of the counts, in their order, and `crawl` all of the index.
    """
    asked = (counts.pages.queries > 0) & pages.crawled
    if not asked.any():
        return None
    queries, every = pages.only(asked), crawl.only(crawl.crawled)
    share = _shares(every) / np.maximum(_shares(queries), 1e-300)
    share[_shares(queries) == 0] = 0
    weights = np.where(asked, share[_cells(pages)], 0.0)
    weighted = counts.weighted(weights)
    measures: tuple[Measure, ...] = (*map(Gamma, ORDERINGS), Precision(K))
    return Representation(
        queries=int(asked.sum()),
        crawl=len(every.ids),
        inlinks=_compare(queries.inlinks, every.inlinks, BANDS),
        length=_compare(queries.length, every.length, LENGTHS),
        covered=float(_shares(every)[_shares(queries) > 0].sum()),
        reweighted={
            str(measure): Score(value, weighted.interval(measure))
            for measure in measures
            if not math.isnan(value := float(weighted.all().measure(measure)[0]))
        },
    )


def _cells(pages: PageProperties) -> Whole:
    """The cell of each page: its band of in-degree and of length."""
    return _band_of(pages.inlinks, BANDS) * len(LENGTHS) + _band_of(pages.length, LENGTHS)


def _shares(pages: PageProperties) -> Real:
    """The share of the pages that each cell has."""
    counted = np.bincount(_cells(pages), minlength=len(BANDS) * len(LENGTHS))
    return (counted / len(pages.ids)).astype(np.float64)


def _compare(queries: Whole, crawl: Whole, bands: Sequence[Bounds]) -> PropertyComparison:
    shares = (
        np.bincount(_band_of(values, bands), minlength=len(bands)) / len(values)
        for values in (queries, crawl)
    )
    return PropertyComparison(
        float(np.median(queries)),
        float(np.median(crawl)),
        [
            BandShare(name, float(one), float(other))
            for name, one, other in zip(band_names(bands), *shares, strict=True)
        ],
    )
