"""Every page's related pages, by many machines: a join of the index with itself."""

from pagekin.engines.spark.precompute.table import precompute

__all__ = ["precompute"]
