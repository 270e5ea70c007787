"""The threads of a local build."""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from typing import TypeVar

from pagekin import _core
from pagekin.progress import Progress

__all__ = ["Workers", "hired"]

P = TypeVar("P")
R = TypeVar("R")

GRACE = 2.0
"""Seconds that a build which fails waits for its threads: one may wait for a pipe itself."""


class Workers:
    """So many threads, which do one stage after another and report how far they have come."""

    def __init__(self, pool: ThreadPoolExecutor, threads: int, progress: Progress) -> None:
        self._pool = pool
        self._threads = threads
        self._progress = progress

    def map(self, work: Callable[[P], R], parts: Sequence[P], /) -> Iterator[R]:
        """Do the work for each part; results in order, few of them waiting."""
        running: deque[Future[R]] = deque()
        try:
            for part in parts:
                running.append(self._pool.submit(work, part))
                if len(running) > self._threads:
                    yield running.popleft().result()
                    self._progress.advance()
            while running:
                yield running.popleft().result()
                self._progress.advance()
        finally:
            # Nothing may still write when a build that failed clears up.
            wait(running)

    def empty(
        self, queue: _core.Queue, work: Callable[[], _core.Extracted]
    ) -> list[_core.Extracted]:
        """Have every thread do the work, which takes from the queue until nothing is left."""
        running = [self._pool.submit(work) for _ in range(self._threads)]
        try:
            self._watch(queue, running)
        finally:
            # If one thread fails or the person gives up, the others stop as well.
            queue.cancel()
            wait(running, timeout=GRACE)
        return [future.result() for future in running]

    def _watch(self, queue: _core.Queue, running: list["Future[_core.Extracted]"]) -> None:
        """Pass on how far the threads have come until all are done or one fails."""
        shown, waiting = 0, True
        while waiting:
            waiting = bool(wait(running, timeout=0.1, return_when=FIRST_EXCEPTION).not_done)
            read = queue.bytes
            self._progress.advance(read - shown)
            shown = read
            for future in running:
                if future.done():
                    future.result()


@contextmanager
def hired(threads: int, progress: Progress) -> Iterator[Workers]:
    """Workers whose end waits for nobody: each stage has waited for its own work."""
    pool = ThreadPoolExecutor(threads)
    try:
        yield Workers(pool, threads, progress)
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
