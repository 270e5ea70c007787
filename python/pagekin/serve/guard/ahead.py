"""Answers made ahead: a worker that nobody asks anything asks itself.

It asks for the related pages of crawled pages, those of the highest rank first, as a client does
who gives a URL and nothing else, and keeps what is answered. It does so only while no request is
under way and there is room: no request waits for more than one such answer, no answer that was
asked for goes for one that was not, and when all room is taken nothing is done any more.
"""

import asyncio
import logging
from urllib.parse import quote

from pagekin.errors import IndexFault
from pagekin.opened import Index
from pagekin.serve.answers.ranked import crawled_by_rank
from pagekin.serve.current import Current
from pagekin.serve.guard.cache import KeptAnswers

__all__ = ["Ahead"]

PAUSE = 0.1
"""Seconds that nobody may have asked anything."""
LEAST = 4096
"""Bytes that an answer takes at least, by which is known how many pages will do."""

_log = logging.getLogger("pagekin.serve")


class Ahead:
    """Fills what room is left for kept answers, and fills it anew after a swap."""

    def __init__(self, kept: KeptAnswers, current: Current, room: int) -> None:
        self._kept = kept
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
            urls = await asyncio.to_thread(crawled_by_rank, index, self._most)
        except IndexFault as error:
            _log.error("no answers are made ahead: %s", error)
            return
        made = 0
        for url in urls:
            await self._silence()
            query = f"url={quote(url, ':/')}".encode()
            if self._swapped.is_set() or not await self._kept.keep("/api/related", query):
                break
            made += 1
        _log.info("answers for %d pages were made ahead", made)

    async def _silence(self) -> None:
        """Wait until nobody has asked anything for a while."""
        while self._kept.silent_for() < PAUSE:
            await asyncio.sleep(PAUSE)
