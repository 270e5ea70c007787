"""What tools for accessibility and for good pages look for: axe-core, and checks like Lighthouse's.

axe-core comes with a package and runs in the browser; nothing is fetched.
"""

from collections.abc import Callable
from importlib.resources import files
from typing import Any

import pytest

from tests.serve.browser.looking import PAGES, Looking
from tests.serve.running import Running

pytestmark = pytest.mark.slow
Look = Callable[..., Looking]

AXE = (files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
WIDE, PHONE = {"width": 1100, "height": 800}, {"width": 360, "height": 740}
LARGEST = 100_000
"""Bytes of a page with its style sheet and its script, as they are sent uncompressed."""
SHIFT = """() => new Promise((done) => {
  let sum = 0;
  new PerformanceObserver((list) => list.getEntries().forEach((each) => { sum += each.value; }))
    .observe({ type: "layout-shift", buffered: true });
  requestAnimationFrame(() => setTimeout(() => done(sum), 100));
})"""
SMALL = """() => [...document.querySelectorAll("button, input:not([type=hidden]), select, summary")]
  .concat([...document.querySelectorAll("nav a, .steps a, .chips a, .title a, .listed-sites a")])
  .filter((each) => each.checkVisibility())
  .map((each) => [each, (each.closest("label") ?? each).getBoundingClientRect()])
  .filter(([each, box]) => Math.min(box.width, box.height) < 24)
  .map(([each, box]) => `${each.outerHTML.slice(0, 90)} ${box.width} x ${box.height}`)"""


def unfolded(looking: Looking, path: str, state: dict[str, Any]) -> Any:
    """A page with everything on it visible."""
    page = looking.at(path, **state)
    page.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
    return page


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_has_no_findings(look: Look, scheme: str, size: dict[str, int]) -> None:
    looking = look(color_scheme=scheme, viewport=size)
    options = {"runOnly": {"type": "tag", "values": RULES}, "resultTypes": ["violations"]}
    for path, state in PAGES:
        page = unfolded(looking, path, state)
        page.evaluate(AXE)
        found = page.evaluate("options => axe.run(options)", options)
        told = [
            f"{each['id']}: {node['html'][:120]} {node['failureSummary']}"
            for each in found["violations"]
            for node in each["nodes"]
        ]
        assert told == [], f"{path} {state} in {scheme}"


def test_every_page_is_small(explored: Running) -> None:
    for path, state in PAGES:
        page = explored.get(path, **state).text
        files = [each for each in page.split('"') if each.startswith((".", "..")) and "?v=" in each]
        sizes = [len(explored.get(f"/static/{each.rpartition('/')[2]}").content) for each in files]
        assert len(files) == 2 and len(page.encode()) + sum(sizes) < LARGEST, path


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
def test_targets_are_large_enough_and_nothing_shifts(look: Look, size: dict[str, int]) -> None:
    looking = look(viewport=size)
    for path, state in PAGES:
        page = looking.at(path, **state)
        assert page.evaluate(SHIFT) == 0, path
        assert page.evaluate(SMALL) == [], path


@pytest.mark.parametrize(("path", "state"), PAGES)
def test_page_has_a_title_a_language_and_a_viewport(
    look: Look, path: str, state: dict[str, Any]
) -> None:
    page = look().at(path, **state)
    assert page.title().removesuffix(" \u00b7 pagekin")
    assert page.locator("html").get_attribute("lang") == "en"
    viewport = page.locator("meta[name=viewport]").get_attribute("content") or ""
    assert "width=device-width" in viewport and "user-scalable" not in viewport
    assert page.locator("h1").count() == page.locator("main").count() == 1


def test_titles_of_pages_differ(explored: Running) -> None:
    texts = [explored.get(path, **state).text for path, state in PAGES if state or path == "/"]
    titles = [text.partition("<title>")[2].partition("</title>")[0] for text in texts]
    assert len({*titles}) >= len(titles) - 2, titles
