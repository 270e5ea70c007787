"""Settings of a session: what steps run with, and how a session gets them for a while."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

from pagekin.engines.spark.exchange import BATCH_PACKETS

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

__all__ = ["SAME_WORKERS", "STEPS", "configured"]

SAME_WORKERS = {"spark.sql.execution.pyspark.udf.simplifiedTraceback.enabled": "false"}
"""With this setting steps over DataFrames run in the workers that other jobs have started."""
STEPS = {
    "spark.sql.execution.arrow.maxRecordsPerBatch": str(BATCH_PACKETS),
    # Every destination has its task, and a job is one job.
    "spark.sql.adaptive.enabled": "false",
    # Packets are few and large: code made for each step takes longer to make than it saves.
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    **SAME_WORKERS,
}
"""For steps whose rows are packets."""


@contextmanager
def configured(spark: "SparkSession", settings: Mapping[str, str]) -> Iterator[None]:
    """The session with some settings, and then as it was."""
    before = {name: spark.conf.get(name) for name in settings}
    for name, value in settings.items():
        spark.conf.set(name, value)
    try:
        yield
    finally:
        for name, known in before.items():
            spark.conf.set(name, known or "")
