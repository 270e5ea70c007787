"""TREC's file formats: runs with the answers of a system, and qrels with a directory.

    query Q0 page rank score tag          a run
    query 0 page grade                    qrels

Query and page are URLs. As in trec_eval the score counts, not the rank; pages of equal score are
tied, and pages that are not listed come last. Only the queries of the run are evaluated. Pages
outside the directory are ignored. Grades: 3 the same class, 2 sibling, 1 cousin. Unrelated pages
are left out, as usual in qrels.
"""

import math
from array import array
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from os import PathLike, fspath
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from pagekin import _core
from pagekin.errors import RunError
from pagekin.evaluation.ranked import RankedAnswers
from pagekin.evaluation.truths.matching import MatchedPages
from pagekin.evaluation.truths.rows import FileKind, PageIds, numbered_lines, open_inflated
from pagekin.index import IndexReader
from pagekin.work.files import write_errors

__all__ = ["RunCounts", "TrecRun", "write_qrels"]

Flags = np.ndarray[Any, np.dtype[np.bool_]]
Ids = np.ndarray[Any, np.dtype[np.uint64]]
Scores = np.ndarray[Any, np.dtype[np.float64]]
_FIELDS = 6
KIND = FileKind(
    "the run", RunError, "write six fields a line: query URL, Q0, page URL, rank, score, tag"
)

NOT_A_URL = "not a valid URL"
ITSELF = "the query page as its own answer"
REPEATED = "a page that a query has already"


@dataclass(frozen=True, slots=True)
class RunCounts:
    """What a run has for the queries of a truth, and what of it cannot be used.

    `unanswered` are queries of the truth that it does not have, `tied` rows whose score another
    row of the query has, too.
    """

    rows: int
    queries: int
    unanswered: int
    tied: int
    skipped: dict[str, int]


@dataclass(frozen=True, slots=True)
class TrecRun:
    """The answers of a system: rows by query, best first, each page of a query once.

    Where a page is named twice for a query its best score counts. Pages of equal score are in
    order of their ids, since a list needs some order. `asked` are the queries, in order of ids.
    """

    source: Path
    rows: int
    asked: Ids
    queries: Ids
    pages: Ids
    scores: Scores
    skipped: dict[str, int]

    @classmethod
    def read(cls, path: str | PathLike[str]) -> "TrecRun":
        """A run from its file."""
        source = Path(fspath(path))
        known, skipped = PageIds(), Counter[str]()
        queries, pages, scores = array("Q"), array("Q"), array("d")
        asked, rows = set[int](), 0
        for line, fields in _fields_of_lines(source):
            rows += 1
            query, page = known.of(fields[0]), known.of(fields[2])
            score = _score(fields[4], source, line)
            if query is not None:
                asked.add(query)
            if query is None or page is None:
                skipped[NOT_A_URL] += 1
            elif query == page:
                skipped[ITSELF] += 1
            else:
                queries.append(query)
                pages.append(page)
                scores.append(score)
        columns = _distinct(*map(np.array, (queries, pages, scores)))
        if len(columns[0]) < len(queries):
            skipped[REPEATED] = len(queries) - len(columns[0])
        sorted_ids = np.array(sorted(asked), dtype=np.uint64)
        return cls(source, rows, sorted_ids, *columns, dict(skipped))

    def ranking(self, matched: MatchedPages) -> tuple[_core.Ranking, Flags]:
        """The scores among pages of a directory, and which of those are queries of the run."""
        queried = np.isin(matched.ids, self.asked)
        if not queried.any():
            raise self._without("asks about a page of the directory")
        inside = np.isin(self.queries, matched.ids) & np.isin(self.pages, matched.ids)
        query, other = (
            np.searchsorted(matched.ids, column[inside]).astype(np.uint32)
            for column in (self.queries, self.pages)
        )
        order = np.lexsort((other, query))
        columns = [pa.array(column[order]) for column in (query, other, self.scores[inside])]
        batch = pa.record_batch(columns, names=["query", "other", "score"])
        return _core.Ranking(len(matched.ids), batch), queried

    def answers(self, queries: Ids, depth: int) -> RankedAnswers:
        """The first `depth` answers to each of these query pages that the run has."""
        answered = np.intersect1d(queries, self.asked)
        if not len(answered):
            raise self._without("answers a query page")
        starts, ends = (np.searchsorted(self.queries, answered, side) for side in ("left", "right"))
        firsts = zip(starts.tolist(), np.minimum(ends, starts + depth).tolist(), strict=True)
        return RankedAnswers(answered, [self.pages[start:end] for start, end in firsts])

    def counts(self, queries: Ids) -> RunCounts:
        """What the run has for these query pages."""
        answered = np.isin(queries, self.asked)
        return RunCounts(
            rows=self.rows,
            queries=int(answered.sum()),
            unanswered=int((~answered).sum()),
            tied=int((self._tied & np.isin(self.queries, queries)).sum()),
            skipped=self.skipped,
        )

    @property
    def _tied(self) -> Flags:
        """Which rows have the score of another row of their query."""
        same = (self.queries[1:] == self.queries[:-1]) & (self.scores[1:] == self.scores[:-1])
        tied: Flags = np.append(same, False) | np.insert(same, 0, False)
        return tied[: len(self.queries)]

    def _without(self, what: str) -> RunError:
        return RunError(
            f"none of its {self.rows:,} rows {what}",
            source=self.source,
            advice="name queries and pages by their URLs",
        )


