"""What authors relate a page to: the pages under its heading "See also", as pairs of ids.

A file has a query URL and a related URL a line, parted by a TAB or a comma, or is TREC's qrels:
query, 0, page, grade; grades of 0 and below are not relevant. Invariant: pairs are sorted and
distinct, and no page is related to itself.

The truth has a bias: authors list few of the pages that belong together, and mostly pages that the
query page links to anyway. The strict form counts only those that it links to nowhere else.
"""

from array import array
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from os import PathLike, fspath
from pathlib import Path
from typing import Any

import numpy as np

from pagekin.errors import SeeAlsoError
from pagekin.evaluation.truths.rows import (
    FileKind,
    PageIds,
    numbered_lines,
    open_inflated,
    split_cells,
)
from pagekin.index import IndexReader
from pagekin.work.outcome import HELD_OUT_LINKS

__all__ = ["BIAS", "MatchedSeeAlso", "SeeAlso", "match_see_also"]

BIAS = "authors list what the page links to anyway; strict leaves that out"
"""What lists of authors prefer."""
BIAS_OF_LINKS = "links prefer the specific, a directory the general"
"""What links side by side prefer."""

Ids = np.ndarray[Any, np.dtype[np.uint64]]
Flags = np.ndarray[Any, np.dtype[np.bool_]]

KIND = FileKind(
    "the see-also file",
    SeeAlsoError,
    "write a line for each pair in UTF-8: query URL, TAB, related URL",
)
NOT_A_URL = "not a valid URL"
ITSELF = "a page related to itself"
ALONE = "no related page in the row"
REPEATED = "a pair that is there already"
NOT_RELEVANT = "a grade that says not relevant"
_HEADINGS = {"url", "query", "page"}
_QRELS_FIELDS = 4


@dataclass(frozen=True, slots=True)
class SeeAlso:
    """Pairs of a query page and a related page, by their ids.

    `asked` are all query pages that were named, also those without a related page.
    """

    source: str
    asked: Ids
    queries: Ids
    related: Ids
    skipped: dict[str, int] = field(default_factory=dict)
    advice: str = "give the see-also file of this crawl, with URLs as they are in it"
    bias: str = BIAS

    @classmethod
    def read(cls, source: str | PathLike[str]) -> "SeeAlso":
        """The pairs of a file."""
        path = Path(fspath(source))
        known = PageIds()
        queries, related, skipped = array("Q"), array("Q"), Counter[str]()
        asked = set[int]()
        for one, other, relevant in _pairs(path):
            query, page = (known.of(url) for url in (one, other))
            if query is not None:
                asked.add(query)
            if query is not None and not other:
                skipped[ALONE] += 1
            elif query is None or page is None:
                skipped[NOT_A_URL] += 1
            elif not relevant:
                skipped[NOT_RELEVANT] += 1
            elif query == page:
                skipped[ITSELF] += 1
            else:
                queries.append(query)
                related.append(page)
        if not queries:
            reasons = ", ".join(f"{count:,} {what}" for what, count in skipped.items())
            message = f"no pair of pages ({reasons or 'no row'})"
            raise SeeAlsoError(message, source=path, advice=KIND.advice)
        return cls._distinct(str(path), asked, queries, related, skipped)

    @classmethod
    def held_out(cls, pages: int, pairs: Sequence[tuple[int, int]], *, what: str) -> "SeeAlso":
        """The pairs of ids that a build has held out of the evidence of this many pages."""
        advice = "give more of the crawl, or a file of pairs with --see-also FILE"
        if not pairs:
            message = f"no two pages are related by {what} ({pages:,} pages have any)"
            raise SeeAlsoError(message, source="the sources", advice=advice)
        queries, related = (array("Q", ids) for ids in zip(*pairs, strict=True))
        truth = cls._distinct("the sources", set(queries), queries, related, Counter())
        return replace(truth, advice=advice, bias=BIAS_OF_LINKS if what == HELD_OUT_LINKS else BIAS)

    @classmethod
    def _distinct(
        cls,
        source: str,
        asked: set[int],
        queries: "array[int]",
        related: "array[int]",
        skipped: Counter[str],
    ) -> "SeeAlso":
        rows = np.stack([np.frombuffer(ids, dtype=np.uint64) for ids in (queries, related)], axis=1)
        pairs = np.unique(rows, axis=0)
        if len(pairs) < len(rows):
            skipped[REPEATED] += len(rows) - len(pairs)
        named = np.array(sorted(asked), dtype=np.uint64)
        return cls(source, named, pairs[:, 0].copy(), pairs[:, 1].copy(), dict(skipped))


