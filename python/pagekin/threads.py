"""Work for many parts, done by threads and taken in order."""

from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import TypeVar

__all__ = ["by_threads", "each", "in_order"]

P = TypeVar("P")
R = TypeVar("R")


def by_threads(work: Callable[[P], R], parts: Iterable[P], threads: int) -> Iterator[R]:
    """The results of all parts in order, on `threads` new threads."""
    with ThreadPoolExecutor(threads) as pool:
        yield from in_order(pool, 2 * threads, work, parts)


def each(work: Callable[[P], R], parts: Iterable[P], threads: int) -> list[R]:
    """The results of all parts in order; a single thread is the calling one."""
    if threads == 1:
        return [work(part) for part in parts]
    return [*by_threads(work, parts, threads)]


def in_order(
    pool: ThreadPoolExecutor, most: int, work: Callable[[P], R], parts: Iterable[P]
) -> Generator[R, None, None]:
    """The results of all parts in order, with at most this many parts started ahead of the result.

    When the caller stops taking results, or one is an error, nothing is left running.
    """
    running: deque[Future[R]] = deque()
    try:
        for part in parts:
            running.append(pool.submit(work, part))
            if len(running) > most:
                yield running.popleft().result()
        while running:
            yield running.popleft().result()
    finally:
        for future in running:
            future.cancel()
        wait(running)
