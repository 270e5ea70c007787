"""Dark and light, a phone, no JavaScript, a keyboard, a screen reader."""

import re
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

import pagekin
from pagekin.strategy import presets
from tests.serve.browser.looking import HELLEBORES, PAGES, ROSES, Looking
from tests.serve.running import Running

pytestmark = pytest.mark.slow
Look = Callable[..., Looking]

CONTRASTS = """() => {
  const parse = (text) => text.match(/[\\d.]+/g).map(Number);
  const light = ([r, g, b]) => [r, g, b].map((c) => c / 255)
    .map((c) => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
    .reduce((sum, c, at) => sum + c * [0.2126, 0.7152, 0.0722][at], 0);
  const behind = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const colour = parse(getComputedStyle(at).backgroundColor);
      if (colour.length < 4 || colour[3] === 1) return colour;
    }
    return parse(getComputedStyle(document.documentElement).backgroundColor);
  };
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || !element.checkVisibility()) continue;
    const style = getComputedStyle(element);
    const ink = element.closest("svg") ? style.fill : style.color;
    const [one, other] = [light(parse(ink)), light(behind(element))];
    const ratio = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
    found.push([walker.currentNode.data.trim().slice(0, 40), ratio]);
  }
  return found;
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_all_text_has_enough_contrast(look: Look, scheme: str) -> None:
    looking = look(color_scheme=scheme)
    for path, state in PAGES:
        page = looking.at(path, **state)
        page.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
        # Numbers of a map stand on circles, not on the page: what is filled with what is known.
        page.evaluate("document.querySelectorAll('.map .place').forEach(each => each.remove())")
        found = page.evaluate(CONTRASTS)
        assert len(found) > 10
        assert [each for each in found if each[1] < 4.5] == [], f"{path} in {scheme}"


def test_dark_mode_has_a_dark_background(look: Look) -> None:
    colours = []
    for scheme in ("light", "dark"):
        page = look(color_scheme=scheme).at("/related", url=ROSES)
        background = page.evaluate("getComputedStyle(document.body).backgroundColor")
        colours.append(sum(map(int, re.findall(r"\d+", background))))
    assert colours[0] > 700 and colours[1] < 100


@pytest.mark.parametrize("width", [320, 360, 768])
def test_nothing_is_wider_than_the_screen(look: Look, width: int) -> None:
    looking = look(viewport={"width": width, "height": 700}, has_touch=True)
    for path, state in PAGES:
        page = looking.at(path, **state)
        page.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
        assert page.evaluate("document.documentElement.scrollWidth") <= width, f"{path} at {width}"


def test_terms_that_are_urls_fit_a_phone(
    look: Look, crawl: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    index = tmp_path_factory.mktemp("links") / "index"
    pagekin.build(crawl, index, strategy=presets()["links"])
    with Running(index) as running:
        looking = look(running.base, viewport={"width": 360, "height": 700})
        for path, state in PAGES:
            page = looking.at(path, **state)
            assert page.evaluate("document.documentElement.scrollWidth") <= 360, path
        page = looking.at("/compare", a=ROSES, b=HELLEBORES)
        assert page.locator(".mirror th a").first.inner_text().startswith("http://")


def test_everything_works_without_javascript(look: Look) -> None:
    looking = look(java_script_enabled=False)
    page = looking.at("/")
    page.locator("#q").fill(ROSES)
    page.get_by_role("button", name="Find related pages").click()
    assert page.locator(".hit").count() == 10
    page.get_by_text("Filters", exact=True).click()
    page.get_by_label("Best page of each site").check()
    page.get_by_role("button", name="Apply").click()
    sites = [url.split("/")[2] for url in page.locator(".hit .address:visible").all_inner_texts()]
    assert len(sites) == len(set(sites)) > 2
    page.locator(".hit").first.get_by_role("link", name="compare").click()
    assert page.locator(".mirror tbody tr").count() > 10
    page.get_by_label("Search pages by words").fill("thunder")
    page.get_by_role("search").get_by_role("button").click()
    page.locator(".hits li").first.get_by_role("link", name="map").click()
    page.locator(".map a").nth(2).locator("circle").click()
    assert page.locator(".map a").count() > 3
    page.get_by_role("link", name="Pairs").click()
    page.get_by_label("Keywords, in order").fill("garden roses")
    page.get_by_role("button", name="Find pairs").click()
    assert page.locator(".pair").count() > 1
    page.get_by_role("link", name="Sites", exact=True).click()
    page.get_by_role("link", name="www.hedgerow.example").click()
    assert page.locator(".hit").count() > 5
    page.get_by_role("link", name="Subjects", exact=True).click()
    page.locator(".subjects h2 a").first.click()
    assert page.locator(".hit").count() == 10
    assert not [url for url in looking.requests if "/api/" in url]


def test_keyboard_reaches_everything_with_visible_focus(look: Look) -> None:
    page = look().at("/related", url=ROSES)
    page.keyboard.press("Tab")
    skip = page.get_by_role("link", name="Skip to the content")
    expect(skip).to_be_focused()
    expect(skip).to_be_in_viewport()
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_be_focused()
    for _ in range(12):
        page.keyboard.press("Tab")
        outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
        width = page.evaluate("parseFloat(getComputedStyle(document.activeElement).outlineWidth)")
        assert outline != "none" and width >= 1


UNNAMED = """() => {
  const named = (each) => each.ariaLabel || each.textContent.trim() || each.labels?.length;
  return [...document.querySelectorAll("a, button, input:not([type=hidden]), select, textarea")]
    .filter((each) => !named(each)).map((each) => each.outerHTML.slice(0, 120));
}"""
OUTLINE = """() => [...document.querySelectorAll("h1, h2, h3")].map((each) => +each.tagName[1])"""


@pytest.mark.parametrize(("path", "state"), PAGES)
def test_controls_have_names_and_headings_are_nested(
    look: Look, path: str, state: dict[str, Any]
) -> None:
    page = look().at(path, **state)
    assert page.evaluate(UNNAMED) == []
    levels = page.evaluate(OUTLINE)
    assert levels.count(1) == 1 and levels[0] == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))
    assert page.locator("html").get_attribute("lang") == "en"
    ids = page.evaluate("[...document.querySelectorAll('[id]')].map(each => each.id)")
    assert len(ids) == len(set(ids))
    assert page.title().endswith(" · pagekin")
    assert page.locator("[style], style, script:not([src])").count() == 0
