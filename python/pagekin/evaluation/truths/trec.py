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
from pagekin.evaluation.truths.rows import PageIds
from pagekin.files import write_errors
from pagekin.index import IndexReader

__all__ = ["TrecRun", "read_answers", "read_run", "write_qrels"]

Flags = np.ndarray[Any, np.dtype[np.bool_]]
Ids = np.ndarray[Any, np.dtype[np.uint64]]
_FIELDS = 6
_ADVICE = "write six fields a line: query URL, Q0, page URL, rank, score, tag"


@dataclass(frozen=True, slots=True)
class TrecRun:
    """A run: its scores, the query pages that it has, and how many rows it has."""

    ranking: _core.Ranking
    queried: Flags
    rows: int


def read_run(path: str | PathLike[str], matched: MatchedPages) -> TrecRun:
    """A run among the matched pages."""
    source = Path(fspath(path))
    numbers = _Numbers(matched)
    queries, others, scores, rows = array("L"), array("L"), array("d"), 0
    queried = np.zeros(len(matched.ids), dtype=bool)
    for line, fields in _fields_of_lines(source):
        rows += 1
        query, other = numbers.of(fields[0]), numbers.of(fields[2])
        score = _score(fields[4], source, line)
        if query is not None:
            queried[query] = True
            if other is not None and other != query:
                queries.append(query)
                others.append(other)
                scores.append(score)
    if not queried.any():
        raise RunError(
            f"none of its {rows:,} rows asks about a page of the directory",
            source=source,
            advice="name queries and pages by their URLs",
        )
    return TrecRun(_ranking(len(matched.ids), queries, others, scores), queried, rows)


def _ranking(pages: int, queries: Any, others: Any, scores: Any) -> _core.Ranking:
    """The rows by query; where a page is named twice for a query its best score counts."""
    query = np.frombuffer(queries, dtype=np.uint64).astype(np.uint32)
    other = np.frombuffer(others, dtype=np.uint64).astype(np.uint32)
    score = np.frombuffer(scores, dtype=np.float64)
    order = np.lexsort((score, other, query))
    columns = [pa.array(column[order]) for column in (query, other, score)]
    return _core.Ranking(pages, pa.record_batch(columns, names=["query", "other", "score"]))


def read_answers(path: str | PathLike[str], queries: Ids, depth: int) -> RankedAnswers:
    """The first `depth` answers of a run to each of these query pages that it has.

    Where a page is named twice for a query its best score counts; pages of equal score are in
    order of their ids, since a list needs some order. A query page is no answer to itself.
    """
    source = Path(fspath(path))
    known = PageIds()
    wanted, scores, rows = set(queries.tolist()), dict[int, dict[int, float]](), 0
    for line, fields in _fields_of_lines(source):
        rows += 1
        query, page = (known.of(url) for url in (fields[0], fields[2]))
        score = _score(fields[4], source, line)
        if query is not None and page is not None and page != query and query in wanted:
            best = scores.setdefault(query, {})
            best[page] = max(score, best.get(page, -math.inf))
    if not scores:
        raise RunError(
            f"none of its {rows:,} rows answers a query page",
            source=source,
            advice="name queries and pages by their URLs",
        )
    answered = sorted(scores)
    return RankedAnswers(
        np.array(answered, dtype=np.uint64), [_first(scores[query], depth) for query in answered]
    )


def _first(scores: dict[int, float], depth: int) -> Ids:
    ranked = sorted(scores, key=lambda page: (-scores[page], page))[:depth]
    return np.array(ranked, dtype=np.uint64)


class _Numbers:
    """The numbers of the matched pages by URL, each URL looked at once."""

    def __init__(self, matched: MatchedPages) -> None:
        self._by_id = {key: number for number, key in enumerate(matched.ids.tolist())}
        self._known = PageIds()

    def of(self, url: str) -> int | None:
        """The number of a page, unless it is not matched."""
        known = self._known.of(url)
        return None if known is None else self._by_id.get(known)


def _fields_of_lines(source: Path) -> Iterator[tuple[int, list[str]]]:
    try:
        with source.open(encoding="utf-8-sig") as lines:
            for line, text in enumerate(lines, start=1):
                fields = text.split()
                if len(fields) == _FIELDS:
                    yield line, fields
                elif fields:
                    raise RunError(
                        f"{len(fields)} fields, and not the {_FIELDS} of a TREC run",
                        source=source,
                        line=line,
                        advice=_ADVICE,
                    )
    except UnicodeDecodeError as error:
        raise RunError("not a text in UTF-8", source=source, advice=_ADVICE) from error
    except OSError as error:
        raise RunError(
            f"the run cannot be read ({error.strerror})",
            source=source,
            advice="give a readable file",
        ) from error


def _score(text: str, source: Path, line: int) -> float:
    try:
        score = float(text)
    except ValueError:
        score = math.nan
    if math.isnan(score):
        raise RunError(f"{text!r} is not a score", source=source, line=line, advice=_ADVICE)
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
