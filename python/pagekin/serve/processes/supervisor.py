"""The parent process: holds the port, restarts workers, and forwards signals.

SIGTERM and SIGINT stop the service after the running requests, a second SIGINT at once. SIGHUP, or
with `reload` a new manifest on disk, makes every worker load the new index.
"""

import asyncio
import contextlib
import errno
import logging
import os
import signal
import socket
import sys
from asyncio.subprocess import Process
from collections.abc import Callable
from pathlib import Path

from pagekin.errors import EngineError
from pagekin.index.manifest import NAME
from pagekin.serve.metrics import create_memory
from pagekin.serve.settings import ServeSettings

__all__ = ["READY", "Supervisor", "address_of", "bound", "log_to_stderr"]

READY = b"ready"
"""The message of a worker that is ready."""
LONGEST_PAUSE = 30.0
"""Seconds at most between two attempts to replace a worker that does not start."""

BACKLOG = 2048

_log = logging.getLogger("pagekin.serve")


class Supervisor:
    """The workers of a service."""

    def __init__(
        self, settings: ServeSettings, port: socket.socket, ready: Callable[[], None]
    ) -> None:
        """Call `ready` when the first worker answers."""
        self._settings = settings
        self._port = port
        self._ready = ready
        self._workers: set[Process] = set()
        self._stopping = asyncio.Event()
        self._began = False
        self._failed = False
        self._on_terminal = sys.stderr.isatty()
        self._reloads = 0
        self._metrics = create_memory(settings.workers)

    async def run(self) -> None:
        """Serve until a signal stops it; raises if no worker ever starts."""
        loop = asyncio.get_running_loop()
        for each in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(each, self._stop)
        loop.add_signal_handler(signal.SIGHUP, self._hang_up)
        watching = loop.create_task(self._watch())
        try:
            await asyncio.gather(*map(self._keep, range(self._settings.workers)))
        finally:
            watching.cancel()
            os.close(self._metrics)
        if self._failed:
            raise EngineError(
                "no worker of the service could be started", advice="see the log above"
            )

    async def _keep(self, row: int) -> None:
        """Run a worker that counts in this row, and replace it when it ends."""
        pause = 0.0
        while not self._stopping.is_set():
            was_ready, code = await self._one(row)
            if self._stopping.is_set():
                return
            if not self._began:
                self._failed = True
                self._stop()
                return
            pause = 0.0 if was_ready else min(2 * pause + 1, LONGEST_PAUSE)
            _log.error("a worker ended (%s) and is replaced", code)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._stopping.wait(), pause)

    async def _one(self, row: int) -> tuple[bool, int]:
        """Run one worker: returns whether it was ever ready, and how it ended."""
        ours, theirs = socket.socketpair()
        with ours, theirs:
            worker = await self._started(theirs, row)
            theirs.close()
            reloads = self._reloads
            was_ready = await _is_ready(ours)
            if was_ready:
                self._workers.add(worker)
                self._greet(worker, reloads)
            code = await worker.wait()
            self._workers.discard(worker)
        return was_ready, code

    async def _started(self, lifeline: socket.socket, row: int) -> Process:
        """A process of its own group, so that a terminal's signals reach the parent alone."""
        return await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "pagekin.serve.processes.worker",
            str(self._port.fileno()),
            str(lifeline.fileno()),
            str(self._metrics),
            str(row),
            self._settings.to_json(),
            pass_fds=[self._port.fileno(), lifeline.fileno(), self._metrics],
            process_group=0,
        )

    def _greet(self, worker: Process, reloads: int) -> None:
        """Forward the signals that came while the worker started."""
        if self._stopping.is_set():
            worker.terminate()
            return
        if reloads != self._reloads:
            worker.send_signal(signal.SIGHUP)
        if not self._began:
            self._began = True
            self._ready()

    def _stop(self) -> None:
        """Stop every worker gracefully, or at once on a second signal."""
        again = self._stopping.is_set()
        self._stopping.set()
        self._port.close()
        for worker in self._workers:
            with contextlib.suppress(ProcessLookupError):
                worker.kill() if again else worker.terminate()

    def _hang_up(self) -> None:
        """SIGHUP: stop if the terminal was closed, otherwise load a new index."""
        if self._on_terminal and not sys.stderr.isatty():
            self._stop()
        else:
            self._reload()

    def _reload(self) -> None:
        self._reloads += 1
        for worker in self._workers:
            with contextlib.suppress(ProcessLookupError):
                worker.send_signal(signal.SIGHUP)

    async def _watch(self) -> None:
        """Watch the manifests for changes."""
        if not self._settings.reload:
            return
        manifests = [Path(index) / NAME for index in self._settings.indexes]
        seen = [*map(_state, manifests)]
        while True:
            await asyncio.sleep(self._settings.reload)
            now = [_state(path) or before for path, before in zip(manifests, seen, strict=True)]
            if now != seen:
                self._reload()
            seen = now


def _state(path: Path) -> tuple[int, int, int] | None:
    """What changes when a file is replaced; nothing if there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_ino, found.st_size


async def _is_ready(lifeline: socket.socket) -> bool:
    """Wait until the worker is ready, or ends."""
    lifeline.setblocking(False)
    return await asyncio.get_running_loop().sock_recv(lifeline, len(READY)) == READY


_ADVICE = {
    errno.EADDRINUSE: "it is in use: stop the process that uses it, or give another --port",
    errno.EACCES: "ports below 1024 are for root: give another --port",
    errno.EADDRNOTAVAIL: "this machine has no such address: give another --host",
}


def bound(host: str, port: int) -> socket.socket:
    """A socket that listens there, or an error that says why it cannot."""
    if not 0 <= port < 1 << 16:
        raise EngineError(
            "the service cannot listen there",
            where=f"port {port}",
            advice="give a --port below 65536",
        )
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listening = socket.socket(family, kind, protocol)
    except (OSError, UnicodeError) as error:
        raise _cannot(host, port, error) from error
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        listening.listen(BACKLOG)
    except OSError as error:
        listening.close()
        raise _cannot(host, port, error) from error
    return listening


def _cannot(host: str, port: int, error: Exception) -> EngineError:
    advice = _ADVICE.get(getattr(error, "errno", None) or 0, "give another --host or --port")
    return EngineError(
        f"the service cannot listen there ({error})", where=f"{host}:{port}", advice=advice
    )


def address_of(listening: socket.socket) -> str:
    """Where a browser finds the service."""
    host, port = listening.getsockname()[:2]
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def log_to_stderr() -> None:
    """Log lines with time and level; of uvicorn only warnings and errors."""
    form = "%(asctime)s %(levelname)s [%(process)d] %(message)s"
    logging.basicConfig(level=logging.INFO, format=form, stream=sys.stderr)
    logging.getLogger("uvicorn.error").setLevel(logging.ERROR)
    # A log that cannot be written, on a full disk, must not stop the service.
    logging.raiseExceptions = False
