"""The Spark engine: the same index, built by many machines."""

from pagekin.engines.spark.answer_table import precompute
from pagekin.engines.spark.build import DEFAULT, build
from pagekin.engines.spark.cluster.session import opened

__all__ = ["DEFAULT", "build", "opened", "precompute"]
