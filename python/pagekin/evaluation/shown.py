"""The answers that `related` shows a person, with its default filters, and how good they are.

Judging every pair of a directory sees only the directory's pages. A person sees whatever comes
first: pages that were not crawled, copies, and neighbours in a menu.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from pagekin.evaluation.measures import K
from pagekin.evaluation.ranked import RankedAnswers, Score, mean_score
from pagekin.evaluation.template_links import template_links
from pagekin.evaluation.truths.matching import MatchedPages
from pagekin.index import IndexReader
from pagekin.query.filters import Filters
from pagekin.query.question import Question, resolve
from pagekin.query.related import find
from pagekin.work.threads import map_by_threads

__all__ = [
    "HitKinds",
    "ShownPrecision",
    "ShownQuality",
    "count_hits",
    "hit_kinds",
    "judge_shown",
    "shown_answers",
    "shown_precision",
    "text_digests",
]

Ids = np.ndarray[Any, np.dtype[np.uint64]]
Whole = np.ndarray[Any, np.dtype[np.int64]]
SAME = 0
"""The relation of a page to the pages of its own class."""
_STEP = 32


def shown_answers(
    index: IndexReader, queries: Ids, threads: int, filters: Filters | None = None
) -> RankedAnswers:
    """What `related` answers to each of these pages, which are sorted."""
    wanted = filters or Filters()

    def answer(start: int) -> list[Ids]:
        return [_answer(index, query, wanted) for query in queries[start : start + _STEP].tolist()]

    parts = map_by_threads(answer, range(0, len(queries), _STEP), threads)
    return RankedAnswers(queries, [hits for part in parts for hits in part])


def _answer(index: IndexReader, query: int, filters: Filters) -> Ids:
    searcher = index.searcher
    with index.blaming():
        page = searcher.find(query)
        if page is None:
            return np.zeros(0, dtype=np.uint64)
        question = resolve(index, Question.about(searcher.page_meta(page).url))
        hits = [searcher.id(hit.page) for hit in find(index, question, filters).hits]
    return np.array(hits, dtype=np.uint64)


@dataclass(frozen=True, slots=True)
class HitKinds:
    """What a person meets among the first k hits: shares of all hits, and how many there are.

    A copy has the same text as the query page or as an earlier hit. A template link is a hit that
    the query page links to in what its site repeats: menus, previous, next. Without hits there are
    no shares.
    """

    k: int
    queries: int
    hits: int
    not_crawled: float | None
    copies: float | None
    template_links: float | None
    first_is_template_link: float | None
    fewer_than_k: int


@dataclass(frozen=True, slots=True)
class ShownPrecision:
    """The share of the first k hits that are of the query page's class.

    `judged` leaves out hits that are not in the directory, `strict` counts them as wrong. None
    where there is nothing to judge: no query has another page of its class, or no hit is known.
    """

    judged: Score | None
    strict: Score | None


def shown_precision(answers: RankedAnswers, matched: MatchedPages, k: int) -> ShownPrecision:
    """The precision of the first k hits, over queries that have another page of their class."""
    right, judged, classes = count_hits(answers, matched, k)
    known = judged > 0
    return ShownPrecision(
        mean_score(right[known] / judged[known], classes[known]) if known.any() else None,
        mean_score(right / k, classes) if len(right) else None,
    )


def count_hits(answers: RankedAnswers, matched: MatchedPages, k: int) -> tuple[Whole, Whole, Whole]:
    """Of each query that has another page of its class: how many of the first k hits are of the
    class, how many are in the directory, and the class that it counts for."""
    rows = []
    for query, hits in zip(answers.queries.tolist(), answers.answers, strict=True):
        page = int(np.searchsorted(matched.ids, query))
        relations = np.frombuffer(matched.family.relations(page), dtype=np.uint8)
        if (relations == SAME).sum() > 1:
            found = relations[_places(matched.ids, hits[:k])]
            rows.append(((found == SAME).sum(), len(found), matched.first_class[page]))
    right, judged, classes = np.array(rows, dtype=np.int64).reshape(-1, 3).T
    return right, judged, classes


def _places(ids: Ids, wanted: Ids) -> "np.ndarray[Any, np.dtype[np.intp]]":
    """Where those of the wanted ids that are there stand among sorted ids."""
    places = np.minimum(np.searchsorted(ids, wanted), len(ids) - 1)
    found: np.ndarray[Any, np.dtype[np.intp]] = places[ids[places] == wanted]
    return found


@dataclass(frozen=True, slots=True)
class ShownQuality:
    """The answers as a person sees them, by a directory: precision, and the kinds of hits."""

    precision_at_5: ShownPrecision
    precision_at_10: ShownPrecision
    hits: HitKinds


def judge_shown(index: IndexReader, matched: MatchedPages, answers: RankedAnswers) -> ShownQuality:
    """Judge answers to pages of the directory: those of the index, or of a TREC run."""
    return ShownQuality(
        precision_at_5=shown_precision(answers, matched, 5),
        precision_at_10=shown_precision(answers, matched, K),
        hits=hit_kinds(index, answers, K),
    )


def hit_kinds(index: IndexReader, answers: RankedAnswers, k: int) -> HitKinds:
    """Count the kinds of hits among these answers."""
    shown = [hits[:k] for hits in answers.answers]
    count = sum(map(len, shown))
    pages = np.unique(np.concatenate([answers.queries, *shown]))
    fetched, texts = _fetched(index), text_digests(index, pages)
    linked = template_links(index, answers.queries)
    never = copies = template = first = 0
    for query, hits in zip(answers.queries.tolist(), shown, strict=True):
        seen = {texts.get(query)}
        for rank, hit in enumerate(hits.tolist()):
            never += hit not in fetched
            text = texts.get(hit)
            copies += text is not None and text in seen
            seen.add(text)
            is_template = hit in linked.get(query, ())
            template += is_template
            first += is_template and rank == 0
    return HitKinds(
        k=k,
        queries=len(shown),
        hits=count,
        not_crawled=_share(never, count),
        copies=_share(copies, count),
        template_links=_share(template, count),
        first_is_template_link=_share(first, sum(len(hits) > 0 for hits in shown)),
        fewer_than_k=sum(len(hits) < k for hits in shown),
    )


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def _fetched(index: IndexReader) -> set[int]:
    pages = index.tables["pages"].scan(["id", "crawled"])
    ids, crawled = (column.to_numpy() for column in pages.columns)
    return set(ids[crawled.astype(bool)].tolist())


def text_digests(index: IndexReader, pages: Ids | None = None) -> dict[int, tuple[int, int]]:
    """The number of words and their hash of every page that has a text, or of these pages."""
    table = index.tables["pages"].scan(["id", "length", "digest"])
    ids, *words = (column.to_numpy() for column in table.columns)
    wanted = words[0] > 0 if pages is None else (words[0] > 0) & np.isin(ids, pages)
    found = zip(*(column[wanted].tolist() for column in words), strict=True)
    return dict(zip(ids[wanted].tolist(), found, strict=True))
