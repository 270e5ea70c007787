"""The threads of a local build."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from typing import TypeVar

from pagekin import _core
from pagekin.crawl import drain
from pagekin.progress import Progress
from pagekin.threads import in_order

__all__ = ["Workers", "hired"]

P = TypeVar("P")
R = TypeVar("R")


class Workers:
    """Threads that run one stage after another and report their progress."""

    def __init__(self, pool: ThreadPoolExecutor, threads: int, progress: Progress) -> None:
        self._pool = pool
        self._threads = threads
        self._progress = progress

    def map(self, work: Callable[[P], R], parts: Sequence[P], /) -> Iterator[R]:
        """Do the work for each part; results in order.

        A thread that finishes a part early takes another. At most one result more than there are
        threads waits for its turn.
        """
        # Nothing may write any more when a failed build cleans up.
        with closing(in_order(self._pool, self._threads + 1, work, parts)) as results:
            for result in results:
                yield result
                self._progress.advance()

    def empty(
        self, queue: _core.Queue, work: Callable[[], _core.Extracted]
    ) -> list[_core.Extracted]:
        """Have every thread do the work, which takes from the queue until nothing is left."""
        return drain(queue, work, (self._pool, self._threads), self._progress)


@contextmanager
def hired(threads: int, progress: Progress) -> Iterator[Workers]:
    """Workers that end at once: each stage has waited for its own work."""
    pool = ThreadPoolExecutor(threads)
    try:
        yield Workers(pool, threads, progress)
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
