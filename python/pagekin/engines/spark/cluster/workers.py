"""Python on every core, started while Spark makes the plan of a first stage."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

__all__ = ["SAME_WORKERS", "start_workers"]

SAME_WORKERS = {"spark.sql.execution.pyspark.udf.simplifiedTraceback.enabled": "false"}
"""With this setting steps over DataFrames run in the workers that other jobs have started."""


def start_workers(spark: "SparkSession") -> None:
    """Start a worker on every core; those that are there already have nothing to do.

    The JVM makes a first plan on one core, and Python is imported on another meanwhile.
    """
    context = spark.sparkContext
    cores = context.defaultParallelism
    context.parallelize(range(cores), cores).foreachPartition(_nothing)


def _nothing(_: Iterable[int]) -> None:
    """To know this function a worker imports pagekin."""
