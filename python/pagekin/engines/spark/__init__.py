"""The Spark engine: the same index, built by many machines."""

from pagekin.engines.spark.answer_table import precompute
from pagekin.engines.spark.build import build
from pagekin.engines.spark.cluster.session import open_session

__all__ = ["build", "open_session", "precompute"]
