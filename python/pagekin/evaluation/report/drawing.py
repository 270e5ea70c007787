"""Figures drawn by matplotlib. The import is slow, so only drawing code imports this module."""

import io
import math
import re
from pathlib import Path

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure as Canvas

from pagekin.evaluation.report.figures import FigureData
from pagekin.strategy import Frequency

__all__ = ["bars", "curve", "save"]

_BLUE, _LINE = "#3a6ea5", "#333333"


def bars(drawn: FigureData) -> Canvas:
    """One bar per strategy, with its interval."""
    measure = drawn.figure.measure
    heights = [result.measure(measure) for result in drawn.results]
    spans = [result.interval(measure) for result in drawn.results]
    canvas, axes = _canvas()
    places = range(len(heights))
    axes.bar(places, heights, color=_BLUE, width=0.7)
    # A value may lie outside of its resamples, and a whisker has no negative length.
    below = [max(height - low, 0) for height, (low, _) in zip(heights, spans, strict=True)]
    above = [max(high - height, 0) for height, (_, high) in zip(heights, spans, strict=True)]
    axes.errorbar(
        places, heights, yerr=[below, above], fmt="none", ecolor=_LINE, capsize=4, linewidth=1
    )
    for place, height, (low, high) in zip(places, heights, spans, strict=True):
        # Beyond the end of the bar, which is below the axis for a negative value.
        end, side = (max(high, height), "bottom") if height >= 0 else (min(low, height), "top")
        axes.annotate(f"{height:.2f}", (place, end), ha="center", va=side, fontsize=9)
    axes.axhline(0, color=_LINE, linewidth=0.8)
    axes.set_xticks(places, drawn.labels, rotation=30, ha="right")
    axes.set_ylabel(str(measure))
    axes.margins(y=0.12)
    return canvas


def curve(frequency: Frequency, bags: int) -> Canvas:
    """Figure 8: the NMDF weight by document frequency."""
    canvas, axes = _canvas()
    scale = math.log(max(bags, 2))
    mu, sigma = (frequency.mu or 0) * scale, (frequency.sigma or 1) * scale
    logs = [scale * step / 200 for step in range(201)]
    axes.plot(
        [math.exp(log) for log in logs],
        [math.exp(-0.5 * ((log - mu) / sigma) ** 2) for log in logs],
        color=_BLUE,
    )
    axes.set_xscale("log")
    axes.set_xlabel("bags that hold the term")
    axes.set_ylabel("weight")
    return canvas


def save(canvas: Canvas, folder: Path, name: str) -> str:
    """The drawing as SVG and PNG files; returns the SVG to be put into a page."""
    folder.mkdir(exist_ok=True)
    # The same results give the same bytes.
    with mpl.rc_context({"svg.hashsalt": "pagekin", "svg.fonttype": "none"}):
        canvas.savefig(folder / f"{name}.png", dpi=120, metadata={"Software": None})
        text = io.StringIO()
        canvas.savefig(text, format="svg", metadata={"Date": None, "Creator": None})
    (folder / f"{name}.svg").write_text(text.getvalue(), encoding="utf-8")
    return re.sub(r"^.*?(?=<svg)", "", text.getvalue(), count=1, flags=re.DOTALL)


def _canvas() -> tuple[Canvas, Axes]:
    canvas = Canvas(figsize=(8, 3.6), layout="constrained")
    axes = canvas.add_subplot()
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    return canvas, axes
