"""A cache of responses: least recently used out first, compressed, keyed by URL and snapshot.

The answer to a GET depends on its URL and on the snapshot of the index only. Answers that were
computed ahead and never requested are evicted first; a new snapshot empties the cache. `took_ms`
stays what the computation took; a cached response has the header `age`.

An idle worker warms the cache: it computes answers before they are requested. It computes the start
page, then the related pages of crawled pages, those of the highest PageRank first, like a request
with a URL and no other parameter. It does so only while no request is running and the cache has
room: no request waits for more than one such answer, and no requested answer is evicted for one.
"""

import asyncio
import hashlib
import logging
import math
import time
import zlib
from collections import OrderedDict
from dataclasses import dataclass
from urllib.parse import quote

from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pagekin.api import Index
from pagekin.errors import IndexFault
from pagekin.query.explore.overview import crawled_by_rank
from pagekin.serve.service import ServedIndex, Snapshot

__all__ = ["AnswerCache", "CacheWarmer", "CachedApp"]

OVERHEAD = 1024
"""Estimated bytes of an entry besides its key and its body."""
PACKED = 1
"""Compression level. A fifth of a body is left after a tenth of a millisecond, and decompressing
takes a quarter of that."""
CACHED_STATUS = (200, 404)
NEVER = ("/api/capture", "/api/docs", "/api/health", "/api/ready", "/metrics", "/static/")
"""What depends on more than the snapshot, or is a file already."""
START = "/"
"""The page that people open first. It needs what is computed once."""
PAUSE = 0.1
"""Seconds without a request after which a worker is idle."""
MIN_ANSWER = 4096
"""Minimum size of an answer in bytes, which bounds the number of pages to compute."""

_log = logging.getLogger("pagekin.serve")

Key = tuple[str, str, bytes]
"""Snapshot, path and plain query."""
ESCAPED = ((b"%3A", b":"), (b"%2F", b"/"), (b"%3a", b":"), (b"%2f", b"/"))
"""Characters that some clients escape in a query and others do not."""


@dataclass(frozen=True, slots=True)
class CachedResponse:
    """A response with its body packed, and when it was computed."""

    status: int
    headers: list[tuple[bytes, bytes]]
    packed: bytes
    made: float


class AnswerCache:
    """Responses by key, within a number of bytes."""

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._answers: OrderedDict[Key, CachedResponse] = OrderedDict()
        self.bytes = 0

    def __len__(self) -> int:
        return len(self._answers)

    def __contains__(self, key: Key) -> bool:
        return key in self._answers

    def has_room(self) -> bool:
        """Whether the largest response that may be cached fits without evicting another."""
        return self.bytes + self._max_bytes // 8 <= self._max_bytes

    def get(self, key: Key) -> CachedResponse | None:
        """The cached response, which is now the most recently used."""
        answer = self._answers.get(key)
        if answer is not None:
            self._answers.move_to_end(key)
        return answer

    def put(self, key: Key, answer: CachedResponse, *, requested: bool = True) -> None:
        """Cache a response, unless it alone takes more than an eighth of the room."""
        if key in self._answers or _size(key, answer) > self._max_bytes // 8:
            return
        self._answers[key] = answer
        self._answers.move_to_end(key, last=requested)
        self.bytes += _size(key, answer)
        while self.bytes > self._max_bytes:
            self.bytes -= _size(*self._answers.popitem(last=False))

    def clear(self) -> None:
        """Empty the cache."""
        self._answers.clear()
        self.bytes = 0


def _size(key: Key, answer: CachedResponse) -> int:
    return OVERHEAD + len(key[1]) + len(key[2]) + len(answer.packed)


