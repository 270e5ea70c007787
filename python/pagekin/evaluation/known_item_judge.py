"""Judges an index by known items: does a title, sentence or passage bring its page back?

BM25 answers the same texts in the same run. A page with the same text as the known one counts as
found, too.
"""

import os
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from pagekin.errors import InputError
from pagekin.evaluation.bm25 import Bm25
from pagekin.evaluation.measures import K
from pagekin.evaluation.ranked import RankedMeasure, Relevance, Score, mean_score
from pagekin.evaluation.shown import text_digests
from pagekin.evaluation.truths.known_items import BIAS, KnownItem, draw_known_items
from pagekin.index import IndexReader
from pagekin.query.filters import Filters
from pagekin.query.question import Question, resolve
from pagekin.query.related import find
from pagekin.strategy import Strategy
from pagekin.work.threads import map_by_threads

__all__ = [
    "KnownItemEvaluation",
    "KnownItemScores",
    "PageCopies",
    "evaluate_known_items",
    "known_item_relevance",
    "related_to_texts",
]

Ids = np.ndarray[Any, np.dtype[np.uint64]]
System = Callable[[Sequence[str]], list[Ids]]
MEASURES = (RankedMeasure("RR", K), RankedMeasure("Success", 1), RankedMeasure("Success", K))
_STEP = 32


@dataclass(frozen=True, slots=True)
class KnownItemScores:
    """The measures of each system on texts of one kind."""

    queries: int
    pagekin: dict[str, Score]
    bm25: dict[str, Score]


@dataclass(frozen=True, slots=True)
class KnownItemEvaluation:
    """How often a text brings back the page it was taken from, by kind of text."""

    strategy: Strategy
    kinds: dict[str, KnownItemScores]
    skipped: dict[str, int]

    def as_dict(self) -> dict[str, Any]:
        """The form for JSON."""
        return {
            "strategy": self.strategy.as_dict(),
            "kinds": {kind: asdict(scores) for kind, scores in self.kinds.items()},
            "skipped": self.skipped,
            "bias": BIAS,
        }


def evaluate_known_items(index: IndexReader, count: int, seed: int = 0) -> KnownItemEvaluation:
    """Ask about `count` titles, sentences and passages of pages, drawn with a seed."""
    drawn = draw_known_items(index, count, seed)
    kinds = {kind: items for kind, items in drawn.items.items() if items}
    if not kinds:
        raise InputError(
            "no page has a title of its own or enough words to draw a text from",
            source=index.path,
            advice="evaluate by a directory or by see-also lists",
        )
    copies = PageCopies(index)
    bm25, pagekin = Bm25(index), related_to_texts(index)
    return KnownItemEvaluation(
        strategy=index.strategy,
        kinds={
            kind: KnownItemScores(
                queries=len(items),
                pagekin=_scores(items, pagekin, copies),
                bm25=_scores(items, lambda texts: bm25.search(texts, K), copies),
            )
            for kind, items in kinds.items()
        },
        skipped=drawn.skipped,
    )


class PageCopies:
    """Which pages have the same text."""

    def __init__(self, index: IndexReader) -> None:
        self._digests = text_digests(index)

    def is_same(self, one: int, other: int) -> bool:
        """Whether two pages are one, or have the same text."""
        return one == other or (
            one in self._digests and self._digests[one] == self._digests.get(other)
        )


def _scores(items: Sequence[KnownItem], system: System, copies: PageCopies) -> dict[str, Score]:
    relevance = known_item_relevance(items, system([item.text for item in items]), copies)
    return {str(measure): mean_score(measure.of(relevance)) for measure in MEASURES}


def known_item_relevance(
    items: Sequence[KnownItem], answers: Sequence[Ids], copies: PageCopies
) -> Relevance:
    """Which of the first ten answers to each text are its page, or have the same text."""
    found = np.zeros((len(items), K), dtype=bool)
    for row, (item, hits) in enumerate(zip(items, answers, strict=True)):
        found[row, : len(hits)] = [copies.is_same(item.page, hit) for hit in hits.tolist()]
    return Relevance(found, np.ones(len(items), dtype=np.int64))


def related_to_texts(index: IndexReader, threads: int = 0, k: int = K) -> System:
    """What `related --text` shows."""
    filters = Filters(k=k)

    def answer(texts: Sequence[str]) -> list[Ids]:
        found = []
        for text in texts:
            hits = find(index, resolve(index, Question(text=text)), filters).hits
            found.append(np.array([index.searcher.id(hit.page) for hit in hits], dtype=np.uint64))
        return found

    def answer_all(texts: Sequence[str]) -> list[Ids]:
        parts = [texts[start : start + _STEP] for start in range(0, len(texts), _STEP)]
        answers = map_by_threads(answer, parts, threads or os.cpu_count() or 1)
        return [hits for part in answers for hits in part]

    return answer_all
