"""The Spark engine: the same index, built by many machines."""

from pagekin.engines.spark.build import build
from pagekin.engines.spark.session import opened

__all__ = ["build", "opened"]
