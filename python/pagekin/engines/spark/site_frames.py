"""Site graphs on a cluster: what `engines/site_graphs.py` makes in memory, as joins.

    pages -> sites, numbered pages -> links with the sites of both ends -> ranks
                                                                        -> subgraphs, site by site

Pages and sites are known by ids until the tables are written. A page with very many inlinks is
one row on one side of a join and many on the other, which Spark streams.

Roots and minimal subgraphs are made by tasks that have whole sites. A task gets the pages and inner
links of its sites in the order of sites and passes them on to the core a few sites at a time. So it
holds `GROUP` rows, or one site if that has more: about 150 bytes for each of its pages and of the
links between them.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pagekin import _core
from pagekin.engines.site_graphs import NONE, SitePages, subgraphs
from pagekin.engines.spark.cluster.jobs import use_settings
from pagekin.engines.spark.cluster.task import task
from pagekin.engines.spark.frames import MANY_ROWS, materialise, signed, unsigned
from pagekin.engines.spark.page_rank import page_rank
from pagekin.engines.spark.work_folder import Folder

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

__all__ = ["GROUP", "SiteFrames", "minimal", "site_graphs"]


@dataclass(frozen=True, slots=True)
class SiteFrames:
    """Three tables of the index, in no order.

    ranks (id, number, site, rank): `number` is the page's row, `site` that of its site;
    arcs (id, targets); sites (id, site, pages, urls, root, rank).
    """

    ranks: "DataFrame"
    arcs: "DataFrame"
    sites: "DataFrame"


def site_graphs(pages: "DataFrame", links: "DataFrame", work: Folder, parts: int) -> SiteFrames:
    """The graphs of all sites.

    Pages are (id, site, crawled), links (target, source), which may repeat.
    """
    with use_settings(
        pages.sparkSession, {**MANY_ROWS, "spark.sql.shuffle.partitions": str(parts)}
    ):
        return _made(pages, links, work, parts)


def _made(pages: "DataFrame", links: "DataFrame", work: Folder, parts: int) -> SiteFrames:
    named = pages.mapInArrow(
        task(_name_sites), "id long, site_id long, site string, crawled boolean"
    )
    sites = materialise(
        _number_rows(_count_sites(named, work), "site_id", parts, "name"), work, "graph/sites"
    )
    nodes = materialise(_nodes(_number_rows(named, "id", parts), sites), work, "graph/nodes")
    edges = materialise(_edges(links, nodes, parts), work, "graph/edges")
    ranks = page_rank(nodes.select("id"), _page_links(edges), work, "graph/pages")
    site_ranks = page_rank(_site_ids(sites), _site_links(edges), work, "graph/hosts")
    ranked = materialise(nodes.join(ranks, "id"), work, "graph/ranked")
    found = materialise(minimal(ranked, edges, parts), work, "graph/minimal")
    arcs = nodes.select("id").join(found.select("id", "targets"), "id", "left")
    return SiteFrames(
        ranked.select("id", "number", "site", "rank"),
        materialise(
            arcs.selectExpr("id", "coalesce(targets, array()) as targets"), work, "graph/arcs"
        ),
        materialise(_site_table(sites, found, site_ranks), work, "graph/table"),
    )


def _name_sites(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Pages with the ids of their sites' names."""
    for batch in batches:
        site = batch.column("site")
        columns = [batch.column("id"), signed(_core.url_ids(site)), site, batch.column("crawled")]
        yield pa.RecordBatch.from_arrays(columns, names=["id", "site_id", "site", "crawled"])


def _count_sites(named: "DataFrame", work: Folder) -> "DataFrame":
    """Sites (site_id, name, pages, urls)."""
    each = named.selectExpr("site_id", "site", "cast(crawled as long) as pages", "1L as urls")
    sums = each.groupBy("site_id", "site").agg({"pages": "sum", "urls": "sum"})
    names = ["site_id", "site as name", "`sum(pages)` as pages", "`sum(urls)` as urls"]
    return materialise(sums.selectExpr(*names), work, "graph/counted")


