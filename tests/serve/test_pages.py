"""The pages over real HTTP: states, errors and headers. Browser tests cover their look."""

import re
from html import unescape
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest

from pagekin.strategy import presets
from tests.crawls import build_pages
from tests.serve.running import Running

ROSES = "http://www.hedgerow.example/plants/roses.html"


def heading(response: httpx.Response) -> str:
    """The only heading of a page."""
    assert response.headers["content-type"] == "text/html; charset=utf-8"
    found = re.findall(r"<h1>(.*?)</h1>", response.text, re.DOTALL)
    assert len(found) == 1
    return unescape(re.sub(r"<[^>]+>", "", found[0]))


@pytest.mark.parametrize(
    ("path", "status", "expected"),
    [
        ("/", 200, "Find related pages"),
        (f"/related?url={ROSES}", 200, "Related to Old roses without fear"),
        (
            f"/related?url={ROSES}&k=&min_score=",
            200,
            "Related to Old roses without fear",
        ),
        ("/related?text=roses", 200, "Related to roses"),
        ("/related?url=http://nowhere.example/", 404, "This page is not in the crawl"),
        ("/related?url=nothing", 400, "This request cannot be answered"),
        (f"/related?url={ROSES}&k=1000", 422, "This request cannot be answered"),
        (f"/related?url={ROSES}&offset=-1", 422, "This request cannot be answered"),
        ("/search", 200, "Search pages"),
        ("/search?q=roses", 200, "Pages with “roses”"),
        ("/sites", 200, "Sites"),
        ("/sites?q=qwzx", 200, "Sites"),
        ("/sites?order=size", 422, "This request cannot be answered"),
        ("/site?site=www.hedgerow.example", 200, "www.hedgerow.example"),
        ("/site?site=nowhere.example", 404, "This site is not in the crawl"),
        ("/site", 404, "This site is not in the crawl"),
        ("/site?site=www.hedgerow.example&offset=1001", 422, "This request cannot be answered"),
        ("/subjects", 200, "Subjects"),
        (f"/captures?url={ROSES}", 200, "Captures"),
        ("/captures?url=http://nowhere.example/", 404, "This page is not in the crawl"),
        ("/captures", 400, "This request cannot be answered"),
        ("/pairs", 200, "Two linked pages that answer together"),
        ("/pairs?q=garden", 422, "Two linked pages that answer together"),
        ("/pairs?q=garden+zzzz", 404, "Two linked pages that answer together"),
        ("/pairs?q=garden+roses&alpha=2", 422, "This request cannot be answered"),
        ("/compare", 200, "Two pages side by side"),
        (f"/compare?a={ROSES}", 200, "Two pages side by side"),
        (f"/compare?a={ROSES}&b=http://nowhere.example/", 404, "This page is not in the crawl"),
        ("/map", 200, "The neighbourhood of a page"),
        (f"/map?url={ROSES}&k=99", 422, "This request cannot be answered"),
        ("/evaluation", 200, "Strategies compared"),
        ("/nothing", 404, "Page not found"),
        ("/static/nothing.css", 404, "Page not found"),
        ("/static/..%2f__init__.py", 404, "Page not found"),
    ],
)
def test_every_answer_is_a_page_with_status_and_heading(
    service: Running, path: str, status: int, expected: str
) -> None:
    response = service.get(path)
    assert (response.status_code, heading(response)) == (status, expected)


def test_empty_search_has_a_reason(service: Running) -> None:
    assert "No page has “qwzx”." in service.get("/search?q=qwzx").text


def test_search_page_keeps_its_filters(service: Running) -> None:
    page = service.get("/search?q=the&site=hedgerow.example&from=2001&pages=all").text
    assert 'name="site" value="hedgerow.example"' in page
    assert 'name="from" value="2001"' in page
    empty = service.get("/search?q=roses&site=nowhere.example").text
    assert "passes the filter site nowhere.example" in empty
    assert "not a date" in service.get("/search?q=roses&to=soon").text


