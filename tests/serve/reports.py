"""The report that the service shows in tests and examples: a sweep over the sample crawl."""

from pathlib import Path

import pagekin
from pagekin.evaluation.measures import Gamma
from pagekin.evaluation.selection import Grid
from pagekin.evaluation.selection.results import best
from pagekin.evaluation.selection.results_table import write_best, write_results
from pagekin.evaluation.selection.sweep import GridJudge
from pagekin.sample import sample_directory
from pagekin.work.progress import SilentProgress

__all__ = ["write_report"]

GRID = """
cocitation = true
[[product]]
"""


def write_report(crawl: Path, folder: Path) -> None:
    """Judge one strategy and the baseline; without the presets, so that the report is small."""
    swept = GridJudge(folder, pagekin.Settings(threads=2), SilentProgress()).judge(
        [pagekin.Source(str(crawl))],
        pagekin.Directory.read(sample_directory()),
        Grid.from_toml(GRID),
    )
    write_results(folder, swept.results)
    winner = best(swept.results, Gamma())
    assert winner is not None
    write_best(folder, winner, Gamma())
