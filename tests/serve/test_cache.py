"""The answer cache: correct, bounded in bytes, and of one snapshot only."""

import asyncio
from collections import OrderedDict
from types import SimpleNamespace
from typing import Any, cast
from urllib.parse import parse_qsl

from hypothesis import given
from hypothesis import strategies as st
from starlette.types import Message, Receive, Scope, Send

from pagekin.serve.cache import OVERHEAD, AnswerCache, CachedApp, CachedResponse, _plain
from pagekin.serve.service import ServedIndex, Snapshot
from tests.serve.running import Running

ROOM = 16 * OVERHEAD


def answer(size: int) -> CachedResponse:
    return CachedResponse(200, [], b"x" * size, 0.0)


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 3 * OVERHEAD)), max_size=60))
def test_cache_evicts_least_recently_used_first(asked: list[tuple[int, int]]) -> None:
    """Against a simple LRU cache."""
    cache, plain = AnswerCache(ROOM), OrderedDict[int, int]()
    for number, size in asked:
        key = ("name", f"{number}", b"")
        kept = cache.get(key)
        assert (kept is None) == (number not in plain)
        if kept is not None:
            assert len(kept.packed) == plain[number]
            plain.move_to_end(number)
            continue
        cache.put(key, answer(size))
        if OVERHEAD + 1 + size <= ROOM // 8:
            plain[number] = size
        while sum(OVERHEAD + 1 + each for each in plain.values()) > ROOM:
            plain.popitem(last=False)
        assert len(cache) == len(plain)
        assert cache.bytes == sum(OVERHEAD + 1 + each for each in plain.values())


def test_cache_without_room_stores_nothing() -> None:
    cache = AnswerCache(0)
    cache.put(("name", "/", b""), answer(0))
    assert len(cache) == cache.bytes == 0


def test_cache_evicts_unrequested_answers_first_newest_first() -> None:
    cache = AnswerCache(8 * (OVERHEAD + 1))
    for number in range(8):
        cache.put(("name", f"{number}", b""), answer(0), requested=number % 2 == 0)
    gone = []
    for later in "abcdef":
        before = [kept for kept in "01234567" if ("name", kept, b"") in cache]
        cache.put(("name", later, b""), answer(0))
        gone += [kept for kept in before if ("name", kept, b"") not in cache]
    assert gone == [*"753102"]


def test_cache_has_room_until_an_answer_must_be_evicted() -> None:
    cache = AnswerCache(8 * (OVERHEAD + 1))
    had = []
    for number in range(10):
        had.append(cache.has_room())
        cache.put(("name", f"{number}", b""), answer(0))
    assert had == [*[True] * 8, False, False]


@given(st.text("%23AaFf:/&=+;x", max_size=30))
def test_normalised_query_has_the_same_parameters(query: str) -> None:
    plain = _plain(query.encode()).decode()
    assert parse_qsl(plain, keep_blank_values=True) == parse_qsl(query, keep_blank_values=True)


def test_escaped_and_unescaped_queries_share_a_cache_key() -> None:
    asked = {
        b"url=http://a.example/b",
        b"url=http%3A%2F%2Fa.example%2Fb",
        b"url=http%3a//a.example%2fb",
    }
    assert {_plain(query) for query in asked} == {b"url=http://a.example/b"}
    assert _plain(b"url=a%26b%3D%252F") == b"url=a%26b%3D%252F"


class SnapshotApp:
    """An application that answers with the name of its snapshot, when it is allowed to."""

    def __init__(self) -> None:
        self.current = cast(
            ServedIndex, SimpleNamespace(snapshot=named("old"), after_swap=self._keep)
        )
        self.cache = AnswerCache(1 << 20)
        self.kept = CachedApp(self._answer, self.current, self.cache)
        self.go = asyncio.Event()
        self.times = 0

    def _keep(self, call: Any) -> None:
        self.clear = call

    async def _answer(self, scope: Scope, _: Receive, send: Send) -> None:
        self.times += 1
        await self.go.wait()
        body = scope["pagekin.snapshot"].name.encode()
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": body})

    async def get(self, path: str = "/api/page", method: str = "GET") -> bytes:
        sent: list[Message] = []

        async def send(message: Message) -> None:
            sent.append(message)

        async def receive() -> Message:
            return {"type": "http.disconnect"}

        scope = {"type": "http", "method": method, "path": path, "query_string": b"url=x"}
        await self.kept(scope, receive, send)
        return b"".join(message.get("body", b"") for message in sent)

    def swap(self, name: str) -> None:
        self.current.snapshot = named(name)
        self.clear()


def named(name: str) -> Snapshot:
    return cast(Snapshot, SimpleNamespace(name=name))


def test_request_keeps_the_snapshot_it_started_with() -> None:
    async def asked() -> list[bytes | int]:
        app = SnapshotApp()
        begun = asyncio.create_task(app.get())
        await asyncio.sleep(0)
        app.swap("new")
        app.go.set()
        before = await begun
        return [before, len(app.cache), await app.get(), await app.get(), app.times]

    assert asyncio.run(asked()) == [b"old", 0, b"new", b"new", 2]


def test_responses_that_depend_on_more_than_the_snapshot_are_not_cached() -> None:
    async def asked() -> int:
        app = SnapshotApp()
        app.go.set()
        for _ in range(2):
            await app.get("/api/ready")
            await app.get("/api/health")
            await app.get(method="POST")
        return app.times

    assert asyncio.run(asked()) == 6


def test_cached_answer_has_an_age_and_is_unchanged(service: Running) -> None:
    asked = [service.get("/api/search", q="an apple") for _ in range(20)]
    assert any("age" in response.headers for response in asked)
    assert len({response.text.partition('"took_ms"')[0] for response in asked}) == 1
