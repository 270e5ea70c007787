"""`pagekin.evaluate`: measures an index, or a TREC run, by a directory."""

import math
import os
from dataclasses import asdict, dataclass, replace
from os import PathLike
from typing import Any, TypedDict, Unpack

import numpy as np

from pagekin import _core
from pagekin.errors import IndexCorrupt, StrategyError
from pagekin.evaluation.counts import Counts, PooledCounts, count_bags, count_ranking
from pagekin.evaluation.measures import RELATIONS, Gamma, K, Orthogonality, Precision, Relation
from pagekin.evaluation.shown import ShownQuality, judge_shown
from pagekin.evaluation.truths import DEPTH, Directory
from pagekin.evaluation.truths.matching import (
    Coverage,
    CrawlPages,
    MatchedPages,
    match,
    within_bands,
)
from pagekin.evaluation.truths.trec import read_run
from pagekin.index import IndexReader
from pagekin.strategy import Strategy

__all__ = [
    "SIMILARITIES",
    "Band",
    "Evaluation",
    "EvaluationKeywords",
    "GammaResult",
    "bags_of",
    "crawl_pages",
    "evaluate",
    "matched_with",
]

Ids = np.ndarray[Any, np.dtype[np.uint64]]
SIMILARITIES = ("jaccard", "cosine")


class EvaluationKeywords(TypedDict, total=False):
    """The keywords of `evaluate`.

    `depth` cuts a directory that is given as a file. `run` is a file of somebody else's answers
    in TREC's format, evaluated instead of the index. `queries` pages, drawn with a seed, are asked
    about instead of all.
    """

    depth: int
    similarity: str
    run: str | PathLike[str] | None
    queries: int | None
    seed: int


@dataclass(frozen=True, slots=True)
class _Options:
    """The keywords with their defaults."""

    depth: int = DEPTH
    similarity: str = "jaccard"
    run: str | PathLike[str] | None = None
    queries: int | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        if self.similarity not in SIMILARITIES:
            raise StrategyError("similarity", self.similarity, f"one of {', '.join(SIMILARITIES)}")


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
    """The strict Γ of the query pages within a band of in-degree."""

    inlinks: str
    pages: int
    sibling: float | None
    cousin: float | None
    unrelated: float | None
    precision_at_10: float | None


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The agreement of an ordering of pages with a directory.

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
    shown: ShownQuality | None = None

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
            "as_shown": asdict(self.shown) if self.shown else None,
        }


def evaluate(
    index: IndexReader | str | PathLike[str],
    directory: Directory | str | PathLike[str],
    **keywords: Unpack[EvaluationKeywords],
) -> Evaluation:
    """Measure by a directory how well the similarities of an index agree with the classes.

    Γ is over all pairs. The answers as shown are measured for every page of the directory, or for
    a sample of them.
    """
    options = _Options(**keywords)
    opened = index if isinstance(index, IndexReader) else IndexReader(index)
    directory = Directory.of(directory, options.depth)
    matched = matched_with(opened, directory)
    threads = os.cpu_count() or 1
    if options.run is None:
        counts = count_bags(bags_of(opened, matched), matched, threads, options.similarity)
        queries = _drawn(matched.ids, options.queries, options.seed)
        found = _summarise(counts, matched, opened.strategy, options.similarity)
        found = replace(found, shown=judge_shown(opened, matched, queries, threads))
    else:
        answers = read_run(options.run, matched)
        counts = count_ranking(answers.ranking, matched, threads).only(answers.queried)
        found = _summarise(counts, matched, None, "run")
    return replace(found, skipped=directory.skipped)


def _drawn(ids: Ids, count: int | None, seed: int) -> Ids:
    """These pages, or `count` of them drawn with a seed, in order."""
    if count is None or count >= len(ids):
        return ids
    return np.sort(np.random.default_rng(seed).choice(ids, size=count, replace=False))


def matched_with(index: IndexReader, directory: Directory) -> MatchedPages:
    """The directory's pages that are in the index."""
    return match(directory, crawl_pages(index))


def crawl_pages(index: IndexReader) -> CrawlPages:
    """Every URL of the index."""
    table = index.tables["pages"].scan(["id", "crawled", "inlinks"])
    ids, crawled, inlinks = (column.to_numpy() for column in table.columns)
    return CrawlPages(ids, crawled.astype(bool), inlinks.astype(np.int64))


def bags_of(index: IndexReader, matched: MatchedPages) -> _core.Collection:
    """The bags of the matched pages."""
    try:
        return _core.Collection(index.tables["bags"].select(matched.ids))
    except ValueError as error:
        raise IndexCorrupt(
            f"the bags are damaged ({error})", path=index.path, advice="build the index again"
        ) from error


def _summarise(
    counts: Counts, matched: MatchedPages, strategy: Strategy | None, similarity: str
) -> Evaluation:
    """Every measure of an ordering, from its counts."""
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
        skipped={},
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


def _bands(counts: Counts, matched: MatchedPages) -> list[Band]:
    pooled = [(name, counts.where(within)) for name, within in within_bands(matched)]
    return [_band(name, found) for name, found in pooled if found.queries[0]]


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
