"""Threads that read the sources of one queue, and how far they have come."""

from collections.abc import Callable
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait

from pagekin import _core
from pagekin.progress import Progress

__all__ = ["emptied"]

GRACE = 2.0
"""Seconds that a reader which fails waits for its threads: one may wait for a pipe itself."""


def emptied(
    queue: _core.Queue,
    work: Callable[[], _core.Extracted],
    crew: tuple[ThreadPoolExecutor, int],
    progress: Progress,
) -> list[_core.Extracted]:
    """Have every thread do the work, which takes from the queue until nothing is left."""
    pool, threads = crew
    running = [pool.submit(work) for _ in range(threads)]
    try:
        _watch(queue, running, progress)
    finally:
        # If one thread fails or the person gives up, the others stop as well.
        queue.cancel()
        wait(running, timeout=GRACE)
    return [future.result() for future in running]


def _watch(
    queue: _core.Queue, running: list["Future[_core.Extracted]"], progress: Progress
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
