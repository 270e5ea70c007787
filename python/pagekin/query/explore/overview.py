"""An overview of a crawl: counts, and its sites and pages by PageRank."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from pagekin.index import IndexReader

__all__ = ["EntryPage", "Overview", "SiteSummary", "crawled_by_rank", "overview", "top_rows"]

LISTED = 8
CANDIDATES = 64
"""Number of highest-ranked pages and sites from which the listed ones are chosen."""
MOST_RANKED = 1 << 18
"""Number of highest-ranked pages among which crawled ones are searched."""

ROW = np.dtype([("rank", np.float64), ("batch", np.uint32), ("row", np.uint32)])
RankedRows = npt.NDArray[np.void]


@dataclass(frozen=True, slots=True)
class SiteSummary:
    """A site with crawled pages."""

    site: str
    home: str
    title: str | None
    pages: int


@dataclass(frozen=True, slots=True)
class EntryPage:
    """A page of high PageRank."""

    url: str
    title: str
    site: str


@dataclass(frozen=True, slots=True)
class Overview:
    """The counts of an index, the weights that were fitted to the crawl, and its sites and pages of
    highest PageRank."""

    pages: int
    linked: int
    sites: int
    links: int
    terms: int
    fitted: dict[str, float]
    best_sites: list[SiteSummary]
    best_pages: list[EntryPage]


def overview(index: IndexReader) -> Overview:
    """An overview of the index. It reads the rank of every page."""
    counts = index.counts
    with index.blaming():
        sites = len(index.tables["sites"].scan(["site"]).column(0).unique())
        return Overview(
            pages=counts["pages"],
            linked=counts["bags"] - counts["pages"],
            sites=sites,
            links=counts["links"],
            terms=counts["terms"],
            fitted=index.fitted.changes_from(index.strategy),
            best_sites=list(_sites(index))[:LISTED] if sites > 1 else [],
            best_pages=list(_pages(index))[:LISTED],
        )


def _sites(index: IndexReader) -> Iterator[SiteSummary]:
    for number, row in top_rows(index, "sites", CANDIDATES):
        site = index.tables["sites"].batch(number).slice(row, 1).to_pylist()[0]
        home = site["root"] and index.tables["pages"].find(site["root"])
        if site["pages"] and home:
            yield SiteSummary(site["site"], home["url"], home["title"], site["pages"])


def _pages(index: IndexReader) -> Iterator[EntryPage]:
    for number, row in top_rows(index, "ranks", CANDIDATES):
        key = index.tables["ranks"].batch(number).column("id")[row].as_py()
        page = index.tables["pages"].find(key)
        if page and page["crawled"] and page["title"]:
            yield EntryPage(page["url"], page["title"], page["site"])


def top_rows(index: IndexReader, table: str, most: int) -> list[tuple[int, int]]:
    """The `most` rows of highest rank, as batch and row, best first."""
    rows: RankedRows = np.empty(0, ROW)
    for number, batch in enumerate(index.tables[table].batches()):
        rows = np.concatenate([rows, _rows(number, batch)])
        if len(rows) > 2 * most:
            rows = _best(rows, most)
    best = _best(rows, most)
    return [*zip(best["batch"].tolist(), best["row"].tolist(), strict=True)]


def crawled_by_rank(index: IndexReader, most: int) -> list[str]:
    """The URLs of crawled pages, those of highest rank first."""
    searcher, ranks = index.searcher, index.tables["ranks"]
    with index.blaming():
        best = top_rows(index, "ranks", MOST_RANKED)
        ids = (ranks.batch(number).column("id")[row].as_py() for number, row in best)
        found = (page for page in map(searcher.find, ids) if page is not None)
        pages = map(searcher.page_meta, found)
        return [*islice((page.url for page in pages if page.crawled), most)]


def _rows(number: int, batch: pa.RecordBatch) -> RankedRows:
    rows = np.empty(batch.num_rows, ROW)
    rows["rank"] = batch.column("rank").to_numpy()
    rows["batch"] = number
    rows["row"] = np.arange(batch.num_rows)
    return rows


def _best(rows: RankedRows, most: int) -> RankedRows:
    """The best rows; ties keep their order."""
    return rows[np.argsort(-rows["rank"], kind="stable")[:most]]
