"""Verifies the site graphs and the postings of an index against its pages and links.

Ranks and arcs are computed again by the same kernels and must be equal bit for bit. It follows that
the arcs have no cycle and stay within their site.
"""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np
import pyarrow as pa

from pagekin import _core
from pagekin.arrays import Numbers, array
from pagekin.index import IndexReader
from pagekin.index.tables.mapped import corrupt

__all__ = ["check"]

NONE = 0xFFFFFFFF


def check(index: IndexReader) -> None:
    """Raise an error for the first fault."""
    _Check(index).run()


class _Check:
    """The columns of all pages and sites, and their invariants."""

    def __init__(self, index: IndexReader) -> None:
        self.index = index
        self.id = self._all("pages", "id")
        self.crawled = self._all("pages", "crawled")
        self.site_of = self._all("ranks", "site")
        self.sites = self._all("sites", "id")
        # Two sites may have one id, by forgery.
        self.names = pa.concat_arrays([b.column("site") for b in self._batches("sites")])

    def _all(self, table: str, column: str) -> Numbers:
        parts = [batch.column(column) for batch in self._batches(table)]
        return np.concatenate([part.to_numpy(zero_copy_only=False) for part in parts])

    def _batches(self, table: str) -> Iterator[pa.RecordBatch]:
        return self.index.tables[table].batches()

    def _must(self, true: Any, table: str, what: str) -> None:
        if not true:
            raise corrupt(self.index.path, f"the table of {table} is wrong: {what}")

    def run(self) -> None:
        """Run all checks, in an order in which each can rely on those before."""
        for table in ("ranks", "arcs"):
            same = np.array_equal(self._all(table, "id"), self.id)
            self._must(same, table, "its pages differ from those of the index")
        self._must((self.site_of < len(self.sites)).all(), "ranks", "a page has an unknown site")
        named = pairwise(zip(self.sites.tolist(), self.names.to_pylist(), strict=True))
        rising = all(one < following for one, following in named)
        self._must(rising, "sites", "they are out of order")
        roots = self._check_sites()
        self._check_graph(roots)
        self._check_postings()

    def _check_sites(self) -> Numbers:
        """The root page of each site, after a check of the sites."""
        ids = np.array(_core.url_ids(self.names))
        self._must((ids == self.sites).all(), "sites", "an id is not that of the name")
        start = 0
        for batch in self._batches("pages"):
            sites = self.names.take(array(self.site_of[start : start + batch.num_rows]))
            same = sites.equals(batch.column("site"))
            self._must(same, "ranks", "a page has the wrong site")
            start += batch.num_rows
        for column, pages in (("pages", self.site_of[self.crawled]), ("urls", self.site_of)):
            counted = np.bincount(pages, minlength=len(self.sites))
            same = (self._all("sites", column) == counted).all()
            self._must(same, "sites", f"a number of {column} is wrong")
        columns = [batch.column("root") for batch in self._batches("sites")]
        ids = np.concatenate([column.fill_null(0).to_numpy() for column in columns])
        there = np.concatenate([column.is_valid().to_numpy(False) for column in columns])
        has_pages = self._all("sites", "pages") > 0
        self._must((there == has_pages).all(), "sites", "a root is missing or too many")
        place = np.minimum(np.searchsorted(self.id, ids), len(self.id) - 1)
        own = (self.id[place] == ids) & self.crawled[place]
        own &= self.site_of[place] == np.arange(len(self.sites))
        self._must(own[there].all(), "sites", "a root is not a crawled page of its site")
        return np.where(there, place, NONE).astype(np.uint32)

    def _check_graph(self, roots: Numbers) -> None:
        links = [batch.select(["target", "source"]) for batch in self._batches("links")]
        graph = _core.LinkGraph(pa.array(self.id), links)
        for table, ranks in (
            ("ranks", graph.page_ranks()),
            ("sites", graph.site_ranks(pa.array(self.site_of), len(self.sites))),
        ):
            same = np.array_equal(self._all(table, "rank"), ranks.to_numpy())
            self._must(same, table, "a PageRank does not match the links")
        inside = np.where(self.crawled, self.site_of, np.uint32(NONE))
        arcs = graph.minimal(pa.array(inside), pa.array(roots)).column("targets")
        start = 0
        for batch in self._batches("arcs"):
            same = batch.column("targets").equals(arcs.slice(start, batch.num_rows))
            self._must(same, "arcs", "they differ from the minimal subgraphs of the links")
            start += batch.num_rows

    def _check_postings(self) -> None:
        last = -1
        for batch in self._batches("postings"):
            terms = batch.column("term").to_numpy()
            rising = _is_ascending(terms) and int(terms[0]) > last
            self._must(rising, "postings", "terms are out of order")
            last = int(terms[-1])
            self._check_lists(*(_list(batch, name) for name in ("pages", "content", "anchor")))

    def _check_lists(self, pages: Any, content: Any, anchor: Any) -> None:
        ends = pages.offsets.to_numpy()
        same = all(np.array_equal(ends, other.offsets.to_numpy()) for other in (content, anchor))
        self._must(same and (np.diff(ends) > 0).all(), "postings", "a list is empty or too short")
        page, counted = pages.values.to_numpy(), content.values.to_numpy()
        self._must((page < len(self.id)).all(), "postings", "a page is beyond the index")
        place = self.site_of[page].astype(np.int64) << 32 | page
        rising = np.diff(place) > 0
        rising[ends[1:-1] - 1] = True
        self._must(rising.all(), "postings", "a list is not sorted by site and page")
        occurs = (counted > 0) | (anchor.values.to_numpy() > 0)
        self._must(occurs.all(), "postings", "a page is listed for a word that it does not have")
        own = self.crawled[page] | (counted == 0)
        self._must(own.all(), "postings", "a page that was not crawled has words of its own")


def _is_ascending(ids: Numbers) -> bool:
    return bool((ids[1:] > ids[:-1]).all())


def _list(batch: pa.RecordBatch, column: str) -> Any:
    return batch.column(column)