def _distinct(queries: Ids, pages: Ids, scores: Scores) -> tuple[Ids, Ids, Scores]:
    """The best row of each query and page, by query, score and page."""
    order = np.lexsort((-scores, pages, queries))
    queries, pages, scores = queries[order], pages[order], scores[order]
    new = np.ones(len(queries), dtype=bool)
    new[1:] = (queries[1:] != queries[:-1]) | (pages[1:] != pages[:-1])
    queries, pages, scores = queries[new], pages[new], scores[new]
    order = np.lexsort((pages, -scores, queries))
    return queries[order], pages[order], scores[order]


def _fields_of_lines(source: Path) -> Iterator[tuple[int, list[str]]]:
    with open_inflated(source, KIND) as file:
        for line, text in numbered_lines(source, file, KIND):
            fields = text.split()
            if len(fields) == _FIELDS:
                yield line, fields
            elif fields:
                message = f"{len(fields)} fields, and not the {_FIELDS} of a TREC run"
                raise RunError(message, source=source, line=line, advice=KIND.advice)


def _score(text: str, source: Path, line: int) -> float:
    try:
        score = float(text)
    except ValueError:
        score = math.nan
    if math.isnan(score):
        raise RunError(f"{text!r} is not a score", source=source, line=line, advice=KIND.advice)
    return score


_GRADES = (3, 2, 1)


def write_qrels(path: Path, index: IndexReader, matched: MatchedPages) -> int:
    """Write the rows of every query page; returns how many."""
    rows = 0
    with write_errors("the qrels", path), path.open("w", encoding="utf-8") as out:
        for lines, count in _rows(index, matched):
            out.write(lines)
            rows += count
    return rows


def _rows(index: IndexReader, matched: MatchedPages) -> Iterator[tuple[str, int]]:
    found = index.tables["pages"].select(matched.ids)
    urls = [url for batch in found for url in batch.column("url").to_pylist()]
    for query, url in enumerate(urls):
        relations = np.frombuffer(matched.family.relations(query), dtype=np.uint8)
        related = np.flatnonzero(relations < len(_GRADES))
        others = related[related != query].tolist()
        yield (
            "".join(f"{url} 0 {urls[other]} {_GRADES[relations[other]]}\n" for other in others),
            len(others),
        )
