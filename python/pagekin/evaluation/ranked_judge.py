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
from pagekin.evaluation.truths.see_also import MatchedSeeAlso, SeeAlso, match_see_also
from pagekin.evaluation.truths.trec import read_answers
from pagekin.index import IndexReader
from pagekin.strategy import Strategy

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
    are none. `hits` are the kinds of hits that the index shows; None for a TREC run.
    """

    strategy: Strategy | None
    all: RankedScores
    strict: RankedScores | None
    hits: HitKinds | None
    skipped: dict[str, int]

    def as_dict(self) -> dict[str, Any]:
        """The form for JSON."""
        return {
            "strategy": self.strategy.as_dict() if self.strategy else None,
            "all": asdict(self.all),
            "strict": asdict(self.strict) if self.strict else None,
            "hits": asdict(self.hits) if self.hits else None,
            "skipped": self.skipped,
        }


def evaluate_see_also(
    index: IndexReader,
    truth: SeeAlso | str | PathLike[str],
    run: str | PathLike[str] | None = None,
) -> SeeAlsoEvaluation:
    """Judge what an index shows, or the answers of a TREC run, by what authors list."""
    pairs = match_see_also(index, truth if isinstance(truth, SeeAlso) else SeeAlso.read(truth))
    queries = np.unique(pairs.queries)
    strict = pairs.only(~pairs.linked)
    if run is None:
        answers = shown_answers(index, queries, os.cpu_count() or 1)
        hits = hit_kinds(index, answers, K)
    else:
        answers, hits = read_answers(run, queries, K), None
    return SeeAlsoEvaluation(
        strategy=index.strategy if run is None else None,
        all=_scores(answers, pairs),
        strict=_scores(answers, strict) if len(strict.queries) else None,
        hits=hits,
        skipped=pairs.skipped,
    )


def _scores(answers: RankedAnswers, pairs: MatchedSeeAlso) -> RankedScores:
    relevance = Relevance.of(answers, pairs.queries, pairs.related, K)
    return RankedScores(
        queries=len(relevance.relevant),
        relevant=int(relevance.relevant.sum()),
        measures={str(measure): mean_score(measure.of(relevance)) for measure in RANKED},
    )
