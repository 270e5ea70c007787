"""What is judged: pagekin with a preset, and rivals. All answer the same three questions."""

import time
from collections import defaultdict
from collections.abc import Sequence
from functools import cache
from typing import Any, Protocol

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

import pagekin
from bench.quality.pages import read_texts
from bench.quality.rivals import RIVALS, Rival, removed_with
from bench.quality.shared_phrases import KnownPhrases, SharedPhrases
from bench.quality.truths.crawls import SharedCrawl
from pagekin import _core
from pagekin.evaluation.counts import Counts, count_bags, count_pairs
from pagekin.evaluation.judge import bags_of
from pagekin.evaluation.known_item_judge import related_to_texts
from pagekin.evaluation.measures import K
from pagekin.evaluation.ranked import RankedAnswers
from pagekin.evaluation.shown import shown_answers
from pagekin.evaluation.truths.matching import MatchedPages
from pagekin.query.question import has_words
from pagekin.strategy import DEFAULT, Concept, Kinds, Lead, Mix, Strategy, presets
from pagekin.work.settings import HoldOut

__all__ = ["STRATEGIES", "System", "open_system"]

Ids = np.ndarray[Any, np.dtype[np.uint64]]
Scores = NDArray[np.float32]
_STEP = 128
STRATEGIES = {
    **presets(),
    "settings of 0.1.0": Strategy(
        kinds=Kinds(concept=2.0),
        mix=Mix(normalise_kinds=True),
        concept=Concept(components=40, mixed=16, anchor=1.0, cited=0.5),
        lead=Lead(30),
    ),
}
"""The presets, the default first, and the default of version 0.1.0."""


class System(Protocol):
    """Something that finds pages, and what it cost to make."""

    @property
    def milliseconds(self) -> float:
        """Core time for each page of the crawl until questions can be asked."""

    @property
    def has_words(self) -> bool:
        """Whether it can be asked about a text."""

    def order(self, matched: MatchedPages) -> Counts:
        """How it orders all pairs of a directory's pages."""

    def related(self, queries: Ids) -> RankedAnswers:
        """The first ten pages that it shows for each page."""

    def search(self, texts: Sequence[str], most: int = K) -> list[Ids]:
        """The first `most` pages that it shows for each text."""

    def without(self, hold_out: HoldOut) -> "System":
        """The same without some of the evidence."""


class PagekinSystem:
    """An index by a preset, asked with the defaults of `related`."""

    def __init__(self, crawl: SharedCrawl, preset: str, hold_out: HoldOut | None = None) -> None:
        self._crawl, self._preset = crawl, preset
        is_kept = preset == DEFAULT and hold_out is None
        path = crawl.default_index if is_kept else removed_with(self) / "index"
        start = time.process_time()
        made = pagekin.build(
            crawl.archive,
            path,
            strategy=STRATEGIES[preset],
            settings=pagekin.Settings(threads=1, hold_out=hold_out),
        )
        self.milliseconds = 1000 * (time.process_time() - start) / made.pages
        self._index = SharedPhrases(path, _known_phrases(crawl))

    @property
    def has_words(self) -> bool:
        return has_words(self._index)

    def order(self, matched: MatchedPages) -> Counts:
        return count_bags(bags_of(self._index, matched), matched, threads=1)

    def related(self, queries: Ids) -> RankedAnswers:
        return shown_answers(self._index, queries, threads=1)

    def search(self, texts: Sequence[str], most: int = K) -> list[Ids]:
        return related_to_texts(self._index, threads=1, k=most)(texts)

    def without(self, hold_out: HoldOut) -> System:
        return PagekinSystem(self._crawl, self._preset, hold_out)


@cache
def _known_phrases(crawl: SharedCrawl) -> KnownPhrases:
    """What the indexes of a crawl share."""
    del crawl
    return defaultdict(dict)


class RivalSystem:
    """A rival among the crawled pages. A page is not an answer to itself."""

    def __init__(self, crawl: SharedCrawl, rival: Rival) -> None:
        fitted = rival.fit(crawl, rival.templates)
        self._ids = read_texts(crawl, templates=rival.templates).ids
        self._scorer = fitted.scorer
        self.milliseconds = 1000 * fitted.seconds / len(self._ids)

    @property
    def has_words(self) -> bool:
        return True

    def order(self, matched: MatchedPages) -> Counts:
        rows = self._rows(matched.ids)

        def tally(ks: list[int], first: int, last: int) -> pa.RecordBatch:
            scores = self._scorer.of_pages(rows[first:last].tolist())[:, rows]
            return _ranking(scores, first).tally(matched.family, ks, first, last)

        return count_pairs(tally, matched.first_class, len(matched.classes), [K], threads=1)

    def related(self, queries: Ids) -> RankedAnswers:
        answers: list[Ids] = []
        for start in range(0, len(queries), _STEP):
            rows = self._rows(queries[start : start + _STEP])
            scores = self._scorer.of_pages(rows.tolist(), K + 1)
            scores[np.arange(len(rows)), rows] = 0
            answers += self._best(scores, K)
        return RankedAnswers(queries, answers)

    def search(self, texts: Sequence[str], most: int = K) -> list[Ids]:
        answers: list[Ids] = []
        for start in range(0, len(texts), _STEP):
            scores = self._scorer.of_texts(texts[start : start + _STEP], most)
            answers += self._best(scores, most)
        return answers

    def without(self, hold_out: HoldOut) -> System:
        """Itself: it knows no links, and their words stay."""
        del hold_out
        return self

    def _rows(self, pages: Ids) -> NDArray[np.intp]:
        rows = np.searchsorted(self._ids, pages)
        if not np.array_equal(self._ids[rows], pages):
            raise RuntimeError("a page of the truth has no text")
        return rows

    def _best(self, scores: Scores, most: int) -> list[Ids]:
        """The first of each row, best first, those of equal score in order of ids."""
        order = np.argsort(-scores, axis=1, kind="stable")[:, :most]
        return [self._ids[best[row[best] > 0]] for row, best in zip(scores, order, strict=True)]


def _ranking(scores: Scores, first: int) -> _core.Ranking:
    """The scores of some query pages, the first of which has this number."""
    named = scores != 0
    named[np.arange(len(scores)), first + np.arange(len(scores))] = False
    queries, others = np.nonzero(named)
    columns = [
        pa.array(queries + first, pa.uint32()),
        pa.array(others, pa.uint32()),
        pa.array(scores[named].astype(np.float64)),
    ]
    rows = pa.record_batch(columns, names=["query", "other", "score"])
    return _core.Ranking(scores.shape[1], rows)


def open_system(crawl: SharedCrawl, name: str) -> System:
    """A preset of pagekin, or a rival, by its name; ready to answer."""
    if name in RIVALS:
        return RivalSystem(crawl, RIVALS[name])
    return PagekinSystem(crawl, name)
