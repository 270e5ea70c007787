"""An index at an address, opened through a copy of its tables in a local cache."""

from pagekin.index.remote.cache import TableCache, local_copy

__all__ = ["TableCache", "local_copy"]
