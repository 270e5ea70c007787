"""Γ class by class, and the class that dominates it.

Γ is pooled over query pages. A class of N pages has about N² pairs with each sibling page, so a
few large classes can decide it.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from pagekin.evaluation.counts import PooledCounts
from pagekin.evaluation.measures import ORDERINGS, Gamma
from pagekin.evaluation.report.html_parts import number
from pagekin.evaluation.selection import Result
from pagekin.evaluation.truths.matching import MatchedPages

__all__ = ["DOMINATES", "class_rows", "dominating_class", "pair_shares"]

Real = np.ndarray[Any, np.dtype[np.float64]]
DOMINATES = 0.25
"""A class with this share of the pairs is named."""


def pair_shares(classes: PooledCounts, gamma: Gamma) -> Real:
    """The share of each class in the pairs that a Γ is pooled from."""
    pairs = classes.pairs[:, ORDERINGS.index(gamma.relation)].sum(axis=1)
    shares: Real = pairs / max(pairs.sum(), 1)
    return shares


def dominating_class(result: Result, matched: MatchedPages, gamma: Gamma) -> str:
    """A sentence about the class with the most pairs, and Γ without it."""
    shares = pair_shares(result.classes, gamma)
    most = int(shares.argmax())
    name, share = "/".join(matched.classes[most]), shares[most]
    if share < DOMINATES:
        return f"No class dominates: the largest share is {share:.0%}, of {name}."
    others = np.ones((1, len(shares)))
    others[0, most] = 0
    without = float(result.classes.summed(others).measure(gamma)[0])
    return f"{name} dominates with {share:.0%} of the pairs; without it Γ is {number(without)}."


def class_rows(
    results: Sequence[Result], matched: MatchedPages, gamma: Gamma
) -> Iterator[tuple[str, ...]]:
    """Name, query pages, share of pairs, and Γ of each result; the largest share first."""
    shares = pair_shares(results[0].classes, gamma)
    queries = results[0].classes.queries
    values = [result.classes.measure(gamma) for result in results]
    for place in np.argsort(-shares, kind="stable").tolist():
        yield (
            "/".join(matched.classes[place]),
            f"{int(queries[place]):,}",
            f"{shares[place]:.1%}",
            *(number(float(each[place])) for each in values),
        )
