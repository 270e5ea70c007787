"""Middleware that protects both sides: limits on request bodies, safe headers on responses.

Crawled text is hostile. Should any of it ever get past escaping, the browser still runs no script,
and neither loads from nor sends to other hosts.
"""

import asyncio
from dataclasses import dataclass

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pagekin.errors import Refused
from pagekin.serve.errors import ErrorResponses, problem_of

__all__ = ["POLICY", "BodyLimit", "SafeHeaders"]

POLICY = "; ".join(
    [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "font-src 'self'",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    ]
)
HEADERS = [
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=()"),
]


@dataclass(frozen=True, slots=True)
class BodyLimit:
    """Middleware that reads the whole body first, within a size and a time."""

    app: ASGIApp
    errors: ErrorResponses
    max_body: int
    seconds: float

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Read the body, refuse it or pass it on."""
        if scope["type"] != "http" or not _has_body(scope):
            await self.app(scope, receive, send)
            return
        try:
            body = await self._read(scope, receive)
        except Refused as error:
            response = self.errors.response(scope["path"], problem_of(error))
            if error.code == "slow_request":
                response.headers["connection"] = "close"
            await response(scope, receive, send)
            return
        if body is not None:
            await self.app(scope, _given(body, receive), send)

    async def _read(self, scope: Scope, receive: Receive) -> bytes | None:
        """The body, or nothing if the client has gone."""
        if _announced_bytes(scope) > self.max_body:
            raise self._too_large()
        body = bytearray()
        try:
            async with asyncio.timeout(self.seconds):
                while True:
                    message = await receive()
                    if message["type"] == "http.disconnect":
                        return None
                    body += message.get("body", b"")
                    if len(body) > self.max_body:
                        raise self._too_large()
                    if not message.get("more_body", False):
                        return bytes(body)
        except TimeoutError:
            raise Refused(
                "slow_request",
                f"the request was not here within {self.seconds:g} seconds",
                advice="send it faster, or send less",
            ) from None

    def _too_large(self) -> Refused:
        return Refused(
            "body_too_large",
            f"the body has more than {self.max_body:,} bytes",
            advice="send a smaller page or text",
        )


def _has_body(scope: Scope) -> bool:
    return any(name in (b"content-length", b"transfer-encoding") for name, _ in scope["headers"])


def _announced_bytes(scope: Scope) -> int:
    values = [value for name, value in scope["headers"] if name == b"content-length"]
    return max((int(value) for value in values if value.isdigit()), default=0)


def _given(body: bytes, receive: Receive) -> Receive:
    """The messages that the application receives: the body, then the client's next events."""
    left = [_message(body)]

    async def receive_body() -> Message:
        return left.pop() if left else await receive()

    return receive_body


def _message(body: bytes) -> Message:
    return {"type": "http.request", "body": body, "more_body": False}


class SafeHeaders:
    """An application whose every response carries the headers."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, and put the headers on the response."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_safely(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", []), *HEADERS]
            await send(message)

        await self._app(scope, receive, send_safely)
