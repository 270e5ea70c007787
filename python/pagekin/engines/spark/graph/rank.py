"""PageRank of a graph that is spread over a cluster, by the rule of the core.

    nodes (id, links, gained) -> shares ==join with links==> gained by target -> nodes

A round sends one sum for each target and part. Ranks are whole numbers, so it does not matter
who adds them up first: the result has the bits of the local engine's. Every round is written
down, so a lost executor costs tasks of one round at most.
"""

from collections.abc import Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from pagekin import _core
from pagekin.engines.spark.folder import Folder
from pagekin.engines.spark.kept import kept

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

__all__ = ["page_rank"]


def page_rank(nodes: "DataFrame", links: "DataFrame", work: Folder, name: str) -> "DataFrame":
    """The rank of every node: (id, rank). Nodes are (id), links (source, target, weight)."""
    from pyspark import StorageLevel

    # Cached where they are joined, they are not sent again in every round.
    between = links.repartition("source").sortWithinPartitions("source")
    between = between.persist(StorageLevel.DISK_ONLY)
    try:
        return _ranked(nodes, between, work, name)
    finally:
        between.unpersist()


def _ranked(nodes: "DataFrame", links: "DataFrame", work: Folder, name: str) -> "DataFrame":
    state = kept(_start(nodes, links), work, f"{name}/start")
    count = state.count()
    base = _core.PageRank.everywhere(0, count)
    for number in range(_core.PageRank.MOST_ROUNDS):
        state = kept(_round(state, links, base), work, f"{name}/{number:02}")
        base = _core.PageRank.everywhere(_total(state, "gained"), count)
        if _core.PageRank.is_settled(_total(state, f"abs(gained + {base} - before)")):
            break
        work.within(_last(name, number)).remove()
    return state.mapInArrow(partial(_fractions, base), "id long, rank double")


def _last(name: str, number: int) -> str:
    """What a finished round needs no more."""
    return f"{name}/{number - 1:02}" if number else f"{name}/start"


def _start(nodes: "DataFrame", links: "DataFrame") -> "DataFrame":
    """Nodes with the weight of the links that leave them, that has gained nothing yet."""
    leaving = links.groupBy("source").agg({"weight": "sum"}).toDF("id", "links")
    found = nodes.join(leaving, "id", "left").fillna(0, ["links"])
    return found.selectExpr("id", "links", "0L as gained", "0L as before")


def _round(state: "DataFrame", links: "DataFrame", base: int) -> "DataFrame":
    shares = state.filter("links > 0").mapInArrow(partial(_shares, base), "source long, share long")
    given = links.join(shares, "source").selectExpr("target as id", "share * weight as share")
    gained = given.groupBy("id").agg({"share": "sum"}).toDF("id", "gained")
    held = state.selectExpr("id", "links", f"gained + {base} as before")
    found = held.join(gained, "id", "left").fillna(0, ["gained"])
    return found.select("id", "links", "gained", "before")


def _total(state: "DataFrame", expression: str) -> int:
    row = state.selectExpr(f"coalesce(sum({expression}), 0) as total").first()
    return int(row.total) if row else 0


def _shares(base: int, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        links = pa.array(batch.column("links").to_numpy().astype(np.uint64))
        shares = _core.PageRank.shares(_rank(base, batch), links)
        columns = [batch.column("id"), pa.array(shares.to_numpy().astype(np.int64))]
        yield pa.RecordBatch.from_arrays(columns, names=["source", "share"])


def _fractions(base: int, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        columns = [batch.column("id"), _core.PageRank.fractions(_rank(base, batch))]
        yield pa.RecordBatch.from_arrays(columns, names=["id", "rank"])


def _rank(base: int, batch: pa.RecordBatch) -> "pa.UInt64Array":
    return pa.array((batch.column("gained").to_numpy() + base).astype(np.uint64))
