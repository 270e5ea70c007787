"""Judges ranked answers by pairs of a query page and a related page: see-also lists.

file -> see-also pairs -> matched pairs -+-> relevance by rank -> measures
                                         |
index (related), or a TREC run ----------+
"""

import os
from dataclasses import asdict, dataclass
from os import PathLike
from typing import Any

import numpy as np

from pagekin.evaluation.measures import K
from pagekin.evaluation.ranked import RANKED, RankedAnswers, Relevance, Score, mean_score
from pagekin.evaluation.shown import HitKinds, hit_kinds, shown_answers
from pagekin.evaluation.truths.see_also import BIAS, MatchedSeeAlso, SeeAlso, match_see_also
from pagekin.evaluation.truths.trec import RunCounts, TrecRun
from pagekin.index import IndexReader
from pagekin.strategy import Strategy
from pagekin.work.outcome import HeldOutPages

__all__ = ["RankedScores", "SeeAlsoEvaluation", "evaluate_see_also"]


@dataclass(frozen=True, slots=True)
class RankedScores:
    """Measures over some queries, and how many pages are relevant to them."""

    queries: int
    relevant: int
    measures: dict[str, Score]


@dataclass(frozen=True, slots=True)
class SeeAlsoEvaluation:
    """How many of the pages that authors list are found.

    `strict` counts only related pages that the query page links to nowhere else; None if there
    are none. `hits` are the kinds of hits that the index shows; None for a TREC run, of which
    `run` says what could be used. `held_out` says what the index was built without; None for a
    file of pairs. `without_related` counts query pages without a related page.
    """

    strategy: Strategy | None
    all: RankedScores
    strict: RankedScores | None
    hits: HitKinds | None
    skipped: dict[str, int]
    without_related: int
    held_out: HeldOutPages | None = None
    run: RunCounts | None = None
    bias: str = BIAS

    def as_dict(self) -> dict[str, Any]:
        """The form for JSON."""
        return {
            "strategy": self.strategy.as_dict() if self.strategy else None,
            "all": asdict(self.all),
            "strict": asdict(self.strict) if self.strict else None,
            "hits": asdict(self.hits) if self.hits else None,
            "skipped": self.skipped,
            "without_related": self.without_related,
            "held_out": asdict(self.held_out) if self.held_out else None,
            "run": asdict(self.run) if self.run else None,
            "bias": self.bias,
        }


def evaluate_see_also(
    index: IndexReader,
    truth: SeeAlso | str | PathLike[str],
    run: str | PathLike[str] | None = None,
) -> SeeAlsoEvaluation:
    """Judge what an index shows, or the answers of a TREC run, by what authors list."""
    given = truth if isinstance(truth, SeeAlso) else SeeAlso.read(truth)
    pairs = match_see_also(index, given)
    queries = np.unique(pairs.queries)
    strict = pairs.only(~pairs.linked)
    others = None if run is None else TrecRun.read(run)
    if others is None:
        answers = shown_answers(index, queries, os.cpu_count() or 1)
    else:
        answers = others.answers(queries, K)
    return SeeAlsoEvaluation(
        strategy=None if others else index.strategy,
        all=_scores(answers, pairs),
        strict=_scores(answers, strict) if len(strict.queries) else None,
        hits=None if others else hit_kinds(index, answers, K),
        skipped=pairs.skipped,
        without_related=pairs.without_related,
        run=others.counts(queries) if others else None,
        bias=given.bias,
    )


def _scores(answers: RankedAnswers, pairs: MatchedSeeAlso) -> RankedScores:
    relevance = Relevance.of(answers, pairs.queries, pairs.related, K)
    return RankedScores(
        queries=len(relevance.relevant),
        relevant=int(relevance.relevant.sum()),
        measures={str(measure): mean_score(measure.of(relevance)) for measure in RANKED},
    )
