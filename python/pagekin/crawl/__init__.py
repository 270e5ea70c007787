"""Sources of captures: resolves what users name. The core reads them."""

from pagekin.crawl.feed import Feed, open_feed
from pagekin.crawl.remote import is_remote, read_range
from pagekin.crawl.sources import (
    Source,
    SourceName,
    changes_of,
    is_index,
    read_names,
    resolve_sources,
    sizes_of,
)

__all__ = [
    "Feed",
    "Source",
    "SourceName",
    "changes_of",
    "is_index",
    "is_remote",
    "open_feed",
    "read_names",
    "read_range",
    "resolve_sources",
    "sizes_of",
]