class CachedApp:
    """An application behind a cache. It gives each request its snapshot."""

    def __init__(self, app: ASGIApp, current: ServedIndex, cache: AnswerCache) -> None:
        self._app = app
        self._current = current
        self._cache = cache
        self._running = 0
        self._last = -math.inf
        current.after_swap(cache.clear)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer from the cache, or ask the application and cache its response."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        self._running += 1
        try:
            await self._answer(scope, receive, send)
        finally:
            self._running -= 1
            self._last = time.monotonic()

    def idle_seconds(self) -> float:
        """Seconds since the last request was answered; none while one is under way."""
        return 0.0 if self._running else time.monotonic() - self._last

    async def warm(self, path: str, query: bytes) -> bool:
        """Cache an unrequested response, if there is room; returns whether it is cached."""
        snapshot = self._current.snapshot
        key = (snapshot.name, path, _plain(query))
        if key not in self._cache and self._cache.has_room():
            recorder = _Recorder(_discard)
            await self._app(_scope(path, query, snapshot), _receive_nothing, recorder)
            if recorder.complete and snapshot is self._current.snapshot:
                self._cache.put(key, recorder.answer(), requested=False)
        return key in self._cache

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] == "HEAD":
            # HEAD: a GET whose body is not sent.
            scope = {**scope, "method": "GET"}
        snapshot = scope["pagekin.snapshot"] = self._current.snapshot
        if scope["method"] != "GET" or scope["path"].startswith(NEVER):
            await self._app(scope, receive, send)
            return
        key = (snapshot.name, scope["path"], _plain(scope["query_string"]))
        etag = _etag(key)
        if any(
            name == b"if-none-match" and etag in value for name, value in scope.get("headers", ())
        ):
            await Response(status_code=304, headers={"etag": etag.decode()})(scope, receive, send)
            return
        send = _with_etag(send, etag)
        answer = self._cache.get(key)
        if answer is not None:
            await _resend(answer, send)
            return
        recorder = _Recorder(send)
        await self._app(scope, receive, recorder)
        if recorder.complete and snapshot is self._current.snapshot:
            self._cache.put(key, recorder.answer())


def _etag(key: Key) -> bytes:
    """A name of the answer, known before it is computed. It is weak because of `took_ms`."""
    digest = hashlib.blake2b(b"\n".join((key[0].encode(), key[1].encode(), key[2])), digest_size=8)
    return b'W/"%s"' % digest.hexdigest().encode()


def _with_etag(send: Send, etag: bytes) -> Send:
    async def send_on(message: Message) -> None:
        if message["type"] == "http.response.start" and message["status"] == 200:
            message = {**message, "headers": [*message.get("headers", []), (b"etag", etag)]}
        await send(message)

    return send_on


def _plain(query: bytes) -> bytes:
    """The query with unnecessary escapes removed."""
    if b"%" in query:
        for escaped, plain in ESCAPED:
            query = query.replace(escaped, plain)
    return query


def _scope(path: str, query: bytes, snapshot: Snapshot) -> Scope:
    """A request that came through no connection."""
    scope = {"type": "http", "method": "GET", "path": path, "query_string": query, "headers": []}
    return scope | {"pagekin.snapshot": snapshot}


async def _receive_nothing() -> Message:
    return {"type": "http.request", "body": b"", "more_body": False}


async def _discard(_: Message) -> None:
    pass


async def _resend(answer: CachedResponse, send: Send) -> None:
    age = str(int(time.monotonic() - answer.made)).encode()
    headers = [*answer.headers, (b"age", age)]
    await send({"type": "http.response.start", "status": answer.status, "headers": headers})
    await send({"type": "http.response.body", "body": zlib.decompress(answer.packed)})


class _Recorder:
    """A `send` that records what was sent."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._start: Message = {}
        self._body: list[bytes] = []
        self.complete = False

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            # A copy: outer middleware adds its own headers.
            self._start = dict(message)
        else:
            self._body.append(message.get("body", b""))
            ended = not message.get("more_body", False)
            self.complete = ended and self._start["status"] in CACHED_STATUS
        await self._send(message)

    def answer(self) -> CachedResponse:
        status, headers = self._start["status"], list(self._start.get("headers", []))
        packed = zlib.compress(b"".join(self._body), PACKED)
        return CachedResponse(status, headers, packed, time.monotonic())


class CacheWarmer:
    """Fills the room that is left in the cache, and again after a new snapshot."""

    def __init__(self, cached: CachedApp, current: ServedIndex, room: int) -> None:
        self._cached = cached
        self._current = current
        self._max_pages = room // MIN_ANSWER
        self._swapped = asyncio.Event()
        current.after_swap(self._swapped.set)

    async def run(self) -> None:
        """Go on until cancelled."""
        while True:
            self._swapped.clear()
            await self._fill(self._current.index)
            await self._swapped.wait()

    async def _fill(self, index: Index) -> None:
        try:
            urls = await asyncio.to_thread(crawled_by_rank, index.reader, self._max_pages)
        except IndexFault as error:
            _log.error("no answers are computed ahead: %s", error)
            return
        made = 0
        asked = [
            (START, b""),
            *(("/api/related", f"url={quote(url, ':/')}".encode()) for url in urls),
        ]
        for path, query in asked:
            await self._idle()
            if self._swapped.is_set() or not await self._cached.warm(path, query):
                break
            made += path != START
        _log.info("answers for %d pages were computed ahead", made)

    async def _idle(self) -> None:
        """Wait until the worker has been idle for a while."""
        while self._cached.idle_seconds() < PAUSE:
            await asyncio.sleep(PAUSE)
