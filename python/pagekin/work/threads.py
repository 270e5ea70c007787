"""Threads: work in many parts whose results are taken in order, and a queue that they drain."""

from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from contextlib import closing, contextmanager
from typing import TypeVar

from pagekin import _core
from pagekin.work.progress import Progress

__all__ = ["Workers", "drain", "map_by_threads", "map_in_order", "map_to_list", "worker_pool"]

WorkQueue = _core.Queue | _core.StoredPages
"""What threads take their work from until nothing is left."""

P = TypeVar("P")
R = TypeVar("R")
GRACE = 2.0
"""Seconds that a reader which fails waits for its threads: one may wait for a pipe itself."""


def map_by_threads(work: Callable[[P], R], parts: Iterable[P], threads: int) -> Iterator[R]:
    """The results of all parts in order, by threads that are started for them."""
    with ThreadPoolExecutor(threads) as pool:
        yield from map_in_order(pool, 2 * threads, work, parts)


def map_to_list(work: Callable[[P], R], parts: Iterable[P], threads: int) -> list[R]:
    """The results of all parts in order; with one thread the caller does the work itself."""
    if threads == 1:
        return [work(part) for part in parts]
    return [*map_by_threads(work, parts, threads)]


def map_in_threads(threads: int) -> Callable[[Callable[[int], R], Iterable[int]], Iterator[R]]:
    """`map_to_list` with this many threads, as the driver of several kernels."""

    def map_parts(work: Callable[[int], R], parts: Iterable[int]) -> Iterator[R]:
        return iter(map_to_list(work, parts, threads))

    return map_parts


def map_in_order(
    pool: ThreadPoolExecutor, ahead: int, work: Callable[[P], R], parts: Iterable[P]
) -> Generator[R, None, None]:
    """The results of all parts in order, with at most `ahead` parts begun before the next result.

    After an error, or when the caller stops taking results, nothing is left running.
    """
    running: deque[Future[R]] = deque()
    try:
        for part in parts:
            running.append(pool.submit(work, part))
            if len(running) > ahead:
                yield running.popleft().result()
        while running:
            yield running.popleft().result()
    finally:
        for future in running:
            future.cancel()
        wait(running)


def drain(
    queue: WorkQueue,
    work: Callable[[], _core.ExtractSummary],
    crew: tuple[ThreadPoolExecutor, int],
    progress: Progress,
) -> list[_core.ExtractSummary]:
    """Have every thread do the work, which takes from the queue until nothing is left."""
    pool, threads = crew
    running: list[Future[_core.ExtractSummary]] = []
    try:
        running.extend(pool.submit(work) for _ in range(threads))
        _watch(queue, running, progress)
    finally:
        # If one thread fails or the person gives up, the others stop as well.
        queue.cancel()
        wait(running, timeout=GRACE)
    return [future.result() for future in running]


def _watch(
    queue: WorkQueue, running: list["Future[_core.ExtractSummary]"], progress: Progress
) -> None:
    """Pass on how far the threads have come until all are done or one fails."""
    shown, waiting = 0, True
    while waiting:
        waiting = bool(wait(running, timeout=0.1, return_when=FIRST_EXCEPTION).not_done)
        read = queue.bytes
        progress.advance(read - shown)
        shown = read
        for future in running:
            if future.done():
                future.result()


class Workers:
    """Threads that do one stage after another and report progress."""

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
        with closing(map_in_order(self._pool, self._threads + 1, work, parts)) as results:
            for result in results:
                yield result
                self._progress.advance()

    def empty(
        self, queue: WorkQueue, work: Callable[[], _core.ExtractSummary]
    ) -> list[_core.ExtractSummary]:
        """Have every thread do the work, which takes from the queue until nothing is left."""
        return drain(queue, work, (self._pool, self._threads), self._progress)


@contextmanager
def worker_pool(threads: int, progress: Progress) -> Iterator[Workers]:
    """Workers for a block, whose end waits for no thread: each stage has waited for its own."""
    pool = ThreadPoolExecutor(threads)
    try:
        yield Workers(pool, threads, progress)
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
