"""Cache warming: an idle worker computes answers before they are requested.

It computes the related pages of crawled pages, those of the highest PageRank first, like a request
with a URL and no other parameter. It does so only while no request is running and the cache has
room: no request waits for more than one such answer, and no requested answer is evicted for one.
"""

import asyncio
import logging
from urllib.parse import quote

from pagekin.errors import IndexFault
from pagekin.opened import Index
from pagekin.query.overview import crawled_by_rank
from pagekin.serve.current import Current
from pagekin.serve.guard.cache import CachedApp

__all__ = ["CacheWarmer"]

PAUSE = 0.1
"""Seconds without a request after which a worker is idle."""
LEAST = 4096
"""Minimum size of an answer in bytes, which bounds the number of pages to compute."""

_log = logging.getLogger("pagekin.serve")


class CacheWarmer:
    """Fills the room that is left in the cache, and again after a new snapshot."""

    def __init__(self, cached: CachedApp, current: Current, room: int) -> None:
        self._cached = cached
        self._current = current
        self._most = room // LEAST
        self._swapped = asyncio.Event()
        current.after_swap(self._swapped.set)

    async def run(self) -> None:
        """Go on until cancelled."""
        while True:
            self._swapped.clear()
            await self._fill(self._current.index)
            await self._swapped.wait()

    async def _fill(self, index: Index) -> None:
        try:
            urls = await asyncio.to_thread(crawled_by_rank, index.reader, self._most)
        except IndexFault as error:
            _log.error("no answers are computed ahead: %s", error)
            return
        made = 0
        for url in urls:
            await self._idle()
            query = f"url={quote(url, ':/')}".encode()
            if self._swapped.is_set() or not await self._cached.warm("/api/related", query):
                break
            made += 1
        _log.info("answers for %d pages were computed ahead", made)

    async def _idle(self) -> None:
        """Wait until the worker has been idle for a while."""
        while self._cached.idle_seconds() < PAUSE:
            await asyncio.sleep(PAUSE)
