"""The two steps that stages are made of, over DataFrames."""

from typing import TYPE_CHECKING

from pagekin.engines.spark.cluster.task import Task
from pagekin.engines.spark.exchange import SCHEMA
from pagekin.engines.spark.rows import Fact
from pagekin.engines.spark.work.columns import columns_of

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

__all__ = ["sent", "told"]


def sent(frame: "DataFrame", task: Task, destinations: int) -> "DataFrame":
    """The packets of a task, each where its destination is."""
    return frame.mapInArrow(task, columns_of(SCHEMA)).repartition(destinations, "postcode")


def told(frame: "DataFrame", task: Task, kind: type[Fact]) -> "DataFrame":
    """The facts that a task tells."""
    return frame.mapInArrow(task, columns_of(kind.SCHEMA))
