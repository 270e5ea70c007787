"""Takes the screenshots in docs/screens: `make screens`.

The pages are those of the bundled sample crawl, so that anybody gets the same.
"""

import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser

import pagekin
from pagekin.evaluation.selection import Grid
from pagekin.evaluation.selection.results_table import write_results
from pagekin.evaluation.selection.sweep import GridJudge
from pagekin.sample import sample_directory
from pagekin.sample.pack import write_sample
from pagekin.work.progress import SilentProgress
from tests.generators.building import Site
from tests.generators.sites import sample
from tests.serve.browser.files import served
from tests.serve.browser.looking import HELLEBORES, ROSES, Looking, launched
from tests.serve.running import Running

COLOURS = 64
WIDE, PHONE = {"width": 1000, "height": 760}, {"width": 360, "height": 760}


@dataclass(frozen=True, slots=True)
class Screen:
    """A page, and the part of it to show."""

    name: str
    path: str
    state: dict[str, str | int] = field(default_factory=dict)
    scheme: str = "light"
    seen: str = "body"


SCREENS = [
    Screen("start", "/"),
    Screen("search", "/search", {"q": "roses"}),
    Screen("sites", "/sites"),
    Screen("site", "/site", {"site": "www.hedgerow.example"}),
    Screen("subjects", "/subjects"),
    Screen("captures", "/captures", {"url": ROSES}),
    Screen("related", "/related", {"url": ROSES, "k": 5}),
    Screen("pairs", "/pairs", {"q": "garden roses"}),
    Screen("compare", "/compare", {"a": ROSES, "b": HELLEBORES}, seen=".scores"),
    Screen("map", "/map", {"url": ROSES}, seen=".drawing"),
    Screen("evaluation", "/evaluation"),
    Screen("related-dark", "/related", {"url": ROSES, "k": 5}, "dark"),
    Screen("map-dark", "/map", {"url": ROSES}, "dark", ".drawing"),
]


def main(folder: Path) -> None:
    """Serve the sample crawl and look at it."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as name, launched() as browser:
        index, report = _prepared(Path(name))
        with Running(index, "--report", str(report)) as running:
            _take_box(browser, pagekin.open(index), folder / "box.png")
            _take_generated(browser, folder / "generators.png")
            for screen in SCREENS:
                _take(browser, running, screen, folder / f"{screen.name}.png", WIDE)
                if screen.scheme == "light":
                    _take(browser, running, screen, folder / f"{screen.name}-narrow.png", PHONE)


def _prepared(folder: Path) -> tuple[Path, Path]:
    crawl, index, report = folder / "sample.warc.gz", folder / "index", folder / "report"
    write_sample(crawl)
    pagekin.build(crawl, index)
    swept = GridJudge(report, pagekin.Settings(), SilentProgress()).judge(
        [pagekin.Source(str(crawl))], pagekin.Directory.read(sample_directory()), Grid.load("paper")
    )
    write_results(report, swept.results)
    return index, report


def _take(
    browser: Browser, running: Running, screen: Screen, file: Path, size: dict[str, int]
) -> None:
    looking = Looking(browser, running.base, viewport=size, color_scheme=screen.scheme)
    page = looking.at(screen.path, **screen.state)
    if screen.seen != "body":
        page.locator(screen.seen).evaluate("each => each.scrollIntoView({block: 'start'})")
    _keep(looking, file)


def _take_box(browser: Browser, index: pagekin.Index, file: Path) -> None:
    """The demo page of an export."""
    with tempfile.TemporaryDirectory() as folder:
        index.export(Path(folder), k=4)
        with served(Path(folder)) as base:
            looking = Looking(browser, base, viewport=WIDE)
            looking.at("/demo.html").locator(".pagekin-related").last.wait_for()
            _keep(looking, file)


def _take_generated(browser: Browser, file: Path) -> None:
    """The end of a page of documentation."""
    with tempfile.TemporaryDirectory() as folder:
        site = Site("sphinx", Path(folder), theme="furo").write(sample()).build()
        with served(site.output) as base:
            looking = Looking(browser, base, viewport={"width": 1000, "height": 560})
            looking.missing = "/favicon.ico"
            page = looking.at(f"/{site.path('hedgerow/plants/roses')}")
            page.locator(".pagekin-related li").last.scroll_into_view_if_needed()
            _keep(looking, file)


def _keep(looking: Looking, file: Path) -> None:
    """Save the screenshot in few colours, which makes it a third as large."""
    looking.page.screenshot(path=file)
    looking.close()
    with Image.open(file) as picture:
        picture.convert("RGB").quantize(COLOURS).save(file, optimize=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
