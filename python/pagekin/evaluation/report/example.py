"""Figure 2: what the best and the worst strategy answer for one query page."""

from dataclasses import dataclass

import numpy as np

from pagekin import _core
from pagekin.evaluation.counts import count_bags
from pagekin.evaluation.selection import Contender, Sweep
from pagekin.evaluation.selection.evidence import merge_bags
from pagekin.strategy import Strategy

__all__ = ["ExampleAnswer", "ExamplePage", "Listing", "example"]

RANKS = (1, 2, 5, 10, 20, 50, 100)


@dataclass(frozen=True, slots=True)
class ExampleAnswer:
    """A page at some rank: how similar, its name, its classes."""

    rank: int
    similarity: float
    url: str
    title: str | None
    classes: str


@dataclass(frozen=True, slots=True)
class Listing:
    """What one strategy answers, and its Γ for this query page."""

    name: str
    gamma: float
    answers: list[ExampleAnswer]


@dataclass(frozen=True, slots=True)
class ExamplePage:
    """The query page, and what the strategies answer."""

    url: str
    title: str | None
    classes: str
    listings: list[Listing]


def example(swept: Sweep, strategies: list[Strategy]) -> ExamplePage:
    """The answers of these strategies for a page of medium difficulty for the first."""
    collections = [_bags(swept, strategy) for strategy in strategies]
    gammas = [_gammas(swept, bags) for bags in collections]
    sound = np.flatnonzero(np.isfinite(gammas[0]))
    query = int(sound[np.argsort(gammas[0][sound])[len(sound) // 2]])
    listings = [
        Listing(
            Contender(strategy, "jaccard").name,
            float(gamma[query]),
            _answers(swept, bags, query),
        )
        for strategy, bags, gamma in zip(strategies, collections, gammas, strict=True)
    ]
    names = swept.survey.names
    return ExamplePage(names.urls[query], names.titles[query], _classes(swept, query), listings)


def _bags(swept: Sweep, strategy: Strategy) -> _core.Collection:
    with merge_bags(swept.survey, strategy, swept.folder, threads=2) as merged:
        return merged.collection(strategy)


def _gammas(swept: Sweep, bags: _core.Collection) -> "np.ndarray[tuple[int], np.dtype[np.float64]]":
    return count_bags(bags, swept.survey.matched, threads=2).pages.measure(swept.gamma)


def _answers(swept: Sweep, bags: _core.Collection, query: int) -> list[ExampleAnswer]:
    alike = np.array(bags.similarities(query, "jaccard"))
    alike[query] = -1
    order = np.argsort(-alike, kind="stable")
    names = swept.survey.names
    return [
        ExampleAnswer(
            rank,
            float(alike[page]),
            names.urls[page],
            names.titles[page],
            _classes(swept, page),
        )
        for rank, page in ((rank, int(order[rank - 1])) for rank in RANKS if rank < len(order))
    ]


def _classes(swept: Sweep, page: int) -> str:
    matched = swept.survey.matched
    numbers = matched.classes_of_pairs[matched.pages_of_pairs == page].tolist()
    return ", ".join("/".join(matched.classes[number]) for number in numbers)
