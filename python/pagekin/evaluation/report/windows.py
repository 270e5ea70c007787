"""Average sizes of anchor windows: how many words each kind takes beside the anchors of a crawl."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from pagekin.evaluation.report.figures import SIZES, anchor
from pagekin.evaluation.selection import Contender, Result, Sweep
from pagekin.evaluation.selection.evidence import average_window
from pagekin.strategy import Window

__all__ = ["WindowSize", "window_sizes"]


@dataclass(frozen=True, slots=True)
class WindowSize:
    """Windows of one kind: the average of the words on each side of the anchor, and the result."""

    name: str
    links: int
    before: float
    after: float
    result: Result


def window_sizes(swept: Sweep, known: Mapping[str, Result]) -> list[WindowSize]:
    """The sizes of each kind of windows in the sweep, if it has a kind that depends on the page."""
    dynamic = {name: _windows(name) for name in ("syntactic", "topical")}
    if not any(contender.key in known for contender in dynamic.values()):
        return []
    fixed = {f"W = {size}": _windows("basic", size) for size in SIZES}
    found = []
    for name, contender in (fixed | dynamic).items():
        if contender.key in known and contender.strategy is not None:
            average = average_window(swept.survey, contender.strategy, swept.folder)
            found.append(WindowSize(name, *average, known[contender.key]))
    return found


def _windows(kind: str, size: int = SIZES[-1]) -> Contender:
    even = Window(distance=False, size=size)
    if kind == "basic":
        return anchor(even)
    return anchor(replace(even, kind="syntactic" if kind == "syntactic" else "topical"))
