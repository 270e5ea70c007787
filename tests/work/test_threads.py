"""Work by threads: in order, little of it waiting, nothing left running."""

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from pagekin.work.threads import map_by_threads, map_in_order


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_results_keep_the_order_of_parts(threads: int) -> None:
    assert list(map_by_threads(lambda part: part**2, range(100), threads)) == [
        part**2 for part in range(100)
    ]
    assert list(map_by_threads(str, [], threads)) == []


def test_parts_are_taken_only_as_results_are() -> None:
    taken = []

    def parts() -> Iterator[int]:
        for part in range(1000):
            taken.append(part)
            yield part

    results = map_by_threads(lambda part: part, parts(), 2)
    assert next(results) == 0
    assert taken == [0, 1, 2, 3, 4]
    assert list(results) == [*range(1, 1000)]


def test_work_stops_when_results_are_closed() -> None:
    under_way, done = threading.Semaphore(0), []

    def work(part: int) -> int:
        if part:
            under_way.acquire(timeout=5)
        done.append(part)
        return part

    with ThreadPoolExecutor(2) as pool:
        results = map_in_order(pool, 2, work, range(100))
        assert next(results) == 0
        under_way.release(2)
        results.close()
        finished = [*done]
        assert finished[0] == 0 and {*finished} <= {0, 1, 2}
        under_way.release(100)
    assert done == finished


def test_error_is_raised_in_order() -> None:
    results = map_by_threads(lambda part: 12 // part, [4, 3, 0, 1], 2)
    assert [next(results), next(results)] == [3, 4]
    with pytest.raises(ZeroDivisionError):
        next(results)
