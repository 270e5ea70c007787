"""What the tests of the service share: the sample crawl, swept and served."""

from collections.abc import Iterator
from pathlib import Path

import pytest

import pagekin
from pagekin.evaluation.measures import Gamma
from pagekin.evaluation.selection import Grid
from pagekin.evaluation.selection.results import best
from pagekin.evaluation.selection.results_table import write_best, write_results
from pagekin.evaluation.selection.sweep import GridJudge
from pagekin.sample import sample_directory
from pagekin.work.progress import SilentProgress
from tests.serve.running import Running

GRID = """
cocitation = true
[[product]]
"""


@pytest.fixture(scope="session")
def report(crawl: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a sweep over the sample crawl."""
    folder = tmp_path_factory.mktemp("report")
    swept = GridJudge(folder, pagekin.Settings(threads=2), SilentProgress()).judge(
        [pagekin.Source(str(crawl))],
        pagekin.Directory.read(sample_directory()),
        Grid.from_toml(GRID),
    )
    write_results(folder, swept.results)
    winner = best(swept.results, Gamma())
    assert winner is not None
    write_best(folder, winner, Gamma())
    return folder


@pytest.fixture(scope="session")
def service(index: Path, report: Path) -> Iterator[Running]:
    """Two workers that serve its index."""
    with Running(index, "--workers", "2", "--report", str(report)) as running:
        yield running
