"""Answers that are kept: the right ones, within so many bytes, and of one snapshot only."""

import asyncio
from collections import OrderedDict
from types import SimpleNamespace
from typing import Any, cast
from urllib.parse import parse_qsl

from hypothesis import given
from hypothesis import strategies as st
from starlette.types import Message, Receive, Scope, Send

from pagekin.serve.current import Current, Snapshot
from pagekin.serve.guard.cache import OVERHEAD, AnswerCache, CachedApp, CachedResponse, _plain
from tests.serve.running import Running

ROOM = 16 * OVERHEAD


def answer(size: int) -> CachedResponse:
    return CachedResponse(200, [], b"x" * size, 0.0)


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 3 * OVERHEAD)), max_size=60))
def test_the_least_lately_used_go_first(asked: list[tuple[int, int]]) -> None:
    """Against the plainest cache there is."""
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


def test_a_cache_without_room_keeps_nothing() -> None:
    cache = AnswerCache(0)
    cache.put(("name", "/", b""), answer(0))
    assert len(cache) == cache.bytes == 0


def test_what_nobody_asked_for_goes_first_and_the_latest_of_it_before_all() -> None:
    cache = AnswerCache(8 * (OVERHEAD + 1))
    for number in range(8):
        cache.put(("name", f"{number}", b""), answer(0), requested=number % 2 == 0)
    gone = []
    for later in "abcdef":
        before = [kept for kept in "01234567" if ("name", kept, b"") in cache]
        cache.put(("name", later, b""), answer(0))
        gone += [kept for kept in before if ("name", kept, b"") not in cache]
    assert gone == [*"753102"]


def test_there_is_room_while_nothing_has_to_go() -> None:
    cache = AnswerCache(8 * (OVERHEAD + 1))
    had = []
    for number in range(10):
        had.append(cache.has_room())
        cache.put(("name", f"{number}", b""), answer(0))
    assert had == [*[True] * 8, False, False]


@given(st.text("%23AaFf:/&=+;x", max_size=30))
def test_a_query_means_the_same_when_it_is_plain(query: str) -> None:
    plain = _plain(query.encode()).decode()
    assert parse_qsl(plain, keep_blank_values=True) == parse_qsl(query, keep_blank_values=True)


def test_who_escapes_and_who_does_not_ask_the_same() -> None:
    asked = {
        b"url=http://a.example/b",
        b"url=http%3A%2F%2Fa.example%2Fb",
        b"url=http%3a//a.example%2fb",
    }
    assert {_plain(query) for query in asked} == {b"url=http://a.example/b"}
    assert _plain(b"url=a%26b%3D%252F") == b"url=a%26b%3D%252F"


class Asked:
    """An application that says which snapshot it was given, when it may."""

    def __init__(self) -> None:
        self.current = cast(Current, SimpleNamespace(snapshot=named("old"), after_swap=self._keep))
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


def test_a_request_keeps_the_snapshot_it_began_with() -> None:
    async def asked() -> list[bytes | int]:
        app = Asked()
        begun = asyncio.create_task(app.get())
        await asyncio.sleep(0)
        app.swap("new")
        app.go.set()
        before = await begun
        return [before, len(app.cache), await app.get(), await app.get(), app.times]

    assert asyncio.run(asked()) == [b"old", 0, b"new", b"new", 2]


def test_what_depends_on_more_than_the_snapshot_is_not_kept() -> None:
    async def asked() -> int:
        app = Asked()
        app.go.set()
        for _ in range(2):
            await app.get("/api/ready")
            await app.get("/api/health")
            await app.get(method="POST")
        return app.times

    assert asyncio.run(asked()) == 6


def test_a_kept_answer_says_its_age_and_is_the_same(service: Running) -> None:
    asked = [service.get("/api/search", q="an apple") for _ in range(20)]
    assert any("age" in response.headers for response in asked)
    assert len({response.text.partition('"took_ms"')[0] for response in asked}) == 1
