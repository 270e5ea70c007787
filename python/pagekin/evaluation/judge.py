"""`pagekin.evaluate`: measures an index, or a TREC run, by a directory."""

import math
import os
from dataclasses import asdict, dataclass, replace
from os import PathLike
from typing import Any, TypedDict, Unpack

import numpy as np

from pagekin import _core
from pagekin.errors import IndexCorrupt, StrategyError
from pagekin.evaluation.counts import Counts, count_bags, count_ranking
from pagekin.evaluation.measures import (
    ORDERINGS,
    Gamma,
    K,
    Ordering,
    Orthogonality,
    Precision,
)
from pagekin.evaluation.ranked import RankedAnswers
from pagekin.evaluation.shown import ShownQuality, judge_shown, shown_answers
from pagekin.evaluation.strata import (
    PageProperties,
    Representation,
    Stratum,
    page_properties,
    represent,
    strata,
)
from pagekin.evaluation.truths import DEPTH, Directory
from pagekin.evaluation.truths.directory import BIAS
from pagekin.evaluation.truths.matching import (
    Coverage,
    CrawlPages,
    MatchedPages,
    match,
)
from pagekin.evaluation.truths.trec import RunCounts, TrecRun
from pagekin.index import IndexReader
from pagekin.strategy import Strategy

__all__ = [
    "SIMILARITIES",
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
    """Γ over the pairs of one ordering. None where the directory has no such pairs.

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
class Evaluation:
    """The agreement of an ordering of pages with a directory.

    `queries` is the number of pages that have another of their class in the crawl, and that the
    ordering was asked about. `strata` are groups of those by in-degree, length, and crawled or
    not; `representation` says how they differ from the crawl's pages. `run` says what could be
    used of a TREC run.
    """

    strategy: Strategy | None
    similarity: str
    pages: int
    classes: int
    queries: int
    gamma: dict[str, GammaResult]
    orthogonal_same_class: float | None
    precision_at_10: float | None
    strata: dict[str, list[Stratum]]
    representation: Representation | None
    coverage: Coverage
    skipped: dict[str, int]
    counts: Counts
    shown: ShownQuality | None = None
    depth_note: str = ""
    run: RunCounts | None = None

    @property
    def bands(self) -> list[Stratum]:
        """The strata by in-degree."""
        return self.strata["inlinks"]

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
            "bands": [_as_band(stratum) for stratum in self.bands],
            "strata": {
                name: [asdict(stratum) for stratum in groups]
                for name, groups in self.strata.items()
                if name != "inlinks"
            },
            "representation": asdict(self.representation) if self.representation else None,
            "directory": {
                **_fields(self.coverage),
                "skipped": self.skipped,
                "depth_note": self.depth_note,
            },
            "as_shown": asdict(self.shown) if self.shown else None,
            "run": asdict(self.run) if self.run else None,
            "bias": BIAS,
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
    pages = page_properties(opened)
    threads = os.cpu_count() or 1
    if options.run is None:
        counts = count_bags(bags_of(opened, matched), matched, threads, options.similarity)
        found = _summarise(counts, matched, pages, opened.strategy)
        queries = _drawn(matched.ids, options.queries, options.seed)
        answers = shown_answers(opened, queries, threads)
    else:
        found, answers = _judge_run(TrecRun.read(options.run), matched, pages, options)
    return replace(
        found,
        similarity=options.similarity if options.run is None else "run",
        shown=judge_shown(opened, matched, answers),
        skipped=directory.skipped,
        depth_note=directory.depth_note,
    )


def _judge_run(
    run: TrecRun, matched: MatchedPages, pages: PageProperties, options: _Options
) -> tuple[Evaluation, RankedAnswers]:
    """The scores of a run over all pairs, and its first answers."""
    ranking, queried = run.ranking(matched)
    counts = count_ranking(ranking, matched, os.cpu_count() or 1).only(queried)
    found = replace(_summarise(counts, matched, pages, None), run=run.counts(matched.ids))
    queries = _drawn(matched.ids[queried], options.queries, options.seed)
    return found, run.answers(queries, K)


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
    counts: Counts, matched: MatchedPages, crawl: PageProperties, strategy: Strategy | None
) -> Evaluation:
    """Every measure of an ordering, from its counts."""
    pooled = counts.all()
    pages = crawl.only(np.isin(crawl.ids, matched.ids))
    return Evaluation(
        strategy=strategy,
        similarity="",
        pages=len(matched.ids),
        classes=len(matched.classes),
        queries=int(pooled.queries[0]),
        gamma={ordering: _gamma(counts, ordering) for ordering in ORDERINGS},
        orthogonal_same_class=_number(pooled.measure(Orthogonality())[0]),
        precision_at_10=_number(pooled.measure(Precision(K))[0]),
        strata=strata(counts, pages),
        representation=represent(counts, pages, crawl),
        coverage=matched.coverage,
        skipped={},
        counts=counts,
    )


def _gamma(counts: Counts, ordering: Ordering) -> GammaResult:
    pooled, strict = counts.all(), Gamma(ordering)
    right, wrong, tied = pooled.pairs[0, ORDERINGS.index(ordering)].astype(np.int64).tolist()
    low, high = counts.interval(strict)
    return GammaResult(
        value=_number(pooled.measure(Gamma(ordering, "value"))[0]),
        strict=_number(pooled.measure(strict)[0]),
        concordant=right,
        discordant=wrong,
        tied=tied,
        interval=None if math.isnan(low) else (low, high),
        mean=_number(counts.mean(strict)),
    )


def _as_band(stratum: Stratum) -> dict[str, Any]:
    """A stratum of in-degree as it is called in JSON."""
    fields = asdict(stratum)
    return {"inlinks": fields.pop("name"), **fields}


def _number(value: float) -> float | None:
    return None if math.isnan(value) else float(value)


def _fields(value: GammaResult | Coverage) -> dict[str, Any]:
    return {name: getattr(value, name) for name in value.__slots__}
