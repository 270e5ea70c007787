"""Quality against cost, as a figure."""

from collections.abc import Sequence
from pathlib import Path

from matplotlib.figure import Figure

from bench.quality.verdict import MEASURES, Verdict

__all__ = ["draw"]

OURS, THEIRS = "#3a6ea5", "#888888"


def draw(verdicts: Sequence[Verdict], ours: Sequence[str], path: Path) -> None:
    """One panel per measure: a method is a point with its interval, cheap ones on the left."""
    canvas = Figure(figsize=(11, 3.6), layout="constrained")
    panels = canvas.subplots(1, len(MEASURES))
    for place, (panel, measure) in enumerate(zip(panels, MEASURES, strict=True)):
        for verdict in verdicts:
            found = verdict.measured[place]
            low, high = found.interval
            colour = OURS if verdict.name in ours else THEIRS
            errors = [[found.value - low], [high - found.value]]
            panel.errorbar(
                verdict.milliseconds, found.value, yerr=errors, fmt="o", color=colour, capsize=3
            )
            panel.annotate(
                verdict.name,
                (verdict.milliseconds, found.value),
                xytext=(6, 4),
                textcoords="offset points",
                color=colour,
                fontsize=9,
            )
        panel.set_xscale("log")
        panel.margins(x=0.25)
        panel.set_title(str(measure), fontsize=10)
        panel.set_xlabel("milliseconds of one core per page")
        panel.spines[["top", "right"]].set_visible(False)
    canvas.savefig(path, metadata={"Date": None})