def _pairs(path: Path) -> Iterator[tuple[str, str, bool]]:
    """The two URLs of each row, and whether it says that they are related; the second is empty if
    the query page has none."""
    first = True
    with open_inflated(path, KIND) as file:
        for line, cells in split_cells(path, numbered_lines(path, file, KIND), KIND):
            heading = first and cells[0].casefold() in _HEADINGS
            first = False
            if heading:
                continue
            qrels = _as_qrels(cells)
            if qrels:
                yield qrels[0], qrels[2], _grade(qrels[3], path, line) > 0
            elif len(cells[0].split()) == 1 or (cells[0] and len(cells) > 1):
                yield cells[0], "".join(cells[1:2]), True
            else:
                raise SeeAlsoError("not two URLs", source=path, line=line, advice=KIND.advice)


def _as_qrels(cells: list[str]) -> list[str]:
    """The fields of a line of qrels, which spaces or TABs part; nothing if it is another."""
    fields = cells[0].split() if len(cells) == 1 else cells
    is_qrels = len(fields) == _QRELS_FIELDS and (len(cells) == 1 or fields[1].isdecimal())
    return fields if is_qrels else []


def _grade(text: str, path: Path, line: int) -> int:
    try:
        return int(text)
    except ValueError as error:
        message = f"{text!r} is not a grade"
        advice = "write qrels as: query URL, 0, page URL, a whole number"
        raise SeeAlsoError(message, source=path, line=line, advice=advice) from error


@dataclass(frozen=True, slots=True)
class MatchedSeeAlso:
    """The pairs whose pages were both crawled, sorted by query.

    `linked` says which related pages the query page links to, `without_related` how many crawled
    query pages are left without any.
    """

    queries: Ids
    related: Ids
    linked: Flags
    skipped: dict[str, int]
    without_related: int

    def only(self, wanted: Flags) -> "MatchedSeeAlso":
        """Some of the pairs."""
        kept = self.queries[wanted], self.related[wanted], self.linked[wanted]
        return MatchedSeeAlso(*kept, self.skipped, self.without_related)


def match_see_also(index: IndexReader, truth: SeeAlso) -> MatchedSeeAlso:
    """The pairs that an index can be judged by; the others are counted with their reason."""
    pages = index.tables["pages"].scan(["id", "crawled"])
    ids, crawled = (column.to_numpy() for column in pages.columns)
    fetched = ids[crawled.astype(bool)]
    queries, related = (np.isin(found, fetched) for found in (truth.queries, truth.related))
    both = queries & related
    reasons = {
        "the query page was not crawled": int((~queries).sum()),
        "the related page was not crawled": int((queries & ~related).sum()),
    }
    skipped = truth.skipped | {what: count for what, count in reasons.items() if count}
    if not both.any():
        raise SeeAlsoError(
            f"no pair of its {len(truth.queries):,} has both pages in the crawl",
            source=truth.source,
            advice=truth.advice,
        )
    kept = truth.queries[both], truth.related[both]
    without = int((np.isin(truth.asked, fetched) & ~np.isin(truth.asked, kept[0])).sum())
    return MatchedSeeAlso(*kept, _is_linked(index, *kept), skipped, without)


def _is_linked(index: IndexReader, queries: Ids, related: Ids) -> Flags:
    """Whether each query page links to the page related to it."""
    links: set[tuple[int, int]] = set()
    for batch in index.tables["links"].batches():
        sources, targets = batch.column("source").to_numpy(), batch.column("target").to_numpy()
        wanted = np.isin(sources, queries) & np.isin(targets, related)
        links.update(zip(sources[wanted].tolist(), targets[wanted].tolist(), strict=True))
    pairs = zip(queries.tolist(), related.tolist(), strict=True)
    return np.array([pair in links for pair in pairs], dtype=bool)
