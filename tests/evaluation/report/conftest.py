"""A sweep of the sample crawl, for reports."""

from pathlib import Path

import pytest

import pagekin
from pagekin.evaluation.selection import Grid, Sweep
from pagekin.evaluation.selection.sweep import GridJudge
from pagekin.work.progress import SilentProgress

DIRECTORY = Path(pagekin.__file__).parent / "sample" / "directory.tsv"
GRID = """
[[product]]
kinds = { content = 0 }
window = { size = [0, 4, 8, 16, 32], distance = [true, false] }
frequency = { weight = ["none", "nmdf"] }
[[product]]
"""


@pytest.fixture(scope="module")
def swept(crawl: Path, tmp_path_factory: pytest.TempPathFactory) -> Sweep:
    folder = tmp_path_factory.mktemp("report")
    found = GridJudge(folder / "sweep", pagekin.Settings(threads=2), SilentProgress()).judge(
        [pagekin.Source(str(crawl))], pagekin.Directory.read(DIRECTORY), Grid.from_toml(GRID)
    )
    found.survey.names.titles[:] = ["<script>alert(1)</script>"] * len(found.survey.names.titles)
    return found
