"""One connection of a client, which may be slow, silent, endless or gone.

uvicorn itself waits forever for the head of a request and accepts any size. Here both have a limit,
and errors before there is a request have the same shape as all others.
"""

import asyncio
from typing import Any, cast

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from pagekin.serve.errors import Problem
from pagekin.serve.settings import RequestLimits

__all__ = ["connection_class"]

LINGER = 30.0
"""Seconds that a client has to read the rest of its response."""


class Connection(HttpToolsProtocol):
    """A connection under limits."""

    limits: RequestLimits

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.url = b""
        self._head_bytes = 0
        self._in_head = True
        self._refused = False
        self._patience: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """A client connected; it may be rejected at once."""
        super().connection_made(cast("asyncio.Transport", transport))
        if len(self.connections) > self.limits.connections:
            self._refuse(_CROWDED)
            self.transport.close()
        else:
            self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """The client is gone."""
        self._stop_waiting()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Something came."""
        if self._refused:
            return
        super().data_received(data)
        if self.transport.is_closing():
            return
        if self._in_head:
            self._head_bytes += len(data)
            if self._head_bytes > self.limits.head:
                self._refuse(self._oversized())
                return
        if self._patience is None and (self._in_head or self._idle()):
            self._wait()

    def on_message_begin(self) -> None:
        """A request begins."""
        self._in_head = True
        self._head_bytes = 0
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """All of the head is there."""
        if self._refused:
            return
        self._in_head = False
        self._stop_waiting()
        size = len(self.url) + sum(len(name) + len(value) for name, value in self.headers)
        if size > self.limits.head:
            self._refuse(self._oversized())
        else:
            super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """A part of the body is there."""
        if not self._refused:
            super().on_body(body)

    def on_message_complete(self) -> None:
        """All of the request is there."""
        if not self._refused:
            self._stop_waiting()
            super().on_message_complete()

    def on_response_complete(self) -> None:
        """The response has started. Clients that keep sending or do not read have limited time."""
        unread = self.cycle.more_body
        super().on_response_complete()
        if self.transport.is_closing():
            self._linger()
        elif unread:
            self._wait()

    def timeout_keep_alive_handler(self) -> None:
        """Nothing more is asked."""
        super().timeout_keep_alive_handler()
        self._linger()

    def send_400_response(self, msg: str) -> None:
        """Answer bytes that are not HTTP."""
        self._refuse(Problem("malformed_request", msg, "send HTTP/1.1"))

    def _idle(self) -> bool:
        """Whether the connection is idle, without a running or an announced request.

        An empty line between two requests, or the rest of a body after its answer, ends uvicorn's
        own wait and begins no request.
        """
        return self.cycle.response_complete and self.timeout_keep_alive_task is None

    def _oversized(self) -> Problem:
        excess = f"more than {self.limits.head:,} bytes"
        if len(self.url) > self.limits.head // 2:
            return Problem("url_too_long", f"the URL has {excess}", "send a text by POST")
        return Problem("head_too_large", f"the head of the request has {excess}", "send less")

    def _wait(self) -> None:
        """Start the timeout for what the client sends next."""
        self._stop_waiting()
        self._patience = self.loop.call_later(self.limits.seconds, self._too_slow)

    def _linger(self) -> None:
        """Start the timeout for the client to read its response."""
        self._stop_waiting()
        self._patience = self.loop.call_later(LINGER, self.transport.abort)

    def _stop_waiting(self) -> None:
        if self._patience is not None:
            self._patience.cancel()
            self._patience = None

    def _too_slow(self) -> None:
        """On a timeout, a client with half a request gets an error; a silent one does not."""
        if self._in_head and self._head_bytes:
            self._refuse(_SLOW)
        else:
            self.transport.abort()

    def _refuse(self, problem: Problem) -> None:
        """Send the error, and let the client send on for a while: it may read only after that."""
        self._refused = True
        body = problem.to_json()
        head = (
            b"content-type: application/json\r\ncontent-length: %d\r\n"
            b"connection: close\r\n\r\n" % len(body)
        )
        self.transport.write(STATUS_LINE[problem.status] + head + body)
        self.transport.write_eof()
        self._linger()


_CROWDED = Problem("overloaded", "too many connections", "try again in a few seconds")
_SLOW = Problem("slow_request", "the head of the request did not come in time", "send it faster")


def connection_class(limits: RequestLimits) -> type[asyncio.Protocol]:
    """The class of connections that keep these limits."""
    return type("LimitedConnection", (Connection,), {"limits": limits})
