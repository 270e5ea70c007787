"""Internal errors have the same shape as others, and reveal no paths."""

import ast
import asyncio
import logging
from pathlib import Path
from typing import NoReturn

import httpx
import pytest

import pagekin
import pagekin.serve
from pagekin.errors import EngineError, IndexCorrupt
from pagekin.serve.app import create_app
from pagekin.serve.errors import STATUS
from pagekin.serve.service import Service
from pagekin.serve.settings import ServeSettings
from tests.crawls import build_pages
from tests.serve.running import Running, error_of

SECRET = "/srv/secret/index"


def asked(index: Path, path: str) -> httpx.Response:
    """The response of the application, without a server."""
    app = create_app(Service.open(ServeSettings(str(index))))
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)

    async def ask() -> httpx.Response:
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            return await client.get(path)

    return asyncio.run(ask())


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (IndexCorrupt("is damaged", path=SECRET, advice="build it again"), (503, "index_fault")),
        (EngineError("failed", where=SECRET, advice="look"), (500, "internal_error")),
        (RuntimeError(SECRET), (500, "internal_error")),
        (MemoryError(SECRET), (500, "internal_error")),
    ],
)
def test_internal_errors_do_not_reveal_paths(
    index: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    error: Exception,
    expected: tuple[int, str],
) -> None:
    def fail(*_: object, **__: object) -> NoReturn:
        raise error

    monkeypatch.setattr("pagekin.query.search", fail)
    with caplog.at_level(logging.ERROR):
        response = asked(index, "/api/search?q=x")
    assert error_of(response) == expected
    assert "secret" not in response.text
    assert "content-security-policy" in response.headers


def test_every_raised_code_has_a_status() -> None:
    codes = set()
    for module in Path(pagekin.serve.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in ("Refused", "Problem"):
                first = node.args[0] if node.args else None
                if isinstance(first, ast.Constant):
                    codes.add(first.value)
    assert len(codes) > 8
    assert codes <= set(STATUS)


def test_head_request_equals_get_without_a_body(service: Running) -> None:
    for path in ("/api/health", "/api/search?q=roses", "/api/page?url=x", "/"):
        got, head = service.client.get(path), service.client.head(path)
        assert head.status_code == got.status_code
        assert head.headers["content-type"] == got.headers["content-type"]
        assert head.content == b""
        assert int(head.headers["content-length"]) > 0


def test_index_of_links_alone_answers_about_pages_only(tmp_path: Path) -> None:
    strategy = pagekin.Strategy.from_toml("[kinds]\ncontent = 0\nanchor = 0\nlink = 1\n")
    pages = {"": '<a href="a.html">a</a><a href="b.html">b</a>', "a": "a", "b": "b"}
    with Running(build_pages(tmp_path, pages, strategy)) as running:
        hits = running.answer("/api/related", url="http://t.example/a.html")["hits"]
        assert [hit["url"] for hit in hits] == ["http://t.example/b.html"]
        refused = running.get("/api/related", text="roses")
        assert error_of(refused) == (422, "bad_parameter")
        assert str(tmp_path) not in refused.text
