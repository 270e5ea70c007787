"""The sites of a crawl by their number of pages, their PageRank or their name."""

import time
from dataclasses import dataclass
from typing import Any, Literal

import pyarrow as pa
import pyarrow.compute as pc

from pagekin.errors import InputError
from pagekin.index import IndexReader
from pagekin.query.explore.overview import SiteSummary
from pagekin.types import Paging

__all__ = ["ORDERS", "SiteList", "sites"]

ORDERS = ("pages", "rank", "name")
"""By which sites can be ordered."""
_KEYS: dict[str, list[tuple[str, Literal["ascending", "descending"]]]] = {
    "pages": [("pages", "descending"), ("rank", "descending"), ("site", "ascending")],
    "rank": [("rank", "descending"), ("site", "ascending")],
    "name": [("site", "ascending")],
}


@dataclass(frozen=True, slots=True)
class SiteList:
    """A part of the sites that have crawled pages; `found` is how many there are in all."""

    sites: list[SiteSummary]
    found: int
    paging: Paging
    took_ms: float


def sites(
    index: IndexReader, q: str = "", *, order: str = "pages", k: int = 50, offset: int = 0
) -> SiteList:
    """The sites whose name contains `q`, all without it: `k` of them, from `offset` on."""
    start = time.perf_counter()
    if order not in ORDERS:
        raise InputError(
            f"{order!r} is not {', '.join(ORDERS)}",
            source="order",
            advice=f"give one of {', '.join(ORDERS)}",
        )
    with index.blaming():
        found = _crawled(index, q.strip())
        part = range(found.num_rows)[offset : offset + k]
        rows = pc.sort_indices(found, sort_keys=_KEYS[order]).slice(part.start, len(part))
        listed = [_summary(index, row) for row in found.take(rows).to_pylist()]
    took = round((time.perf_counter() - start) * 1000, 3)
    return SiteList(listed, found.num_rows, Paging.of(offset, k, found.num_rows), took)


def _crawled(index: IndexReader, q: str) -> pa.Table:
    """The rows of the sites with crawled pages whose name contains a text."""
    table = index.tables["sites"].scan(["site", "pages", "root", "rank"])
    wanted = pc.greater(table.column("pages"), pa.scalar(0, pa.uint32()))
    if q:
        text = q.encode("utf-8", "replace").decode("utf-8")
        named = pc.match_substring(table.column("site"), text, ignore_case=True)
        wanted = pc.and_(wanted, named)
    # Each of several indexes has a row of its own.
    found = table.filter(wanted).group_by("site", use_threads=False)
    columns = found.aggregate([("pages", "sum"), ("root", "first"), ("rank", "max")])
    return columns.rename_columns(["site", "pages", "root", "rank"])


def _summary(index: IndexReader, row: dict[str, Any]) -> SiteSummary:
    home = index.tables["pages"].find(row["root"])
    if home is None:
        raise index.tables["sites"].corrupt("a site has no root")
    return SiteSummary(row["site"], home["url"], home["title"], row["pages"])
