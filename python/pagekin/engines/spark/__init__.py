"""The Spark engine: the same index, built by many machines."""

from pagekin.engines.spark.build import DEFAULT, build
from pagekin.engines.spark.cluster.session import opened
from pagekin.engines.spark.precompute import precompute

__all__ = ["DEFAULT", "build", "opened", "precompute"]
