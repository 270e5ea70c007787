"""Measures of an ordering: values that print as they are typed.

sibling-gamma          strict: a pair that is left tied counts as undecided
cousin-gamma:value     only pairs that the ordering decides count
P@10                   share of the first ten answers that are of the same class
orthogonality          share of pairs of a class that have no term in common
"""

import re
from dataclasses import dataclass
from typing import Literal, get_args

from pagekin.errors import StrategyError

__all__ = ["RELATIONS", "Gamma", "Measure", "Orthogonality", "Precision", "Relation", "measure"]

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

    relation: Relation = "sibling"
    ties: Ties = "strict"

    def __str__(self) -> str:
        return f"{self.relation}-gamma" + ("" if self.ties == "strict" else f":{self.ties}")


@dataclass(frozen=True, slots=True)
class Precision:
    """The share of the first k answers that are of the query page's class."""

    k: int = 10

    def __str__(self) -> str:
        return f"P@{self.k}"


@dataclass(frozen=True, slots=True)
class Orthogonality:
    """The share of pairs of pages of one class that have nothing in common: less is better."""

    def __str__(self) -> str:
        return "orthogonality"


Measure = Gamma | Precision | Orthogonality
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
