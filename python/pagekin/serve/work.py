"""Questions are answered by a few threads, so that the event loop stays free.

The core works with Python's lock released. What waits too long, or behind too many, is refused.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, ParamSpec, TypeVar

from pagekin.errors import Refused

__all__ = ["Pool"]

P = ParamSpec("P")
T = TypeVar("T")


class Pool:
    """So many threads, and so many that may wait for one."""

    def __init__(self, threads: int, waiting: int, seconds: float) -> None:
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="answer")
        self._most = threads + waiting
        self._seconds = seconds
        self._under_way: set[Future[Any]] = set()

    async def run(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """What the work returns, or a refusal.

        Work that has begun cannot be stopped: it goes on to its end and nobody waits for it.
        """
        if len(self._under_way) >= self._most:
            raise Refused("overloaded", "too many requests wait already", advice=_LATER)
        future = self._threads.submit(work, *args, **kwargs)
        self._under_way.add(future)
        future.add_done_callback(self._under_way.discard)
        try:
            return await asyncio.wait_for(asyncio.wrap_future(future), self._seconds)
        except TimeoutError:
            raise Refused(
                "too_slow", f"no answer within {self._seconds:g} seconds", advice=_SIMPLER
            ) from None

    def close(self) -> None:
        """Begin nothing more."""
        self._threads.shutdown(wait=False, cancel_futures=True)


_LATER = "try again in a few seconds"
_SIMPLER = "try again later, or ask for less: a smaller k, not exact"
