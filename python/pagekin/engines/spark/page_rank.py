"""PageRank of a graph that is spread over a cluster, by the rule of the core.

    nodes (id, links, gained) -> shares ==join with links==> gained by target -> nodes

A round sends one sum for each target and part. Ranks are integers, so the order of additions does
not matter: the result equals that of the local engine bit for bit. Every round is one job whose
result is stored, so a lost executor costs at most the tasks of one round.
"""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from pagekin import _core
from pagekin.engines.spark.cluster.task import task
from pagekin.engines.spark.frames import materialise_sums
from pagekin.engines.spark.work_folder import Folder

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

__all__ = ["page_rank"]


def page_rank(nodes: "DataFrame", links: "DataFrame", work: Folder, name: str) -> "DataFrame":
    """The rank of every node: (id, rank). Nodes are (id), links (source, target, weight)."""
    # Cached where they are joined, they are not sent again in every round.
    between = links.repartition("source").sortWithinPartitions("source").persist()
    try:
        return _ranked(nodes, between, work, name)
    finally:
        between.unpersist()


def _ranked(nodes: "DataFrame", links: "DataFrame", work: Folder, name: str) -> "DataFrame":
    state, (count, _) = materialise_sums(
        _start(nodes, links), work, f"{name}/start", ["one", "gained"]
    )
    base = _core.PageRank.teleport(0, count)
    for number in range(_core.PageRank.MAX_ROUNDS + 1):
        sums = ["change", "gained"]
        following = _round(state, links, base)
        later, (change, gained) = materialise_sums(following, work, f"{name}/{number:03}", sums)
        # How much a round changed is seen by the next one, so that none needs a second job.
        settled = number > 0 and _core.PageRank.is_settled(change)
        if settled or number == _core.PageRank.MAX_ROUNDS:
            break
        state, base = later, _core.PageRank.teleport(gained, count)
    return state.mapInArrow(task(_fractions, base), "id long, rank double")


def _start(nodes: "DataFrame", links: "DataFrame") -> "DataFrame":
    """Nodes with the weight of the links that leave them, which have gained nothing yet."""
    leaving = links.groupBy("source").agg({"weight": "sum"}).toDF("id", "links")
    found = nodes.join(leaving, "id", "left").fillna(0, ["links"])
    return found.selectExpr("id", "links", "0L as gained", "0L as rank", "1L as one")


def _round(state: "DataFrame", links: "DataFrame", base: int) -> "DataFrame":
    """What every node gains; its `rank` before that, and by how much that had changed."""
    shares = state.filter("links > 0").mapInArrow(task(_shares, base), "source long, share long")
    given = links.join(shares, "source").selectExpr("target as id", "share * weight as share")
    gained = given.groupBy("id").agg({"share": "sum"}).toDF("id", "sum")
    found = state.join(gained, "id", "left")
    rank = f"(gained + {base})"
    new = ["coalesce(sum, 0L) as gained", f"{rank} as rank", f"abs({rank} - rank) as change"]
    return found.selectExpr("id", "links", *new)


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


def _rank(base: int, batch: pa.RecordBatch) -> "pa.Array[Any]":
    return pa.array((batch.column("gained").to_numpy() + base).astype(np.uint64))
