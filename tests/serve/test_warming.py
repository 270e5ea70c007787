"""Cache warming: only while idle, only while there is room, with the same answers as requests."""

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.types import Message, Receive, Scope, Send

import pagekin
from pagekin.index import IndexReader
from pagekin.query.explore.overview import crawled_by_rank, top_rows
from pagekin.serve import cache as warming
from pagekin.serve.cache import OVERHEAD, AnswerCache, CachedApp, CacheWarmer
from pagekin.serve.service import ServedIndex, Snapshot
from tests.serve.running import PATIENCE, Running, until

PAGES = 20


def test_crawled_pages_are_ordered_by_rank(index: Path) -> None:
    opened = pagekin.open(index)
    ranks = {row["id"]: row["rank"] for row in rows(opened, "ranks")}
    crawled = [row for row in rows(opened, "pages") if row["crawled"]]
    expected = sorted(crawled, key=lambda row: (-ranks[row["id"]], row["id"]))
    urls = [row["url"] for row in expected]
    for most in (0, 1, 17, len(urls), len(ranks)):
        assert crawled_by_rank(opened.reader, most) == urls[:most]


@given(st.lists(st.lists(st.integers(0, 9), max_size=7)), st.integers(0, 9))
def test_top_rows_match_a_full_sort(batches: list[list[int]], most: int) -> None:
    tables = {"t": SimpleNamespace(batches=lambda: map(batch_of, batches))}
    places = [
        (-rank, number, row)
        for number, ranks in enumerate(batches)
        for row, rank in enumerate(ranks)
    ]
    found = top_rows(cast(IndexReader, SimpleNamespace(tables=tables)), "t", most)
    assert found == [place[1:] for place in sorted(places)[:most]]


def batch_of(ranks: list[int]) -> pa.RecordBatch:
    return pa.record_batch({"rank": pa.array(ranks, pa.uint64())})


def rows(index: pagekin.Index, table: str) -> list[dict[str, Any]]:
    return [row for batch in index.reader.tables[table].batches() for row in batch.to_pylist()]


class CountingApp:
    """An application that records requests, and answers when it is allowed to."""

    def __init__(self, room: int, status: int = 200) -> None:
        self.current = cast(ServedIndex, self)
        self.snapshot = cast(Snapshot, SimpleNamespace(name="0"))
        self.index = SimpleNamespace(reader=None)
        self.cache = AnswerCache(room)
        self.go = asyncio.Event()
        self.go.set()
        self.asked: list[bytes] = []
        self._status = status
        self._whenever: list[Callable[[], None]] = []
        self.cached = CachedApp(self._answer, self.current, self.cache)
        self.warmer = CacheWarmer(self.cached, self.current, room)

    def after_swap(self, call: Callable[[], None]) -> None:
        self._whenever.append(call)

    def swap(self) -> None:
        self.snapshot = cast(Snapshot, SimpleNamespace(name=f"{self.snapshot.name}0"))
        for call in self._whenever:
            call()

    async def _answer(self, scope: Scope, _: Receive, send: Send) -> None:
        self.asked.append(scope["query_string"])
        await self.go.wait()
        await send({"type": "http.response.start", "status": self._status, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    async def get(self, query: bytes) -> list[Message]:
        sent: list[Message] = []

        async def send(message: Message) -> None:
            sent.append(message)

        async def receive() -> Message:
            return {"type": "http.disconnect"}

        scope = {"type": "http", "method": "GET", "path": "/api/related", "query_string": query}
        await self.cached(scope, receive, send)
        return sent

    async def quiet(self) -> None:
        """Wait until no more requests arrive."""
        async with asyncio.timeout(PATIENCE):
            before = -1
            while before != len(self.asked):
                before = len(self.asked)
                await asyncio.sleep(5 * warming.PAUSE)


@pytest.fixture(autouse=True)
def pages(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    """Pages without a real index."""
    if "index" not in request.fixturenames:
        monkeypatch.setattr(warming, "crawled_by_rank", lambda *_: [f"{n}" for n in range(PAGES)])


def run(test: Callable[[CountingApp], Coroutine[None, None, None]], app: CountingApp) -> None:
    """Run the test while the cache is warmed."""

    async def both() -> None:
        task = asyncio.create_task(app.warmer.run())
        await test(app)
        assert not task.done()
        task.cancel()

    asyncio.run(both())


def queries(count: int) -> list[bytes]:
    """What is asked at first: the start page, then about pages."""
    return [b"", *(f"url={n}".encode() for n in range(count))]


def test_all_answers_are_computed_once_and_cached() -> None:
    async def test(app: CountingApp) -> None:
        await app.quiet()
        assert app.asked == queries(PAGES)
        sent = await app.get(b"url=7")
        assert b"age" in dict(sent[0]["headers"])
        assert app.asked == queries(PAGES)

    run(test, CountingApp(1 << 20))


def test_warming_pauses_during_a_request() -> None:
    async def test(app: CountingApp) -> None:
        app.go.clear()
        asking = asyncio.create_task(app.get(b"url=asked"))
        await app.quiet()
        # One that was begun before the request came is all there may be.
        assert b"url=asked" in app.asked
        assert len(app.asked) <= 2
        app.go.set()
        await asking
        assert len(app.asked) <= 2
        await app.quiet()
        assert sorted(app.asked) == sorted([b"url=asked", *queries(PAGES)])

    run(test, CountingApp(1 << 20))


def test_warming_fills_the_cache_without_evicting_requested_answers() -> None:
    async def test(app: CountingApp) -> None:
        await app.get(b"url=asked")
        await app.quiet()
        made = app.asked[1:]
        assert made == queries(len(made) - 1)
        assert len(made) == len(app.cache) - 1 < PAGES
        assert not app.cache.has_room()
        await app.get(b"url=asked")
        assert len(app.asked) == 1 + len(made)

    run(test, CountingApp(10 * OVERHEAD))


@pytest.mark.parametrize(("room", "status"), [(0, 200), (OVERHEAD, 200), (1 << 20, 503)])
def test_warming_stops_if_answers_cannot_be_cached(room: int, status: int) -> None:
    async def test(app: CountingApp) -> None:
        await app.quiet()
        assert len(app.asked) <= 1
        assert len(app.cache) == 0

    run(test, CountingApp(room, status))


def test_new_snapshot_is_warmed_again() -> None:
    async def test(app: CountingApp) -> None:
        await app.quiet()
        app.swap()
        assert len(app.cache) == 0
        await app.quiet()
        assert app.asked == 2 * queries(PAGES)
        assert len(app.cache) == 1 + PAGES

    run(test, CountingApp(1 << 20))


@pytest.mark.slow
def test_idle_service_has_its_answers_ready(index: Path) -> None:
    urls = crawled_by_rank(pagekin.open(index).reader, 1 << 20)
    with Running(index) as ready, Running(index, "--no-ahead") as other:
        until(lambda: f"answers for {len(urls)} pages were computed ahead" in ready.log)
        for url in urls:
            made, asked = (each.get("/api/related", url=url) for each in (ready, other))
            assert ("age" in made.headers, "age" in asked.headers) == (True, False)
            assert without_time(made.text) == without_time(asked.text)
            assert {*made.headers} == {*asked.headers, "age"}


def without_time(text: str) -> str:
    return text.rpartition('"took_ms"')[0]
