"""A crawl of attacks is shown unchanged, and nothing of it runs."""

from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

import pagekin
from tests.crawls import write_warc
from tests.serve.browser.attacks import TITLES, attacks
from tests.serve.browser.files import served
from tests.serve.browser.looking import Looking
from tests.serve.running import Running

pytestmark = pytest.mark.slow
Look = Callable[..., Looking]
WRITTEN = """() => [...document.querySelectorAll("input"), document.querySelector("h1")]
  .map((each) => each.value ?? each.textContent).join(" ")"""
"""The text on a page and in its input boxes."""


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("hostile")
    write_warc(folder / "attacks.warc.gz", attacks())
    pagekin.build(folder / "attacks.warc.gz", folder / "index")
    return folder / "index"


@pytest.fixture(scope="module")
def urls(hostile: Path) -> dict[str, str | None]:
    """Every URL of the index and its title."""
    found = pagekin.open(hostile).reader.tables["pages"].scan(["id", "url", "title"]).to_pylist()
    return {row["url"]: row["title"] for row in found}


@pytest.fixture(scope="module")
def attacked(hostile: Path) -> Iterator[Running]:
    with Running(hostile) as running:
        yield running


def harmless(page: Page) -> None:
    """No script ran, no link would run one, and nothing is hidden."""
    assert page.evaluate("window.ran") is None
    links = page.evaluate("[...document.links].map(each => [each.protocol, each.host, each.rel])")
    for protocol, host, rel in links:
        assert protocol in ("http:", "https:")
        assert host.startswith("127.0.0.1:") or rel == "noopener noreferrer nofollow"
    assert page.locator("iframe, object, embed, base, main img, main script, style").count() == 0
    assert page.locator("body").is_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_crawl_contains_the_attacks(urls: dict[str, str | None]) -> None:
    shown = {" ".join(title.split()) for title in urls.values() if title}
    assert len(shown) == len(TITLES)
    assert sum(title in shown for title in TITLES) >= len(TITLES) - 1
    assert all(url.startswith(("http://", "https://")) for url in urls)
    assert len(urls) > len(TITLES)


def test_hostile_titles_and_urls_are_shown_harmlessly(
    look: Look, attacked: Running, hostile: Path, urls: dict[str, str | None]
) -> None:
    looking, opened = look(attacked.base), pagekin.open(hostile)
    for url, title in urls.items():
        page = looking.at("/related", url=url)
        # A page that is only linked to is called by the words of its links.
        name = title or opened.show(url).title or url
        assert page.locator("h1").text_content() == f"Related to {name}"
        assert page.locator(".card .address").text_content() == url
        assert page.locator(".hit").count() > 3
        harmless(page)
        looking.at("/map", url=url)
        assert title is None or title in (page.locator("h1").text_content() or "")
        assert page.locator(".map a").count() > 3
        harmless(page)


@pytest.mark.parametrize(
    ("path", "state"),
    [
        ("/", {}),
        ("/search", {"q": "roses"}),
        ("/search", {"q": TITLES[0]}),
        ("/search", {"q": TITLES[1]}),
        ("/pairs", {"q": "roses garden thorns"}),
        ("/pairs", {"q": TITLES[1]}),
        ("/related", {"text": TITLES[6]}),
        ("/related", {"url": "javascript:window.ran=20"}),
        ("/related", {"url": f"http://unknown.example/{TITLES[1]}"}),
        ("/related", {"url": "http://attack.example/", "k": TITLES[1]}),
        ("/sites", {"q": TITLES[1]}),
        ("/site", {"site": "attack.example"}),
        ("/site", {"site": TITLES[0]}),
        ("/subjects", {}),
        ("/captures", {"url": "http://attack.example/"}),
        ("/compare", {"a": TITLES[0], "b": TITLES[1]}),
        ("/map", {"url": TITLES[2]}),
        (f"/{TITLES[0]}", {}),
        (f"/{TITLES[1]}/{TITLES[2]}", {}),
        ("/evaluation", {"x": TITLES[0]}),
    ],
)
def test_hostile_queries_are_shown_harmlessly(
    look: Look, attacked: Running, path: str, state: dict[str, str | int]
) -> None:
    page = look(attacked.base).at(path, **state)
    harmless(page)
    assert page.locator("h1").count() == 1
    asked = next(iter(state.values()), "")
    if path in ("/search", "/pairs", "/related") and asked in TITLES:
        assert str(asked) in page.evaluate(WRITTEN)


def test_compare_and_suggestions_show_hostile_titles_harmlessly(
    look: Look, attacked: Running, urls: dict[str, str | None]
) -> None:
    looking = look(attacked.base)
    page = looking.page
    titled = [url for url, title in urls.items() if title]
    for one, other in pairwise(titled):
        looking.at("/compare", a=one, b=other)
        assert page.locator(".card h2").all_text_contents() == [urls[one], urls[other]]
        harmless(page)
    page.get_by_label("Search pages by words").press_sequentially("script")
    page.get_by_role("option").first.wait_for()
    shown = page.get_by_role("option").all_text_contents()
    assert any(TITLES[0] in text for text in shown)
    harmless(page)


def test_box_on_a_static_site_shows_hostile_titles_harmlessly(
    look: Look, hostile: Path, tmp_path: Path
) -> None:
    pagekin.open(hostile).export(tmp_path, k=5)
    with served(tmp_path) as base:
        page = look(base).at("/demo.html")
        expect(page.locator(".pagekin-related")).to_have_count(3)
        assert page.locator(".pagekin-related a").count() == 15
        titles = page.locator(".pagekin-related a").all_text_contents()
        assert all(title in TITLES or title.startswith("http") for title in titles)
        assert page.evaluate("window.ran") is None
        assert page.locator("iframe, base, main img, main style").count() == 0
