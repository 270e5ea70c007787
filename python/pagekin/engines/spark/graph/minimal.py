"""Roots and minimal subgraphs, by tasks that have whole sites.

A task gets the pages and inner links of its sites in the order of sites and passes them on to
the core a few sites at a time. So it holds `GROUP` rows, or one site if that has more: about
150 bytes for each of its pages and of the links between them.
"""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pagekin import _core
from pagekin.engines.sites import NONE, SitePages, subgraphs
from pagekin.engines.spark.cluster.task import task
from pagekin.engines.spark.work.columns import unsigned

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

__all__ = ["GROUP", "minimal"]

GROUP = 1 << 18
"""Pages and links that are worth a call."""
_COLUMNS = "site long, id long, is_root boolean, targets array<long>"


def minimal(pages: "DataFrame", edges: "DataFrame", parts: int) -> "DataFrame":
    """Of every crawled page (site, id, is_root, targets): the numbers of the pages it leads to."""
    inside = pages.filter("crawled").selectExpr(
        "site", "id", "null as source", "number", "rank", "name"
    )
    links = edges.filter("source_site = target_site").selectExpr(
        "source_site", "target", "source", "null", "null", "null"
    )
    rows = inside.unionAll(links).repartition(parts, "site")
    return rows.sortWithinPartitions("site", "id", "source").mapInArrow(task(_minimal), _COLUMNS)


def _minimal(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    for rows in _whole_sites(batches):
        pages = rows.filter(pc.is_null(rows.column("source")))
        if pages.num_rows:
            yield _of_sites(pages, rows.filter(pc.is_valid(rows.column("source"))))


def _whole_sites(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.Table]:
    """The rows of a few whole sites at a time."""
    held: list[pa.RecordBatch] = []
    count = 0
    for batch in batches:
        sites = batch.column("site").to_numpy()
        held.append(batch)
        count += len(sites)
        last = int(np.searchsorted(sites, sites[-1]))
        alone = len(held) > 1 and held[-2].column("site")[-1].as_py() == int(sites[0])
        if count >= GROUP and (last or not alone):
            held[-1] = batch.slice(0, last)
            yield pa.Table.from_batches(held)
            held, count = [batch.slice(last)], len(sites) - last
    if held:
        yield pa.Table.from_batches(held)


def _of_sites(pages: pa.Table, links: pa.Table) -> pa.RecordBatch:
    ids = _ids(pages, "id")
    order = np.argsort(ids)
    sites, first, site_of = np.unique(
        pages.column("site").to_numpy(), return_index=True, return_inverse=True
    )
    names = [str(name) for name in pages.column("name").take(first).to_pylist()]
    here = SitePages(
        ids[order], site_of.astype(np.uint32)[order], np.ones(len(ids), np.bool_), names
    )
    rank = pages.column("rank").combine_chunks().take(order)
    graph = _core.LinkGraph(pa.array(here.id), [_sorted(links)])
    roots, arcs = subgraphs(graph, here, rank)
    number = pages.column("number").to_numpy()[order]
    columns = [
        pa.array(sites[here.site_of]),
        pages.column("id").combine_chunks().take(order),
        pa.array(np.isin(np.arange(len(ids)), roots[roots != NONE])),
        _renumbered(arcs, number),
    ]
    return pa.RecordBatch.from_arrays(columns, names=["site", "id", "is_root", "targets"])


def _sorted(links: pa.Table) -> pa.RecordBatch:
    """Links by target and source."""
    target, source = _ids(links, "id"), _ids(links, "source")
    order = np.lexsort((source, target))
    columns = [pa.array(target[order]), pa.array(source[order])]
    return pa.RecordBatch.from_arrays(columns, names=["target", "source"])


def _ids(rows: pa.Table, column: str) -> Any:
    return unsigned(rows.column(column).combine_chunks()).to_numpy()


def _renumbered(arcs: Any, number: Any) -> Any:
    """Lists of places here as lists of numbers in the crawl."""
    return pa.ListArray.from_arrays(
        pa.array(arcs.offsets.to_numpy().astype(np.int32)),
        pa.array(number[arcs.values.to_numpy()].astype(np.int64)),
    )
