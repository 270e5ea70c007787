"""Warm-up: what the JVM and Python do once is done while a session starts, not in the first stage.

A JVM loads six thousand classes for its first plan, on one core, and Python imports for a second.
A session starts on one core too. So another core analyses a plan meanwhile, and then a tiny stage
is run, so that everything is loaded when the first real stage comes.
"""

import importlib
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from threading import Event, Thread
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from pagekin.engines.spark.cluster.jobs import STEPS, configured, spark_errors
from pagekin.engines.spark.cluster.task import task
from pagekin.engines.spark.facts import Count, batch_of, send, tell
from pagekin.engines.spark.shuffle import Inbox, Parcel, packets
from pagekin.engines.spark.work import numbers, scratch

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

__all__ = ["loading", "rehearse", "start_workers"]

LOOK = 0.02
"""Seconds between two checks for a JVM."""


@contextmanager
def loading() -> Iterator[None]:
    """A block in which a context starts; its JVM has loaded what makes plans when it ends."""
    ended = Event()
    thread = Thread(target=_load, args=[ended])
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def _load(ended: Event) -> None:
    """Poll for the JVM, which PySpark does not announce, and let it load classes."""
    context = importlib.import_module("pyspark").SparkContext
    while not ended.wait(LOOK):
        if context._gateway:
            with suppress(TypeError, OSError, *spark_errors()):
                _analysed(context._gateway.jvm)
            return


def _analysed(jvm: Any) -> Any:
    """A plan, analysed without a session.

    These names are not part of Spark's API: if they are missing, the first plan loads the classes.
    """
    jvm.scala.reflect.runtime.package.universe()
    catalyst = jvm.org.apache.spark.sql.catalyst
    return catalyst.analysis.SimpleAnalyzer.execute(catalyst.plans.logical.OneRowRelation())


def rehearse(spark: "SparkSession") -> dict[int, int]:
    """Run a tiny stage with a worker on every core; the number of parcels by destination."""
    cores = spark.sparkContext.defaultParallelism
    with configured(spark, STEPS), ThreadPoolExecutor() as pool:
        started = pool.submit(start_workers, spark)
        posted = send(spark.range(0, cores, 1, cores), task(_send, cores), cores)
        rows = tell(posted, task(_tell), Count).collect()
        started.result()
    return {row["part"]: row["count"] for row in rows}


def start_workers(spark: "SparkSession") -> None:
    """Start a worker on every core; existing workers have nothing to do.

    The JVM makes a first plan on one core, and Python is imported on another meanwhile.
    """
    context = spark.sparkContext
    cores = context.defaultParallelism
    context.parallelize(range(cores), cores).foreachPartition(_nothing)


def _nothing(_: Iterable[int]) -> None:
    """Unpickling this function makes a worker import pagekin."""


def _send(destinations: int, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """A parcel for each destination."""
    for number in numbers(batches):
        parcels = (Parcel(place, number, b"parcel") for place in range(destinations))
        yield from packets(parcels, destinations)


def _tell(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """How many parcels came."""
    with scratch() as folder:
        for destination, parcels in Inbox(folder).take(batches):
            yield batch_of([Count("parcels", destination, len(parcels))])
