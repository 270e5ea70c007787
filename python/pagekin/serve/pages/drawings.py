"""The layout of a map: two rings around the queried page.

Around the ring, each related page is followed by the most similar remaining one, and the pages
related to it are outside of it. On either side every page has its own line for its label, so that
no two labels overlap. The layout is computed from the answer alone, so it is deterministic.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from pagekin.evaluation.measures import Gamma
from pagekin.evaluation.report.figures import Figure, figures
from pagekin.evaluation.selection.results_table import StrategyResult, SweepReport
from pagekin.query.explore.neighbourhood import Neighbour, Neighbourhood, Relation
from pagekin.serve.pages.addresses import readable

__all__ = [
    "HALF_WIDTH",
    "Chart",
    "ChartBar",
    "MapLine",
    "MapSpot",
    "Rings",
    "charts",
    "rings",
]

HALF_WIDTH = 500
RINGS = ((0.0, 0.0), (150.0, 190.0), (255.0, 305.0))
"""Half axes of the ring of each step."""
SIZES = (19.0, 12.0, 9.5)
LETTERS = (0, 24, 32)
"""Letters of a name that fit beneath a page between the rings, and beside one outside them."""
MARGIN = 20
"""Room above the pages, for a label beneath them, and for the caption."""
CAPTION = 120
"""Letters of a name that fit beneath the map, where that of the page pointed at is."""
BEND = 0.35
"""Where a line is drawn to: half would be straight."""

Scores = dict[tuple[int, int], float]
Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class MapSpot:
    """A page on the map; `side` is 1 on the right half and -1 on the left."""

    page: Neighbour
    place: int
    x: float
    y: float
    side: int
    size: float
    name: str
    full_name: str
    near: list[int]


@dataclass(frozen=True, slots=True)
class MapLine:
    """A relation between two spots; its width and strength follow the square of the score."""

    relation: Relation
    path: str
    width: float
    strength: float


@dataclass(frozen=True, slots=True)
class Rings:
    """The whole drawing, with 0 in the middle."""

    spots: list[MapSpot]
    lines: list[MapLine]

    @property
    def top(self) -> float:
        """Where it begins."""
        return round(min(spot.y - spot.size for spot in self.spots) - MARGIN, 1)

    @property
    def bottom(self) -> float:
        """Where the pages and their labels end: the place of the caption."""
        return round(max(spot.y + spot.size for spot in self.spots) + 2 * MARGIN, 1)

    @property
    def height(self) -> float:
        """From its top to beneath its caption."""
        return round(self.bottom + MARGIN / 2 - self.top, 1)


def rings(found: Neighbourhood) -> Rings:
    """Draw a neighbourhood."""
    points = _points(found)
    spots = [_spot(found, place, point) for place, point in enumerate(points)]
    best = max((each.score for each in found.relations), default=0.0) or 1.0
    lines = [_line(each, points[each.one], points[each.other], best) for each in found.relations]
    return Rings(spots, lines)


def _points(found: Neighbourhood) -> list[Point]:
    scores: Scores = {(each.one, each.other): each.score for each in found.relations}
    families = _families(found, scores)
    points = [(0.0, 0.0)] * len(found.pages)
    right, left = _halves([[head, *families[head]] for head in _chain([*families], scores)])
    for side, half in ((1, right), (-1, left)):
        for place, point in _stack(half, side):
            points[place] = point
    return points


def _families(found: Neighbourhood, scores: Scores) -> dict[int, list[int]]:
    """The related pages, each with the further pages that are most like it."""
    heads = [place for place, page in enumerate(found.pages) if page.step == 1]
    families: dict[int, list[int]] = {head: [] for head in heads}
    for place, page in enumerate(found.pages):
        if page.step == 2:
            nearest = max(heads, key=lambda head: (scores.get((head, place), 0.0), -head))
            families[nearest].append(place)
    return families


def _chain(heads: list[int], scores: Scores) -> Iterator[int]:
    """The first page, then always the one most like the last, of equals the better hit."""
    rest = list(heads)
    last = 0
    while rest:
        last = max(
            rest, key=lambda head: (scores.get((min(last, head), max(last, head)), 0), -head)
        )
        rest.remove(last)
        yield last


def _halves(families: list[list[int]]) -> tuple[list[list[int]], list[list[int]]]:
    """The first families down the right side, the others up the left, about as many lines each."""
    lines = [_lines(family) for family in families]
    total = sum(lines)
    cuts = range(len(families) + 1)
    cut = min(cuts, key=lambda cut: abs(2 * sum(lines[:cut]) - total))
    return families[:cut], families[cut:][::-1]


def _lines(family: list[int]) -> int:
    """The lines that a family takes: one for each page outside, and one if there is none."""
    return max(len(family) - 1, 1)


def _stack(families: list[list[int]], side: int) -> Iterator[tuple[int, Point]]:
    """One side of the drawing, from the top down."""
    total = sum(map(_lines, families))
    line = 0
    for head, *others in families:
        middle = line + _lines([head, *others]) / 2
        yield head, _on_ring(1, 2 * middle / total - 1, side)
        for number, page in enumerate(others):
            yield page, _on_ring(2, 2 * (line + number + 0.5) / total - 1, side)
        line += _lines([head, *others])


def _on_ring(step: int, height: float, side: int) -> Point:
    """The point of a ring at a height from -1, its top, to 1; rings are rounded boxes."""
    across, down = RINGS[step]
    return side * across * max(1 - height**4, 0) ** 0.25, down * height


def _spot(found: Neighbourhood, place: int, point: Point) -> MapSpot:
    page = found.pages[place]
    name = page.title or readable(page.url)
    return MapSpot(
        page=page,
        place=place,
        x=round(point[0], 1),
        y=round(point[1], 1),
        side=-1 if point[0] < 0 else 1,
        size=SIZES[page.step],
        name=_brief(name, LETTERS[page.step]),
        full_name=_brief(name, CAPTION),
        near=[*_near(found, place)],
    )


def _near(found: Neighbourhood, place: int) -> Iterator[int]:
    for each in found.relations:
        if place in (each.one, each.other):
            yield each.other if each.one == place else each.one


def _line(relation: Relation, one: Point, other: Point, best: float) -> MapLine:
    """A curve that bends towards the middle, so that lines along a ring do not coincide."""
    strength = (relation.score / best) ** 2
    x, y = (one[0] + other[0]) * BEND, (one[1] + other[1]) * BEND
    path = f"M{one[0]:.1f} {one[1]:.1f}Q{x:.1f} {y:.1f} {other[0]:.1f} {other[1]:.1f}"
    return MapLine(relation, path, round(1 + 4 * strength, 2), round(0.25 + 0.45 * strength, 2))


def _brief(text: str, letters: int) -> str:
    text = text.removeprefix("https://").removeprefix("http://")
    return text if len(text) <= letters else f"{text[: max(letters - 1, 0)].rstrip()}…"


@dataclass(frozen=True, slots=True)
class ChartBar:
    """A strategy in a figure."""

    label: str
    value: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Chart:
    """A figure of the paper."""

    number: int
    title: str
    note: str
    measure: str
    bars: list[ChartBar]

    @property
    def least(self) -> float:
        """Where the bars' scale begins: 0, or below it where a value or its interval is."""
        ends = (end for bar in self.bars for end in (bar.value, bar.low) if end is not None)
        return min([0.0, *ends])


def charts(report: SweepReport) -> list[Chart]:
    """The figures that have something to compare."""
    known = {f"{one.fingerprint or '-'}:{one.similarity}": one for one in report.strategies}
    drawn = [_chart(figure, known) for figure in figures(Gamma(report.relation))]
    return [chart for chart in drawn if len(chart.bars) > 1]


def _chart(figure: Figure, known: dict[str, StrategyResult]) -> Chart:
    there = [bar for bar in figure.bars if bar.contender.key in known]
    bars = [_bar(figure, bar.label, known[bar.contender.key]) for bar in there]
    return Chart(figure.number, figure.title, figure.note, str(figure.measure), bars)


def _bar(figure: Figure, label: str, judged: StrategyResult) -> ChartBar:
    if isinstance(figure.measure, Gamma):
        gamma = judged.gamma(figure.measure.relation)
        return ChartBar(label, gamma.strict, gamma.low, gamma.high)
    return ChartBar(label, judged.orthogonality, None, None)