def test_menu_has_only_what_there_is(index: Path, tmp_path: Path, service: Running) -> None:
    entries = re.compile(r'<li><a href="\./(\w+)"')
    everything = ["sites", "subjects", "pairs", "compare", "map", "evaluation"]
    assert entries.findall(service.get("/").text) == everything
    with Running(index) as without_report:
        assert entries.findall(without_report.get("/").text) == everything[:-1]
        assert entries.findall(without_report.get("/nothing").text) == everything[:-1]
    alone = build_pages(tmp_path, {"a": "<title>A</title>garden"}, presets()["content"])
    with Running(alone) as one_page:
        assert entries.findall(one_page.get("/").text) == ["sites"]
        for path in ("/sites", "/subjects", "/pairs", "/compare", "/map", "/evaluation"):
            assert one_page.get(path).status_code in (200, 303)
        assert one_page.get("/sites").headers["location"] == "site?site=t.example"
        assert "This index has no subjects" in one_page.get("/subjects").text


def test_nothing_found_says_what_to_do(service: Running) -> None:
    empty = service.get("/search?q=qwzx&site=www.hedgerow.example").text
    assert 'href="search?q=qwzx">search without filters' in empty
    assert 'href="related?text=qwzx"' in empty
    assert "without filters" not in service.get("/search?q=qwzx").text
    related = service.get(f"/related?url={ROSES}&site=nowhere.example").text
    assert "look without them" in related
    assert "see all sites" in service.get("/sites?q=qwzx").text


def test_short_input_redirects_to_its_url(service: Running) -> None:
    for written, expected in (
        (ROSES, {"url": [ROSES]}),
        ("www.hedgerow.example/plants/roses.html", {"url": [ROSES]}),
        ("http://nowhere.example/", {"url": ["http://nowhere.example/"]}),
        ("roses", {"text": ["roses"]}),
        ("two words & <more>", {"text": ["two words & <more>"]}),
    ):
        response = service.client.post("/related", data={"q": written})
        assert response.status_code == 303
        target = urlsplit(response.headers["location"])
        assert (target.path, parse_qs(target.query)) == ("related", expected)


def test_long_text_is_answered_directly(service: Running) -> None:
    response = service.client.post("/related", data={"q": "prune the roses " * 1000})
    assert (response.status_code, heading(response)) == (200, "Related to a text")
    assert response.text.count('<li class="hit">') == 10


@pytest.mark.parametrize("letters", [200_001, 10_000_000])
def test_text_beyond_the_limit_is_rejected(service: Running, letters: int) -> None:
    response = service.client.post("/related", data={"q": "ab " * (letters // 3 + 1)})
    assert (response.status_code, heading(response)) == (413, "The request is too large")


@pytest.mark.parametrize(
    ("letter", "times", "status"), [("\u00e9", 170_000, 200), ("x", 1_000_000, 413)]
)
def test_very_long_word_is_not_taken_for_a_url(
    service: Running, letter: str, times: int, status: int
) -> None:
    response = service.client.post("/related", data={"q": letter * times + ".x"})
    assert response.status_code == status


def test_uploaded_page_is_answered(service: Running) -> None:
    page = b"<title>A <b>draft</title><p>prune the old roses"
    files = {"page": ("draft.html", page, "text/html")}
    response = service.client.post("/related", files=files)
    assert (response.status_code, heading(response)) == (200, "Related to A <b>draft")


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b"", "application/x-www-form-urlencoded"),
        (b"%ff%fe=%00&q=", "application/x-www-form-urlencoded"),
        (b"q=%00%ff", "application/x-www-form-urlencoded"),
        (b"nonsense", "multipart/form-data"),
        (b"nonsense", "multipart/form-data; boundary=x"),
        (b"{}", "application/json"),
    ],
)
def test_malformed_form_is_harmless(service: Running, body: bytes, kind: str) -> None:
    headers = {"content-type": kind}
    response = service.client.post("/related", content=body, headers=headers)
    assert response.status_code in (303, 400)
    assert service.get("/").status_code == 200


def test_static_files_are_immutable(service: Running) -> None:
    found = re.findall(r'(?:href|src)="(\./static/[^"]+)"', service.get("/").text)
    assert len(found) == 3
    kinds = []
    for address in found:
        response = service.get(address.removeprefix("."))
        assert response.status_code == 200
        assert "immutable" in response.headers["cache-control"]
        kinds.append(response.headers["content-type"].partition(";")[0])
    assert sorted(kinds) == ["image/svg+xml", "text/css", "text/javascript"]


def test_links_are_relative(service: Running) -> None:
    for path in ("/", f"/related?url={ROSES}", "/pairs?q=garden+roses", f"/map?url={ROSES}"):
        text = service.get(path).text
        found = re.findall(r'(?:href|src|action)="([^"]*)"', text)
        assert len(found) > 8
        assert not [each for each in found if each.startswith("/")]
