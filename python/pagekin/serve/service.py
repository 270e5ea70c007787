"""The state behind requests: settings, snapshots of the index, and a thread pool.

The core releases the GIL while it works, so a few threads answer while the event loop stays free. A
request that would wait too long, or behind too many others, is rejected.
"""

import asyncio
import hashlib
import logging
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Concatenate, Literal, ParamSpec, TypeVar

from starlette.requests import Request

from pagekin import _core
from pagekin._core import VERSION
from pagekin.api import Index
from pagekin.crawl import is_remote
from pagekin.errors import IndexFault, PagekinError, Refused
from pagekin.evaluation.selection.results_table import SweepReport, read_report
from pagekin.index import Manifest
from pagekin.index.several import members_of
from pagekin.serve.metrics import Metrics
from pagekin.serve.settings import ServeSettings

__all__ = ["Asker", "DiskState", "Pool", "ServedIndex", "Service", "Snapshot"]

P = ParamSpec("P")
T = TypeVar("T")


DiskState = Literal["same", "changed", "missing", "damaged"]
"""The state on disk of the served index."""

_log = logging.getLogger("pagekin.serve")


@dataclass(frozen=True, slots=True)
class Snapshot:
    """An index, the report that goes with it, and a name that changes when either does."""

    index: Index
    report: SweepReport | None
    name: str


class ServedIndex:
    """The snapshot for new requests."""

    def __init__(
        self,
        *indexes: str,
        report: str | None = None,
        replay: str | None = None,
        partial: bool = False,
    ) -> None:
        self._paths = indexes
        self._replay, self._partial = replay, partial
        self._report = report
        self.snapshot = self._open()
        self._after_swap: list[Callable[[], None]] = []

    @property
    def index(self) -> Index:
        """The index of the snapshot."""
        return self.snapshot.index

    def after_swap(self, call: Callable[[], None]) -> None:
        """Call this whenever there is another snapshot."""
        self._after_swap.append(call)

    def open_new(self) -> Snapshot | None:
        """A snapshot of the index on disk; None, with a line in the log, if it cannot be used."""
        try:
            return self._open()
        except (PagekinError, OSError) as error:
            _log.error("the new index is refused and the old one stays in use: %s", error)
            return None

    def swap(self, snapshot: Snapshot) -> None:
        """Give this snapshot to the requests to come."""
        self.snapshot = snapshot
        for call in self._after_swap:
            call()
        _log.info("serves %s as of now (%s)", ", ".join(self._paths), snapshot.name)

    def on_disk(self) -> DiskState:
        """Whether the index is still on disk; of several what is worst."""
        served = {str(each.path): each.manifest for each in members_of(self.index.reader)}
        states = {
            _state(path, served.get(str(Path(path)))) for path in self._paths if not is_remote(path)
        }
        return next((state for state in _WORST_FIRST if state in states), "same")

    def _open(self) -> Snapshot:
        index = Index(self._paths, replay=self._replay, partial=self._partial)
        report = read_report(self._report) if self._report is not None else None
        parts = (VERSION, index.reader.manifest.checksum, report.digest if report else "")
        return Snapshot(index, report, hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16])


def _state(index: str, served: Manifest | None) -> DiskState:
    try:
        manifest = Manifest.read(Path(index))
    except IndexFault:
        return "damaged" if Path(index).exists() else "missing"
    return "same" if manifest == served else "changed"


_WORST_FIRST: tuple[DiskState, ...] = ("damaged", "missing", "changed", "same")


class Pool:
    """A thread pool with a bounded queue and a timeout."""

    def __init__(self, threads: int, waiting: int, seconds: float) -> None:
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="answer")
        self._most = threads + waiting
        self._seconds = seconds
        self._running: set[Future[Any]] = set()

    async def run(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """The result of the work, or an error if it is rejected.

        Work that nobody waits for any more ends at the next question to the core.
        """
        if len(self._running) >= self._most:
            raise Refused("overloaded", "too many requests are waiting", advice=_LATER)
        cancellation = _core.Cancellation()

        def cancellable() -> T:
            with cancellation:
                return work(*args, **kwargs)

        future = self._threads.submit(cancellable)
        self._running.add(future)
        future.add_done_callback(self._running.discard)
        try:
            return await asyncio.wait_for(asyncio.wrap_future(future), self._seconds)
        except TimeoutError:
            raise Refused(
                "too_slow", f"no answer within {self._seconds:g} seconds", advice=_SIMPLER
            ) from None
        finally:
            cancellation.cancel()

    def close(self) -> None:
        """Start nothing more."""
        self._threads.shutdown(wait=False, cancel_futures=True)


_LATER = "try again in a few seconds"
_SIMPLER = "try again later, or request less: a smaller k, not exact"


@dataclass(frozen=True, slots=True)
class Service:
    """One worker: its settings, its index, its threads, its counters."""

    settings: ServeSettings
    current: ServedIndex
    pool: Pool
    metrics: Metrics

    @classmethod
    def open(cls, settings: ServeSettings, metrics: Metrics | None = None) -> "Service":
        """Open the index, or raise its fault."""
        limits = settings.limits
        pool = Pool(settings.threads, limits.waiting, limits.seconds)
        current = ServedIndex(
            *settings.indexes,
            report=settings.report,
            replay=settings.replay,
            partial=settings.partial,
        )
        return cls(settings, current, pool, metrics or Metrics.alone())


@dataclass(frozen=True, slots=True)
class Asker:
    """Runs the queries of a request on one snapshot of the index."""

    service: Service
    snapshot: Snapshot

    @classmethod
    def of(cls, request: Request) -> "Asker":
        """The asker of a request."""
        return cls(request.app.state.service, request.scope["pagekin.snapshot"])

    @property
    def settings(self) -> ServeSettings:
        """The settings of the service."""
        return self.service.settings

    def limit(self, name: str, value: int, maximum: int) -> None:
        """Reject a value above a limit of the service."""
        if value > maximum:
            raise Refused("bad_parameter", f"{name}: {value:,}", advice=f"at most {maximum:,}")

    async def ask(
        self, question: Callable[Concatenate[Index, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Answer a question about the index in a thread, within the service's limits."""
        return await self.service.pool.run(question, self.snapshot.index, *args, **kwargs)
