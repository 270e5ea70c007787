"""Quality against cost as a figure: a panel for each crawl."""

from pathlib import Path

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from bench.quality.judge import Judged
from bench.quality.rivals import RIVALS
from bench.quality.scoreboard import Board
from pagekin.strategy import DEFAULT

__all__ = ["draw"]

SHOWN = {
    **{DEFAULT: "#c0392b", "paper-best": "#3a6ea5", "content": "#3a6ea5"},
    **dict.fromkeys(RIVALS, "#888888"),
}
"""The systems of the figure and their colours; of pagekin's presets only those that people use."""
MAIN = ("P@10", "R@10", "sentence RR@10")
"""The measure of a panel: the first of these that the crawl has."""


def draw(board: Board, path: Path) -> None:
    """A system is a point, cheap ones on the left, good ones at the top."""
    canvas = Figure(figsize=(13, 8), layout="constrained")
    panels = canvas.subplots(2, 3).flat
    for panel, (crawl, judged) in zip(panels, board.items(), strict=False):
        measure = next(name for name in MAIN if name in judged[DEFAULT].measures)
        for name, colour in SHOWN.items():
            if name in judged:
                _point(panel, judged[name], measure, (name, colour))
        panel.set_xscale("log")
        panel.margins(x=0.3)
        panel.set_title(f"{crawl}: {measure}", fontsize=10)
        panel.set_xlabel("milliseconds of one core per page", fontsize=8)
        panel.spines[["top", "right"]].set_visible(False)
    canvas.savefig(path, metadata={"Date": None})


def _point(panel: Axes, judged: Judged, measure: str, label: tuple[str, str]) -> None:
    name, colour = label
    place = judged.milliseconds, judged.measures[measure].value
    hollow = "without" in name
    panel.plot(*place, "o", color=colour, fillstyle="none" if hollow else "full")
    if not hollow:
        panel.annotate(
            name, place, xytext=(5, 3), textcoords="offset points", color=colour, fontsize=8
        )
