"""Measures of an ordering: values that print as they are typed.

sibling-gamma          Goodman and Kruskal's Γ; strict: a pair that is left tied counts as undecided
cousin-gamma:value     only pairs that the ordering decides count
whole-gamma            Γ over the whole familial ordering, not only pairs with the query's class
P@10                   share of the first ten answers that are of the same class
orthogonality          share of pairs of a class that have no term in common
sibling=2,P@10=1       weighted mean of measures; `sibling` is short for sibling-gamma

A measure computes itself from counts that are summed over query pages. `measure` knows each by
what is typed, and `REPORTED` are those of every report. A new one is a class here, and its counts
in `counts.py` if they are not there yet.
"""

import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal, get_args

import numpy as np

from pagekin.errors import StrategyError

if TYPE_CHECKING:
    from pagekin.evaluation.counts import PooledCounts

__all__ = [
    "ORDERINGS",
    "RELATIONS",
    "REPORTED",
    "Gamma",
    "K",
    "Measure",
    "Ordering",
    "Orthogonality",
    "Precision",
    "Relation",
    "WeightedMean",
    "measure",
]

Real = np.ndarray[Any, np.dtype[np.float64]]
K = 10
"""Number of answers for precision."""
Relation = Literal["sibling", "cousin", "unrelated"]
Ordering = Literal["sibling", "cousin", "unrelated", "whole"]
Ties = Literal["strict", "value"]
RELATIONS: tuple[Relation, ...] = get_args(Relation)
ORDERINGS: tuple[Ordering, ...] = get_args(Ordering)
"""The three partial orderings and the whole familial ordering, as the core counts their pairs."""
MOST = 1000


@dataclass(frozen=True, slots=True)
class Gamma:
    """Γ over pairs of a page of the same class and one of this relation, or over all pairs.

    Over the whole ordering, two pages are a pair if one is nearer to the query page's class.
    With C pairs in the right order, D in the wrong one and T tied: `value` is (C - D) / (C + D),
    `strict` is (C - D) / (C + D + T).
    """

    less_is_better: ClassVar[bool] = False
    ks: ClassVar[frozenset[int]] = frozenset()
    relation: Ordering = "sibling"
    ties: Ties = "strict"

    def __str__(self) -> str:
        return f"{self.relation}-gamma" + ("" if self.ties == "strict" else f":{self.ties}")

    def of(self, counts: "PooledCounts") -> Real:
        """Γ of each group."""
        right, wrong, tied = np.moveaxis(counts.pairs[:, ORDERINGS.index(self.relation)], 1, 0)
        judged = right + wrong + tied if self.ties == "strict" else right + wrong
        found: Real = (right - wrong) / judged
        return found


@dataclass(frozen=True, slots=True)
class Precision:
    """The share of the first k answers that are of the query page's class."""

    less_is_better: ClassVar[bool] = False
    k: int = K

    def __str__(self) -> str:
        return f"P@{self.k}"

    @property
    def ks(self) -> frozenset[int]:
        """The numbers of answers whose hits are counted."""
        return frozenset([self.k])

    def of(self, counts: "PooledCounts") -> Real:
        """The precision of each group."""
        return counts.hits[self.k] / (self.k * counts.queries)


@dataclass(frozen=True, slots=True)
class Orthogonality:
    """The share of pairs of pages of one class that have nothing in common: less is better."""

    less_is_better: ClassVar[bool] = True
    ks: ClassVar[frozenset[int]] = frozenset()

    def __str__(self) -> str:
        return "orthogonality"

    def of(self, counts: "PooledCounts") -> Real:
        """The orthogonality of each group."""
        return counts.orthogonal / counts.same


@dataclass(frozen=True, slots=True)
class WeightedMean:
    """The weighted mean of several measures. One of which less is better counts as 1 minus it."""

    less_is_better: ClassVar[bool] = False
    parts: tuple[tuple[Gamma | Precision | Orthogonality, float], ...]

    def __str__(self) -> str:
        return ",".join(f"{part}={weight:g}" for part, weight in self.parts)

    @property
    def ks(self) -> frozenset[int]:
        """The numbers of answers whose hits are counted."""
        return frozenset[int]().union(*(part.ks for part, _ in self.parts))

    def of(self, counts: "PooledCounts") -> Real:
        """The mean of each group."""
        found = (
            weight * (1 - part.of(counts) if part.less_is_better else part.of(counts))
            for part, weight in self.parts
        )
        mean: Real = sum(found, np.zeros(1)) / sum(weight for _, weight in self.parts)
        return mean


Measure = Gamma | Precision | Orthogonality | WeightedMean
REPORTED: tuple[Measure, ...] = (*map(Gamma, ORDERINGS), Precision(), Orthogonality())
"""What every report shows of a strategy, in order."""
_GAMMAS = {
    str(gamma): gamma
    for gamma in (Gamma(ordering, ties) for ordering in ORDERINGS for ties in get_args(Ties))
}
_SHORT = {ordering: Gamma(ordering) for ordering in ORDERINGS}


def measure(text: str) -> Measure:
    """The measure that prints like this, or the weighted mean of several: `sibling=2,P@10=1`."""
    parts = [_weighted(part.strip(), text) for part in text.split(",")]
    if len(parts) == 1:
        return parts[0][0]
    names = [str(part) for part, _ in parts]
    if len({*names}) < len(names):
        raise StrategyError("measure", text, "several measures, each once")
    return WeightedMean(tuple(parts))


def _weighted(text: str, whole: str) -> tuple[Gamma | Precision | Orthogonality, float]:
    name, equals, weight = text.partition("=")
    if not equals:
        return _single(name, whole), 1.0
    try:
        found = float(weight)
    except ValueError:
        found = math.nan
    if not 0 < found <= MOST:
        raise StrategyError("measure", whole, f"a weight above 0 and up to {MOST} after each =")
    return _single(name.strip(), whole), found


def _single(text: str, whole: str) -> Gamma | Precision | Orthogonality:
    if text in _GAMMAS:
        return _GAMMAS[text]
    if text in _SHORT:
        return _SHORT[text]
    if text == str(Orthogonality()):
        return Orthogonality()
    precision = re.fullmatch(r"P@([1-9]\d{0,3})", text)
    if precision and int(precision[1]) <= MOST:
        return Precision(int(precision[1]))
    known = ", ".join([*_GAMMAS, f"P@1 to P@{MOST}", str(Orthogonality())])
    raise StrategyError("measure", whole, f"one of {known}, or several with weights (P@5=2,P@10=1)")
