"""A worker: a process that opens the index and answers what comes through the parent's port.

    python -m pagekin.serve.processes.worker PORT LIFELINE METRICS ROW SETTINGS

PORT and LIFELINE are numbers of open sockets, METRICS that of the counters of all workers, of which
ROW is this one's. Through the lifeline the worker says that it is
ready; when the lifeline breaks, the parent has died and the worker ends too. SIGHUP loads a new
index, SIGTERM stops the worker after the running requests.
"""

import asyncio
import contextlib
import gc
import logging
import os
import signal
import socket
import sys
from collections.abc import Coroutine

import uvicorn
from starlette.types import ASGIApp

from pagekin.errors import PagekinError
from pagekin.serve.api import PATHS
from pagekin.serve.app import cached_app, guard
from pagekin.serve.cache import CacheWarmer
from pagekin.serve.metrics import Metrics
from pagekin.serve.observe import AccessLog
from pagekin.serve.processes.connection import connection_class
from pagekin.serve.processes.supervisor import READY, log_to_stderr
from pagekin.serve.service import ServedIndex, Service
from pagekin.serve.settings import ServeSettings

__all__ = ["main"]

KEEP_ALIVE = 15
"""Seconds that a connection may be idle."""

_log = logging.getLogger("pagekin.serve")


def main(words: list[str]) -> int:
    """Serve until a signal stops it."""
    port, lifeline = (socket.socket(fileno=int(word)) for word in words[:2])
    memory, row = map(int, words[2:4])
    metrics, settings = Metrics(memory, row, PATHS), ServeSettings.from_json(words[4])
    log_to_stderr()
    # Imported modules stay, and an answer is hundreds of objects without cycles: neither is worth
    # a garbage collection after each answer.
    gc.freeze()
    gc.set_threshold(20_000)
    # A thread that explains hits must not keep the event loop from cached answers for long.
    sys.setswitchinterval(0.001)
    for each in (signal.SIGTERM, signal.SIGINT):
        signal.signal(each, lambda *_: None)
    try:
        service = Service.open(settings, metrics)
        log = AccessLog(as_json=settings.json_log) if settings.access_log else None
        cached = cached_app(service)
        guarded = guard(cached, service, log)
    except PagekinError as error:
        _log.error("%s", error)
        return 1
    warmer = CacheWarmer(cached, service.current, settings.cache) if settings.ahead else None
    server = _Server(_config(guarded, settings), service.current, lifeline, warmer)
    server.run(sockets=[port])
    service.pool.close()
    if log is not None:
        log.flush()
    return 0


def _config(app: ASGIApp, settings: ServeSettings) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        http=connection_class(settings.limits),
        ws="none",
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_keep_alive=KEEP_ALIVE,
        timeout_graceful_shutdown=int(settings.limits.seconds) + 5,
    )


class _Server(uvicorn.Server):
    """uvicorn's server, tied to a parent."""

    def __init__(
        self,
        config: uvicorn.Config,
        current: ServedIndex,
        lifeline: socket.socket,
        warmer: CacheWarmer | None = None,
    ) -> None:
        super().__init__(config)
        self._current = current
        self._lifeline = lifeline
        self._warmer = warmer
        self._background: set[asyncio.Task[None]] = set()
        self._one_by_one = asyncio.Lock()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start to answer, and notify the parent."""
        await super().startup(sockets)
        loop = asyncio.get_running_loop()
        loop.add_signal_handler(signal.SIGHUP, self._begin_reload)
        self._lifeline.setblocking(False)
        loop.add_reader(self._lifeline, self._orphaned)
        with contextlib.suppress(OSError):
            self._lifeline.send(READY)
        if self._warmer is not None:
            self._begin(self._warmer.run())

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Cancel background work, then finish running requests."""
        for task in self._background:
            task.cancel()
        await super().shutdown(sockets)

    def _orphaned(self) -> None:
        asyncio.get_running_loop().remove_reader(self._lifeline)
        self.should_exit = True

    def _begin_reload(self) -> None:
        self._begin(self._reload())

    def _begin(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._background.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._background.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            _log.error("an error in the background", exc_info=error)

    async def _reload(self) -> None:
        """Open in a thread, swap between two requests; reloads keep their order."""
        async with self._one_by_one:
            snapshot = await asyncio.to_thread(self._current.open_new)
            if snapshot is not None:
                self._current.swap(snapshot)


if __name__ == "__main__":
    # Exit now: Python would wait for threads whose answers are no longer needed.
    os._exit(main(sys.argv[1:]))
