"""The browser, and the sample crawl served to it with the report of a sweep."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

import pagekin
from pagekin.evaluation.selection import Grid
from pagekin.evaluation.selection.results_table import write_results
from pagekin.evaluation.selection.sweep import GridJudge
from pagekin.sample import sample_directory
from pagekin.work.progress import SilentProgress
from tests.serve.browser.looking import Looking, launched
from tests.serve.running import Running

GRID = """
[[product]]
kinds = { content = 0, anchor = 1 }
window = { distance = [true, false] }
frequency = { weight = ["none", "nmdf"] }
"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Closed after each module: its event loop excludes any other."""
    with launched() as browser:
        yield browser


@pytest.fixture(scope="session")
def compared(crawl: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a sweep that has something to draw."""
    folder = tmp_path_factory.mktemp("compared")
    directory = pagekin.Directory.read(sample_directory())
    resources = (pagekin.Settings(threads=2), SilentProgress())
    grid = Grid.from_toml(GRID)
    swept = GridJudge(folder, *resources).judge([pagekin.Source(str(crawl))], directory, grid)
    write_results(folder, swept.results)
    return folder


@pytest.fixture(scope="session")
def explored(index: Path, compared: Path) -> Iterator[Running]:
    """One worker that serves it."""
    with Running(index, "--report", str(compared)) as running:
        yield running


Look = Callable[..., Looking]


@pytest.fixture
def look(browser: Browser, explored: Running) -> Iterator[Look]:
    """Open pages, with options of the browser; at the end none may have recorded faults."""
    opened: list[Looking] = []

    def look(base: str = explored.base, **options: Any) -> Looking:
        opened.append(Looking(browser, base, **options))
        return opened[-1]

    yield look
    for looking in opened:
        looking.close()
