"""The paper's figures as questions to the results of a sweep.

A figure is a list of bars, each a strategy of the grid. Strategies that the grid does not have are
left out, so a custom grid is drawn as far as possible.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from pagekin.evaluation.measures import Gamma, Measure, Orthogonality
from pagekin.evaluation.selection import Contender, Result
from pagekin.strategy import Frequency, Kinds, Strategy, Window, Words

__all__ = [
    "SIZES",
    "Figure",
    "FigureBar",
    "FigureData",
    "anchor",
    "cocitation",
    "content",
    "figure_data",
    "figures",
    "hybrid",
    "links",
]

Weight = Literal["none", "log", "sqrt", "nmdf"]
Stemming = Literal["nostem", "stem", "stopstem"]
SIZES = (0, 4, 8, 16, 32)
WEIGHTS: tuple[Weight, ...] = ("none", "log", "sqrt", "nmdf")
STEMMINGS: tuple[Stemming, ...] = ("nostem", "stopstem", "stem")


@dataclass(frozen=True, slots=True)
class FigureBar:
    """A strategy and what it is called in the figure."""

    label: str
    contender: Contender


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure of the paper: its number, what it shows, and what it compares."""

    number: int
    title: str
    measure: Measure
    bars: tuple[FigureBar, ...]
    note: str


@dataclass(frozen=True, slots=True)
class FigureData:
    """A figure with the results that there are."""

    figure: Figure
    labels: list[str]
    results: list[Result]


def anchor(window: Window, weight: Weight = "none", stemming: Stemming = "stem") -> Contender:
    """Anchor windows alone."""
    return _contender(Kinds(content=0), window, weight, stemming)


def hybrid(kinds: Kinds, weight: Weight = "none") -> Contender:
    """Several kinds, with the paper's largest window and distance weights."""
    return _contender(kinds, Window(distance=kinds.anchor > 0), weight)


def content(weight: Weight = "none") -> Contender:
    """The words of the page itself."""
    return hybrid(Kinds(anchor=0), weight)


def links(weight: Weight = "none") -> Contender:
    """The linking pages."""
    return hybrid(Kinds(content=0, anchor=0, link=1), weight)


def cocitation() -> Contender:
    """The baseline."""
    return Contender(None, "cocitation")


def _contender(
    kinds: Kinds, window: Window, weight: Weight, stemming: Stemming = "stem"
) -> Contender:
    words = Words(stemming=stemming)
    return Contender(Strategy(kinds, window, words, Frequency(weight)), "jaccard")


def _representations() -> tuple[FigureBar, ...]:
    plain = Window(distance=False)
    windows = [FigureBar(f"W = {size}", anchor(replace(plain, size=size))) for size in SIZES]
    return (
        FigureBar("links", links()),
        FigureBar("co-citation", cocitation()),
        *windows,
        FigureBar("syntactic", anchor(replace(plain, kind="syntactic"))),
        FigureBar("topical", anchor(replace(plain, kind="topical"))),
        FigureBar("content", content()),
    )


def _hybrids(weight: Weight) -> tuple[FigureBar, ...]:
    return (
        FigureBar("anchors", hybrid(Kinds(content=0), weight)),
        FigureBar("content", content(weight)),
        FigureBar("content + anchors", hybrid(Kinds(), weight)),
        FigureBar("anchors + links", hybrid(Kinds(content=0, link=1), weight)),
        FigureBar("content + links", hybrid(Kinds(anchor=0, link=1), weight)),
        FigureBar("all three", hybrid(Kinds(link=1), weight)),
    )


def figures(gamma: Gamma) -> list[Figure]:
    """The figures that are bars; figure 8 is a curve and figure 2 a table."""
    near, even = Window(), Window(distance=False)
    return [
        Figure(
            3,
            "Document representations",
            gamma,
            _representations(),
            "No weights, stemmed. Larger windows should be better, links worst.",
        ),
        Figure(
            4,
            "Pairs of one class without a common term",
            Orthogonality(),
            _representations(),
            "The share of pairs that no weighting can bring together: less is better.",
        ),
        Figure(
            5,
            "Hybrids",
            gamma,
            _hybrids("nmdf"),
            "W = 32 with distance weights, NMDF. The kinds add up.",
        ),
        Figure(
            6,
            "Weights",
            gamma,
            (
                FigureBar("none", anchor(even)),
                FigureBar("distance", anchor(near)),
                FigureBar("frequency (NMDF)", anchor(even, "nmdf")),
                FigureBar("both", anchor(near, "nmdf")),
            ),
            "Anchor windows, W = 32, stemmed.",
        ),
        Figure(
            7,
            "Frequency weights",
            gamma,
            tuple(FigureBar(weight, anchor(near, weight)) for weight in WEIGHTS),
            "Anchor windows, W = 32, distance weights, stemmed.",
        ),
        Figure(
            9,
            "Stemming",
            gamma,
            tuple(FigureBar(name, anchor(near, "nmdf", name)) for name in STEMMINGS),
            "Anchor windows, W = 32, distance weights, NMDF.",
        ),
    ]


def figure_data(figure: Figure, results: Mapping[str, Result]) -> FigureData | None:
    """The figure as far as there are results; None where there is nothing to compare."""
    there: Sequence[FigureBar] = [bar for bar in figure.bars if bar.contender.key in results]
    if len(there) < 2:
        return None
    return FigureData(
        figure, [bar.label for bar in there], [results[bar.contender.key] for bar in there]
    )
