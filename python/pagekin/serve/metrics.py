"""Counters of all workers in shared memory, and their text for Prometheus.

    row of a worker: requests by label and status class, histogram of seconds, sum, bytes, hits

The parent makes the memory, a file that each worker maps. A worker only adds to its own row, so
there is no lock; whichever worker is asked sums all rows. A worker that replaces another goes on
with its row, so counters never fall.
"""

import bisect
import mmap
import os
import tempfile
from collections.abc import Iterator, Sequence

import numpy as np

from pagekin._core import VERSION

__all__ = ["Metrics", "create_memory"]

COMMON = ("/metrics", "pages", "other")
"""Labels beside the paths of the API. Paths that a client invents are `other`, so that they cannot
fill the memory."""
MAX_LABELS = 32
CLASSES = ("1xx", "2xx", "3xx", "4xx", "5xx")
BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
_SECONDS = MAX_LABELS * len(CLASSES)
_SUM = _SECONDS + len(BUCKETS) + 1
_BYTES, _HITS, _STARTED = _SUM + 1, _SUM + 2, _SUM + 3
COLUMNS = _SUM + 4
_WIDTH = 8


def create_memory(workers: int) -> int:
    """The number of an open file for the counters of this many workers."""
    if hasattr(os, "memfd_create"):
        memory = os.memfd_create("pagekin-metrics")
    else:
        with tempfile.TemporaryFile() as file:
            memory = os.dup(file.fileno())
    os.truncate(memory, workers * COLUMNS * _WIDTH)
    return memory


class Metrics:
    """The counters of one worker, and the sums of all."""

    def __init__(self, memory: int, row: int, paths: Sequence[str] = ()) -> None:
        """The counters in an open file; `row` is that of this worker. The same `paths` of the API
        must be given to each worker."""
        self._labels = (*COMMON, *paths)[:MAX_LABELS]
        self._places = {label: at * len(CLASSES) for at, label in enumerate(self._labels)}
        self._all = np.frombuffer(mmap.mmap(memory, 0), np.uint64).reshape(-1, COLUMNS)
        self._own = memoryview(self._all[row])

    @classmethod
    def alone(cls) -> "Metrics":
        """Counters of a process that shares them with no other."""
        memory = create_memory(1)
        try:
            return cls(memory, 0)
        finally:
            os.close(memory)

    def begin(self) -> None:
        """A request was accepted."""
        self._own[_STARTED] += 1

    def end(self, path: str, status: int, seconds: float, size: int, *, cached: bool) -> None:
        """A request was answered."""
        own = self._own
        place = self._places.get(path)
        if place is None:
            is_page = not path.startswith("/api") and status != 404
            place = self._places["pages" if is_page else "other"]
        own[place + min(max(status // 100, 1), 5) - 1] += 1
        own[_SECONDS + bisect.bisect_left(BUCKETS, seconds)] += 1
        own[_SUM] += round(seconds * 1_000_000)
        own[_BYTES] += size
        own[_HITS] += cached

    def text(self, pages: int, urls: int, index: str) -> str:
        """All counters in Prometheus' text format, with the size of the served index."""
        return "\n".join(self._lines(pages, urls, index)) + "\n"

    def _lines(self, pages: int, urls: int, index: str) -> Iterator[str]:
        total = self._all.sum(axis=0)
        requests = total[:_SECONDS].reshape(MAX_LABELS, len(CLASSES))
        yield from _head("requests_total", "counter", "Requests by path and status class.")
        for label, counts in zip(self._labels, requests.tolist(), strict=False):
            for kind, count in zip(CLASSES, counts, strict=True):
                if count:
                    yield f'pagekin_requests_total{{path="{label}",status="{kind}"}} {count:.0f}'
        yield from _head("request_seconds", "histogram", "Time from the head to the last byte.")
        for bound, count in zip(
            [*map(str, BUCKETS), "+Inf"], np.cumsum(total[_SECONDS:_SUM]).tolist(), strict=True
        ):
            yield f'pagekin_request_seconds_bucket{{le="{bound}"}} {count:.0f}'
        yield f"pagekin_request_seconds_sum {total[_SUM] / 1_000_000:.6f}"
        yield f"pagekin_request_seconds_count {requests.sum():.0f}"
        yield from _head("response_bytes_total", "counter", "Bytes of bodies.")
        yield f"pagekin_response_bytes_total {total[_BYTES]:.0f}"
        yield from _head("cache_hits_total", "counter", "Answers from the cache.")
        yield f"pagekin_cache_hits_total {total[_HITS]:.0f}"
        yield from _head("requests_running", "gauge", "Requests without an answer yet.")
        yield f"pagekin_requests_running {max(int(total[_STARTED]) - int(requests.sum()), 0):.0f}"
        yield from _head("workers", "gauge", "Worker processes.")
        yield f"pagekin_workers {len(self._all)}"
        yield from _head("index_pages", "gauge", "Crawled pages of the served index.")
        yield f"pagekin_index_pages {pages}"
        yield from _head("index_urls", "gauge", "URLs of the served index.")
        yield f"pagekin_index_urls {urls}"
        yield from _head("info", "gauge", "Version, and the name of the served index.")
        yield f'pagekin_info{{version="{VERSION}",index="{index}"}} 1'


def _head(name: str, kind: str, help_text: str) -> tuple[str, str]:
    return f"# HELP pagekin_{name} {help_text}", f"# TYPE pagekin_{name} {kind}"
