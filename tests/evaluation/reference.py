"""Γ, precision and orthogonality as the paper defines them: every pair looked at, one by one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

Path = tuple[str, ...]
Bag = Mapping[int, int]
RELATIONS = ("same", "sibling", "cousin", "unrelated")


def relation(query: Sequence[Path], other: Sequence[Path]) -> str:
    """The nearest relation between any two of their classes."""
    return min((_relation(one, two) for one in query for two in other), key=RELATIONS.index)


def _relation(query: Path, other: Path) -> str:
    """Climb from the query page's class to the first class that contains the other page."""
    for distance in range(len(query) + 1):
        above = query[: len(query) - distance]
        if other[: len(above)] == above:
            if not above:
                return "unrelated"
            return RELATIONS[min(distance, 2)]
    raise AssertionError("the root holds every page")


def jaccard(one: Bag, two: Bag) -> Fraction:
    terms = one.keys() | two.keys()
    least = sum(min(one.get(term, 0), two.get(term, 0)) for term in terms)
    most = sum(max(one.get(term, 0), two.get(term, 0)) for term in terms)
    return Fraction(least, most) if most else Fraction(0)


def cosine_squared(one: Bag, two: Bag) -> Fraction:
    """In the order of the cosine, without a root."""
    product = sum(weight * two.get(term, 0) for term, weight in one.items())
    norms = sum(w * w for w in one.values()) * sum(w * w for w in two.values())
    return Fraction(product * product, norms) if norms else Fraction(0)


@dataclass
class Outcome:
    """Concordant, discordant and tied pairs of a query page."""

    concordant: int = 0
    discordant: int = 0
    tied: int = 0


def outcomes(
    query: int, similarity: Sequence[Fraction | float], classes: Sequence[Sequence[Path]]
) -> dict[str, Outcome]:
    """Every pair of two pages, the one nearer to the query page than the other, compared."""
    found = {name: Outcome() for name in (*RELATIONS[1:], "whole")}
    distances = [RELATIONS.index(relation(classes[query], other)) for other in classes]
    others = [page for page in range(len(classes)) if page != query]
    if not any(distances[page] == 0 for page in others):
        return found
    for one in others:
        for two in others:
            if distances[one] < distances[two]:
                _compare(found["whole"], similarity[one], similarity[two])
                if distances[one] == 0:
                    _compare(found[RELATIONS[distances[two]]], similarity[one], similarity[two])
    return found


def _compare(outcome: Outcome, near: Fraction | float, far: Fraction | float) -> None:
    if near > far:
        outcome.concordant += 1
    elif near < far:
        outcome.discordant += 1
    else:
        outcome.tied += 1


def hits(
    query: int,
    k: int,
    similarity: Sequence[Fraction | float],
    classes: Sequence[Sequence[Path]],
) -> Fraction:
    """How many of the first k belong to the class; tied pages count by their chance."""
    answers = [page for page, alike in enumerate(similarity) if alike > 0 and page != query]
    total = Fraction(0)
    for page in answers:
        if relation(classes[query], classes[page]) != "same":
            continue
        above = sum(similarity[other] > similarity[page] for other in answers)
        tied = sum(similarity[other] == similarity[page] for other in answers)
        total += Fraction(min(max(k - above, 0), tied), tied)
    return total
