"""The Spark engine: the same index, built by many machines."""

from pagekin.engines.spark.build import DEFAULT, build
from pagekin.engines.spark.precompute import precompute
from pagekin.engines.spark.session import opened

__all__ = ["DEFAULT", "build", "opened", "precompute"]
