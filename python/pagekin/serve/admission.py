"""Middleware that decides who may ask: host names, origins, a token, and a rate for each client.

A page on the Internet can give its own name the address 127.0.0.1 (DNS rebinding); a browser then
lets its script read what a service on this machine answers. The header `host` still has the
foreign name. So a service on loopback answers to the names of this machine only, unless it is
told others. A request of another site's script that would change something has a foreign `origin`.
"""

import hmac
import ipaddress
import time
from collections import OrderedDict
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pagekin.errors import Refused
from pagekin.serve.errors import ErrorResponses, problem_of
from pagekin.serve.settings import ServeSettings, read_token

__all__ = ["Admission", "RateLimit", "is_loopback"]

SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
OPEN_PATHS = ("/api/health",)
"""What needs no token and has no rate: whether the process lives."""
CORS = {
    "access-control-allow-methods": "GET, POST",
    "access-control-allow-headers": "authorization, content-type, x-request-id",
    "access-control-max-age": "600",
}
CLIENTS = 10_000
"""Maximum number of clients whose rate is known; who was not seen for longest is forgotten."""


def is_loopback(host: str) -> bool:
    """Whether a host name or literal means this machine and no other can have it."""
    name = host.strip("[]").rstrip(".").lower()
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return name == "localhost" or name.endswith(".localhost")


@dataclass(slots=True)
class RateLimit:
    """A token bucket for each client: `rate` requests a second, and twice as many at once."""

    rate: float
    _clients: OrderedDict[str, tuple[float, float]] = field(default_factory=OrderedDict)

    def admit(self, client: str, now: float) -> bool:
        """Whether the client may ask now."""
        burst = max(2 * self.rate, 1.0)
        left, last = self._clients.pop(client, (burst, now))
        left = min(burst, left + (now - last) * self.rate)
        self._clients[client] = (left - 1 if left >= 1 else left, now)
        if len(self._clients) > CLIENTS:
            self._clients.popitem(last=False)
        return left >= 1


class Admission:
    """An application that answers only to whom it may."""

    def __init__(self, app: ASGIApp, errors: ErrorResponses, settings: ServeSettings) -> None:
        self._app = app
        self._errors = errors
        self._hosts = {_bare(host) for host in settings.allow_host}
        self._any_host = not is_loopback(settings.host) and not self._hosts
        self._hosts.add(settings.host.lower())
        self._origins = frozenset(settings.allow_origin)
        self._token = read_token(settings.token_file) if settings.token_file else None
        rate = settings.limits.rate
        self._rate = RateLimit(rate) if rate else None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        origin = headers.get("origin")
        if origin is not None and self._may_read(origin):
            send = _with_origin(send, origin)
        try:
            self._check(scope, headers, origin)
        except Refused as error:
            await self._errors.response(scope["path"], problem_of(error))(scope, receive, send)
            return
        if scope["method"] == "OPTIONS" and "access-control-request-method" in headers:
            allowed = CORS if origin is not None and self._may_read(origin) else {}
            await Response(status_code=204, headers=allowed)(scope, receive, send)
            return
        await self._app(scope, receive, send)

    def _check(self, scope: Scope, headers: Headers, origin: str | None) -> None:
        if not all(map(self._is_known, headers.getlist("host"))):
            raise Refused(
                "foreign_host",
                "this service does not have the host name of the request",
                advice="use the address that pagekin serve printed; the operator can add names "
                "with --allow-host",
            )
        if scope["path"] in OPEN_PATHS:
            return
        if self._rate is not None and not self._rate.admit(_client(scope), time.monotonic()):
            raise Refused("too_many_requests", "too many requests of this client", advice=_SLOWER)
        is_preflight = scope["method"] == "OPTIONS" and origin is not None
        if self._token is not None and not is_preflight and not self._has_token(headers):
            raise Refused("no_token", "the token is missing or wrong", advice=_BEARER)
        if scope["method"] not in SAFE_METHODS and origin is not None:
            own = headers.get("host", "")
            if not self._may_read(origin) and urlsplit(origin).netloc.lower() != own.lower():
                raise Refused("foreign_origin", "a page of another site asks", advice=_ORIGIN)

    def _is_known(self, host: str) -> bool:
        if self._any_host:
            return True
        name = _bare(host)
        return is_loopback(name) or name in self._hosts

    def _may_read(self, origin: str) -> bool:
        return origin in self._origins or "*" in self._origins

    def _has_token(self, headers: Headers) -> bool:
        kind, _, given = headers.get("authorization", "").partition(" ")
        same = hmac.compare_digest(given.strip().encode(), (self._token or "").encode())
        return kind.lower() == "bearer" and same


_SLOWER = "wait a few seconds between requests"
_BEARER = "send the header Authorization: Bearer TOKEN"
_ORIGIN = "the operator can allow it with --allow-origin"


def _bare(host: str) -> str:
    """A host without its port."""
    name, _, port = host.rpartition(":")
    return (name if port.isdigit() and name else host).rstrip(".").lower()


def _client(scope: Scope) -> str:
    return scope["client"][0] if scope.get("client") else ""


def _with_origin(send: Send, origin: str) -> Send:
    """A `send` whose responses the scripts of this origin may read."""
    added = [(b"access-control-allow-origin", origin.encode("latin-1")), (b"vary", b"origin")]

    async def send_on(message: Message) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [*message.get("headers", []), *added]
        await send(message)

    return send_on