def _number_rows(frame: "DataFrame", key: str, parts: int, *names: str) -> "DataFrame":
    """Rows with their numbers in the order of a key, which is a hash and so evenly spread, and of
    names: hashes may be forged to be equal."""
    shift = 64 - (parts - 1).bit_length()
    cut = frame.selectExpr("*", f"shiftright({key}, {shift % 64}) as part")
    sizes = sorted((row["part"], row["count"]) for row in cut.groupBy("part").count().collect())
    firsts = [0, *accumulate(size for _, size in sizes)]
    offsets = [(part, first) for (part, _), first in zip(sizes, firsts, strict=False)]
    before = frame.sparkSession.createDataFrame(offsets, "part long, first long").hint("broadcast")
    keys = ", ".join((key, *names))
    place = f"row_number() over (partition by part order by {keys}) - 1 as within"
    counted = cut.selectExpr("*", place).join(before, "part")
    return counted.selectExpr("*", "first + within as number").drop("part", "first", "within")


def _nodes(pages: "DataFrame", sites: "DataFrame") -> "DataFrame":
    """Pages (id, number, site, name, crawled): `site` is a number."""
    known = sites.selectExpr("site_id", "name as site", "number as host")
    found = pages.join(known, ["site_id", "site"])
    return found.selectExpr("id", "number", "host as site", "site as name", "crawled")


def _edges(links: "DataFrame", nodes: "DataFrame", parts: int) -> "DataFrame":
    """Each link once: (source, target, source_site, target_site)."""
    once = links.repartition(parts, "target").dropDuplicates(["target", "source"])
    targets = nodes.selectExpr("id as target", "site as target_site")
    sources = nodes.selectExpr("id as source", "site as source_site")
    found = once.join(targets, "target").join(sources, "source")
    return found.select("source", "target", "source_site", "target_site")


def _page_links(edges: "DataFrame") -> "DataFrame":
    return edges.selectExpr("source", "target", "1L as weight")


def _site_ids(sites: "DataFrame") -> "DataFrame":
    return sites.selectExpr("number as id")


def _site_links(edges: "DataFrame") -> "DataFrame":
    """A link for each two sites, with the number of links between their pages."""
    between = edges.filter("source_site != target_site").groupBy("source_site", "target_site")
    return between.count().toDF("source", "target", "weight")


def _site_table(sites: "DataFrame", found: "DataFrame", ranks: "DataFrame") -> "DataFrame":
    roots = found.filter("is_root").selectExpr("site as number", "id as root")
    ranked = sites.join(ranks.withColumnRenamed("id", "number"), "number")
    table = ranked.join(roots, "number", "left")
    return table.selectExpr("site_id as id", "name as site", "pages", "urls", "root", "rank")


GROUP = 1 << 18
"""Pages and links that are worth a call."""
_COLUMNS = "site long, id long, is_root boolean, targets array<long>"


def minimal(pages: "DataFrame", edges: "DataFrame", parts: int) -> "DataFrame":
    """For every crawled page (site, id, is_root, targets): the numbers of the pages it links to."""
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
    members = SitePages(
        ids[order], site_of.astype(np.uint32)[order], np.ones(len(ids), np.bool_), names
    )
    rank = pages.column("rank").combine_chunks().take(order)
    graph = _core.LinkGraph(pa.array(members.id), [_sort(links)])
    roots, arcs = subgraphs(graph, members, rank)
    number = pages.column("number").to_numpy()[order]
    columns = [
        pa.array(sites[members.site_of]),
        pages.column("id").combine_chunks().take(order),
        pa.array(np.isin(np.arange(len(ids)), roots[roots != NONE])),
        _renumber(arcs, number),
    ]
    return pa.RecordBatch.from_arrays(columns, names=["site", "id", "is_root", "targets"])


def _sort(links: pa.Table) -> pa.RecordBatch:
    """Links by target and source."""
    target, source = _ids(links, "id"), _ids(links, "source")
    order = np.lexsort((source, target))
    columns = [pa.array(target[order]), pa.array(source[order])]
    return pa.RecordBatch.from_arrays(columns, names=["target", "source"])


def _ids(rows: pa.Table, column: str) -> Any:
    return unsigned(rows.column(column).combine_chunks()).to_numpy()


def _renumber(arcs: Any, number: Any) -> Any:
    """Lists of places here as lists of numbers in the crawl."""
    return pa.ListArray.from_arrays(
        pa.array(arcs.offsets.to_numpy().astype(np.int32)),
        pa.array(number[arcs.values.to_numpy()].astype(np.int64)),
    )
