"""Middleware that gives each request an id, counts it, and writes it to the access log.

The log has the path but not the query, which may be private. Lines are written a few at a time,
and what cannot be written is dropped: a full disk must not stop the service.
"""

import asyncio
import os
import re
import sys
import time
from typing import Any

import orjson
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pagekin.serve.metrics import Metrics

__all__ = ["AccessLog", "Observer"]

ID = re.compile(rb"[A-Za-z0-9._-]{1,128}")
"""An id that a client may choose: nothing that could break a line of a log."""
PAUSE = 0.2
"""Seconds between two writes of the log."""


class AccessLog:
    """Writes a line for each request, as text or as JSON."""

    def __init__(self, *, as_json: bool) -> None:
        self._as_json = as_json
        self._lines: list[str] = []

    def add(self, fields: dict[str, Any]) -> None:
        """Add a request; it is written within a moment."""
        if not self._lines:
            asyncio.get_running_loop().call_later(PAUSE, self.flush)
        self._lines.append(self._line(fields))

    def flush(self) -> None:
        """Write what was added."""
        text, self._lines = "".join(self._lines), []
        try:
            sys.stderr.write(text)
            sys.stderr.flush()
        except OSError:
            return

    def _line(self, fields: dict[str, Any]) -> str:
        moment = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        if self._as_json:
            return orjson.dumps({"time": moment, **fields}).decode() + "\n"
        return (
            f'{moment} {fields["client"]} "{fields["method"]} {fields["path"]}" '
            f"{fields['status']} {fields['bytes']} {fields['ms']:.1f}ms {fields['id']}\n"
        )


class Observer:
    """An application whose requests have ids, are counted and logged."""

    def __init__(self, app: ASGIApp, metrics: Metrics, log: AccessLog | None) -> None:
        self._app = app
        self._metrics = metrics
        self._log = log

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on and observe its response."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        start = time.perf_counter()
        name = _id_of(scope)
        status, size, cached = 499, 0, False

        async def send_on(message: Message) -> None:
            nonlocal status, size, cached
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = message.get("headers", [])
                cached = any(key == b"age" for key, _ in headers)
                message["headers"] = [*headers, (b"x-request-id", name)]
            else:
                size += len(message.get("body", b""))
            await send(message)

        self._metrics.begin()
        try:
            await self._app(scope, receive, send_on)
        finally:
            seconds = time.perf_counter() - start
            self._metrics.end(scope["path"], status, seconds, size, cached=cached)
            if self._log is not None:
                self._log.add(
                    {
                        "client": scope["client"][0] if scope.get("client") else "-",
                        "method": scope["method"],
                        "path": _printable_path(scope),
                        "status": status,
                        "bytes": size,
                        "ms": round(1000 * seconds, 3),
                        "id": name.decode("ascii"),
                    }
                )


def _id_of(scope: Scope) -> bytes:
    """The id that the client or a proxy gave the request, or a new one."""
    for key, value in scope["headers"]:
        if key == b"x-request-id" and ID.fullmatch(value):
            given: bytes = value
            return given
    return os.urandom(8).hex().encode()


def _printable_path(scope: Scope) -> str:
    """The path as it was sent, without the query; no character can end or forge a line."""
    path: bytes = scope.get("raw_path") or scope["path"].encode()
    return ascii(path.partition(b"?")[0].decode("latin-1")[:500])[1:-1].replace('"', "%22")
