"""Sources of captures. Reading them is the core's work; naming them is done here."""

from pagekin.crawl.feed import Feed, feeding
from pagekin.crawl.limits import Limits
from pagekin.crawl.reading import emptied
from pagekin.crawl.sources import Source, changes_of, resolve_sources, sizes_of

__all__ = [
    "Feed",
    "Limits",
    "Source",
    "changes_of",
    "emptied",
    "feeding",
    "resolve_sources",
    "sizes_of",
]
