"""Sources of captures. Reading them is the core's work; naming them is done here."""

from pagekin.crawl.limits import Limits
from pagekin.crawl.sources import Source, resolve_sources

__all__ = ["Limits", "Source", "resolve_sources"]
