"""The site graphs of a crawl whose links are in no one's memory."""

from pagekin.engines.spark.graph.sites import SiteFrames, site_graphs

__all__ = ["SiteFrames", "site_graphs"]
