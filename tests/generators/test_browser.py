"""Lists of related pages as readers see them: in several themes, on a phone, without scripts."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, ViewportSize, expect

from tests.generators.building import Site
from tests.generators.sites import sample
from tests.serve.browser.files import served
from tests.serve.browser.looking import launched

pytestmark = pytest.mark.slow
THEMES = [
    ("sphinx", "alabaster"),
    ("sphinx", "furo"),
    ("sphinx", "sphinx_rtd_theme"),
    ("mkdocs", "mkdocs"),
    ("mkdocs", "readthedocs"),
    ("mkdocs", "material"),
]
LOOK = "each => (({color, fontFamily}) => [color, fontFamily])(getComputedStyle(each))"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with launched() as browser:
        yield browser


@pytest.fixture(scope="module", params=THEMES, ids=lambda theme: theme[1])
def themed(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Site, str]]:
    kind, theme = request.param
    site = Site(kind, tmp_path_factory.mktemp(theme), theme=theme).write(sample()).build()
    with served(site.output) as base:
        yield site, base


def look_of(element: Locator) -> list[str]:
    """Colour and font, as the browser shows them."""
    found: list[str] = element.evaluate(LOOK)
    return found


@pytest.mark.parametrize("width", [1200, 360])
@pytest.mark.parametrize("scripts", [True, False])
def test_list_is_readable_and_looks_like_the_theme(
    browser: Browser, themed: tuple[Site, str], width: int, scripts: bool
) -> None:
    site, base = themed
    size: ViewportSize = {"width": width, "height": 800}
    # Not `Looking`: some themes ask other hosts for fonts and styles, which is not our fault.
    page = browser.new_page(viewport=size, java_script_enabled=scripts)
    page.goto(f"{base}/{site.path('hedgerow/plants/roses')}")
    box = page.locator("nav.pagekin-related")
    box.scroll_into_view_if_needed()
    expect(box).to_be_visible()
    expect(box.get_by_role("link")).to_have_count(5)
    expect(page.get_by_role("navigation", name="Related pages")).to_have_count(1)
    paragraph = page.locator("p", has_text="A rose is far harder to kill").first
    assert look_of(box.locator("li").first) == look_of(paragraph)
    other_link = page.locator("p a", has_text="sharpening secateurs").first
    assert look_of(box.locator("a").first) == look_of(other_link)
    room = box.bounding_box()
    assert room and room["x"] >= 0 and room["x"] + room["width"] <= width
    box.get_by_role("link").first.click()
    expect(page.locator("h1").first).to_be_visible()
    assert page.url.startswith(f"{base}/hedgerow/")
    page.close()
