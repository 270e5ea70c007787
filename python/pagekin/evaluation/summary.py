"""The result of evaluating one ordering by a directory, and its forms."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from pagekin.evaluation.counts import Counts, Flags, PooledCounts
from pagekin.evaluation.matching import Coverage, MatchedPages
from pagekin.evaluation.measures import RELATIONS, Gamma, K, Orthogonality, Precision, Relation
from pagekin.strategy import Strategy

__all__ = ["BANDS", "Band", "Evaluation", "GammaResult", "summarised", "within_bands"]

BANDS = ((0, 0), (1, 3), (4, 15), (16, 63), (64, None))
"""Bands of in-degree: the fewest and the most inlinks of a page."""


@dataclass(frozen=True, slots=True)
class GammaResult:
    """Γ over the pairs of one relation. None where the directory has no such pairs.

    The interval is of `strict`; `mean` is the mean of the strict Γ of each query page.
    """

    value: float | None
    strict: float | None
    concordant: int
    discordant: int
    tied: int
    interval: tuple[float, float] | None
    mean: float | None


@dataclass(frozen=True, slots=True)
class Band:
    """The strict Γ of the query pages with so many inlinks."""

    inlinks: str
    pages: int
    sibling: float | None
    cousin: float | None
    unrelated: float | None
    precision_at_10: float | None


@dataclass(frozen=True, slots=True)
class Evaluation:
    """How an ordering of pages agrees with a directory.

    `queries` is the number of pages that have another of their class in the crawl, and that the
    ordering was asked about.
    """

    strategy: Strategy | None
    similarity: str
    pages: int
    classes: int
    queries: int
    gamma: dict[str, GammaResult]
    orthogonal_same_class: float | None
    precision_at_10: float | None
    bands: list[Band]
    coverage: Coverage
    skipped: dict[str, int]
    counts: Counts

    def as_dict(self) -> dict[str, Any]:
        """The form for JSON."""
        return {
            "strategy": self.strategy.as_dict() if self.strategy else None,
            "similarity": self.similarity,
            "pages": self.pages,
            "classes": self.classes,
            "queries": self.queries,
            "gamma": {name: _fields(gamma) for name, gamma in self.gamma.items()},
            "orthogonal_same_class": self.orthogonal_same_class,
            "precision_at_10": self.precision_at_10,
            "bands": [_fields(band) for band in self.bands],
            "directory": {**_fields(self.coverage), "skipped": self.skipped},
        }


def summarised(
    counts: Counts,
    matched: MatchedPages,
    *,
    strategy: Strategy | None,
    similarity: str,
    skipped: dict[str, int],
) -> Evaluation:
    """Everything that is told of an ordering, from its counts."""
    pooled = counts.all()
    return Evaluation(
        strategy=strategy,
        similarity=similarity,
        pages=len(matched.ids),
        classes=len(matched.classes),
        queries=int(pooled.queries[0]),
        gamma={relation: _gamma(counts, relation) for relation in RELATIONS},
        orthogonal_same_class=_number(pooled.measure(Orthogonality())[0]),
        precision_at_10=_number(pooled.measure(Precision(K))[0]),
        bands=_bands(counts, matched),
        coverage=matched.coverage,
        skipped=skipped,
        counts=counts,
    )


def _gamma(counts: Counts, relation: Relation) -> GammaResult:
    pooled, strict = counts.all(), Gamma(relation)
    right, wrong, tied = pooled.pairs[0, RELATIONS.index(relation)].astype(np.int64).tolist()
    low, high = counts.interval(strict)
    return GammaResult(
        value=_number(pooled.measure(Gamma(relation, "value"))[0]),
        strict=_number(pooled.measure(strict)[0]),
        concordant=right,
        discordant=wrong,
        tied=tied,
        interval=None if math.isnan(low) else (low, high),
        mean=_number(counts.mean(strict)),
    )


def within_bands(matched: MatchedPages) -> list[tuple[str, Flags]]:
    """The bands by name, and which pages are in each."""
    bands = []
    for least, most in BANDS:
        within = matched.inlinks >= least
        if most is not None:
            within &= matched.inlinks <= most
        bands.append((_band_name(least, most), within))
    return bands


def _bands(counts: Counts, matched: MatchedPages) -> list[Band]:
    pooled = [(name, counts.where(within)) for name, within in within_bands(matched)]
    return [_band(name, found) for name, found in pooled if found.queries[0]]


def _band_name(least: int, most: int | None) -> str:
    if most is None:
        return f"{least}+"
    return str(least) if least == most else f"{least}-{most}"


def _band(inlinks: str, pooled: PooledCounts) -> Band:
    sibling, cousin, unrelated = (
        _number(pooled.measure(Gamma(relation))[0]) for relation in RELATIONS
    )
    precision = _number(pooled.measure(Precision(K))[0])
    return Band(inlinks, int(pooled.queries[0]), sibling, cousin, unrelated, precision)


def _number(value: float) -> float | None:
    return None if math.isnan(value) else float(value)


def _fields(value: GammaResult | Band | Coverage) -> dict[str, Any]:
    return {name: getattr(value, name) for name in value.__slots__}
