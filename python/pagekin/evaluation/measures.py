"""Measures of an ordering: values that print as they are typed.

sibling-gamma          Goodman and Kruskal's Γ; strict: a pair that is left tied counts as undecided
cousin-gamma:value     only pairs that the ordering decides count
P@10                   share of the first ten answers that are of the same class
orthogonality          share of pairs of a class that have no term in common

A measure computes itself from counts that are summed over query pages. `measure` knows each by
what is typed, and `REPORTED` are those of every report. A new one is a class here, and its counts
in `counts.py` if they are not there yet.
"""

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal, get_args

import numpy as np

from pagekin.errors import StrategyError

if TYPE_CHECKING:
    from pagekin.evaluation.counts import PooledCounts

__all__ = [
    "RELATIONS",
    "REPORTED",
    "Gamma",
    "K",
    "Measure",
    "Orthogonality",
    "Precision",
    "Relation",
    "measure",
]

Real = np.ndarray[Any, np.dtype[np.float64]]
K = 10
"""Number of answers for precision."""
Relation = Literal["sibling", "cousin", "unrelated"]
Ties = Literal["strict", "value"]
RELATIONS: tuple[Relation, ...] = get_args(Relation)
MOST = 1000


@dataclass(frozen=True, slots=True)
class Gamma:
    """Γ over pairs of a page of the same class and one of this relation.

    With C pairs in the right order, D in the wrong one and T tied: `value` is (C - D) / (C + D),
    `strict` is (C - D) / (C + D + T).
    """

    less_is_better: ClassVar[bool] = False
    relation: Relation = "sibling"
    ties: Ties = "strict"

    def __str__(self) -> str:
        return f"{self.relation}-gamma" + ("" if self.ties == "strict" else f":{self.ties}")

    def of(self, counts: "PooledCounts") -> Real:
        """Γ of each group."""
        right, wrong, tied = np.moveaxis(counts.pairs[:, RELATIONS.index(self.relation)], 1, 0)
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

    def of(self, counts: "PooledCounts") -> Real:
        """The precision of each group."""
        return counts.hits[self.k] / (self.k * counts.queries)


@dataclass(frozen=True, slots=True)
class Orthogonality:
    """The share of pairs of pages of one class that have nothing in common: less is better."""

    less_is_better: ClassVar[bool] = True

    def __str__(self) -> str:
        return "orthogonality"

    def of(self, counts: "PooledCounts") -> Real:
        """The orthogonality of each group."""
        return counts.orthogonal / counts.same


Measure = Gamma | Precision | Orthogonality
REPORTED: tuple[Measure, ...] = (*map(Gamma, RELATIONS), Precision(), Orthogonality())
"""What every report shows of a strategy, in order."""
_GAMMAS = {
    str(gamma): gamma
    for gamma in (Gamma(relation, ties) for relation in RELATIONS for ties in get_args(Ties))
}


def measure(text: str) -> Measure:
    """The measure that prints like this."""
    if text in _GAMMAS:
        return _GAMMAS[text]
    if text == str(Orthogonality()):
        return Orthogonality()
    precision = re.fullmatch(r"P@([1-9]\d{0,3})", text)
    if precision and int(precision[1]) <= MOST:
        return Precision(int(precision[1]))
    known = ", ".join([*_GAMMAS, f"P@1 to P@{MOST}", str(Orthogonality())])
    raise StrategyError("measure", text, f"one of {known}")
