"""Site graphs on a cluster: what `engines/sites.py` makes in memory, as joins.

    pages -> sites, numbered pages -> links with the sites of both ends -> ranks
                                                                        -> subgraphs, site by site

Pages and sites are known by ids until the tables are written. A page with very many inlinks is
one row on one side of a join and many on the other, which Spark streams; a site is held in
memory whole, by one task (see `minimal.py`).
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING

import pyarrow as pa

from pagekin import _core
from pagekin.engines.spark.cluster.settings import configured
from pagekin.engines.spark.cluster.task import task
from pagekin.engines.spark.graph.minimal import minimal
from pagekin.engines.spark.graph.rank import page_rank
from pagekin.engines.spark.work.columns import signed
from pagekin.engines.spark.work.folder import Folder
from pagekin.engines.spark.work.frames import MANY_ROWS
from pagekin.engines.spark.work.kept import kept

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

__all__ = ["SiteFrames", "site_graphs"]


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
    with configured(pages.sparkSession, {**MANY_ROWS, "spark.sql.shuffle.partitions": str(parts)}):
        return _made(pages, links, work, parts)


def _made(pages: "DataFrame", links: "DataFrame", work: Folder, parts: int) -> SiteFrames:
    named = pages.mapInArrow(task(_named), "id long, site_id long, site string, crawled boolean")
    sites = kept(_numbered(_counted(named, work), "site_id", parts), work, "graph/sites")
    nodes = kept(_nodes(_numbered(named, "id", parts), sites), work, "graph/nodes")
    edges = kept(_edges(links, nodes, parts), work, "graph/edges")
    ranks = page_rank(nodes.select("id"), _page_links(edges), work, "graph/pages")
    site_ranks = page_rank(_site_ids(sites), _site_links(edges), work, "graph/hosts")
    ranked = kept(nodes.join(ranks, "id"), work, "graph/ranked")
    found = kept(minimal(ranked, edges, parts), work, "graph/minimal")
    arcs = nodes.select("id").join(found.select("id", "targets"), "id", "left")
    return SiteFrames(
        ranked.select("id", "number", "site", "rank"),
        kept(arcs.selectExpr("id", "coalesce(targets, array()) as targets"), work, "graph/arcs"),
        kept(_site_table(sites, found, site_ranks), work, "graph/table"),
    )


def _named(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Pages with the ids of their sites' names."""
    for batch in batches:
        site = batch.column("site")
        columns = [batch.column("id"), signed(_core.url_ids(site)), site, batch.column("crawled")]
        yield pa.RecordBatch.from_arrays(columns, names=["id", "site_id", "site", "crawled"])


def _counted(named: "DataFrame", work: Folder) -> "DataFrame":
    """Sites (site_id, name, pages, urls)."""
    each = named.selectExpr("site_id", "site", "cast(crawled as long) as pages", "1L as urls")
    sums = each.groupBy("site_id").agg({"site": "min", "pages": "sum", "urls": "sum"})
    names = ["site_id", "`min(site)` as name", "`sum(pages)` as pages", "`sum(urls)` as urls"]
    return kept(sums.selectExpr(*names), work, "graph/counted")


def _numbered(frame: "DataFrame", key: str, parts: int) -> "DataFrame":
    """Rows with their numbers in the order of a key, which is a hash and so evenly spread."""
    shift = 64 - (parts - 1).bit_length()
    cut = frame.selectExpr("*", f"shiftright({key}, {shift % 64}) as part")
    sizes = sorted((row["part"], row["count"]) for row in cut.groupBy("part").count().collect())
    firsts = [0, *accumulate(size for _, size in sizes)]
    offsets = [(part, first) for (part, _), first in zip(sizes, firsts, strict=False)]
    before = frame.sparkSession.createDataFrame(offsets, "part long, first long").hint("broadcast")
    place = f"row_number() over (partition by part order by {key}) - 1 as within"
    counted = cut.selectExpr("*", place).join(before, "part")
    return counted.selectExpr("*", "first + within as number").drop("part", "first", "within")


def _nodes(pages: "DataFrame", sites: "DataFrame") -> "DataFrame":
    """Pages (id, number, site, name, crawled): `site` is a number."""
    known = sites.selectExpr("site_id", "number as host")
    found = pages.join(known, "site_id")
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
