"""Search by words: BM25F over title, URL, text and links, in one score; phrases in quotes.

A page need not have all words, so a sentence or a passage can be asked as well. A query that is a
part of a URL finds the pages whose URLs have it, by a scan of all URLs; crawls of more than `MOST`
URLs are not scanned.
"""

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal

import numpy as np
import pyarrow.compute as pc

from pagekin import _core
from pagekin.arrays import Numbers
from pagekin.dates import iso_date
from pagekin.index import IndexReader
from pagekin.query.languages import certain_language, languages_of, only_language
from pagekin.query.selection import PageSelection, emptied_by, left_out, selected_rows
from pagekin.query.titles import page_title
from pagekin.query.words.bm25f import WordQuery, best_rows, score_pages
from pagekin.query.words.phrases import phrases_of, with_phrases
from pagekin.query.words.snippets import snippets
from pagekin.tabular import Tabular
from pagekin.types import Paging, Snippet

__all__ = [
    "LISTED",
    "MOST",
    "SearchHit",
    "SearchResults",
    "best_match",
    "recognise_url",
    "search",
]

LISTED = 1000
"""Maximum number of pages that a search finds."""
MOST = 1 << 18
"""Crawls of more URLs than this are not scanned."""
SCHEMES = ("http://", "https://")
EVERY_CRAWLED_PAGE = PageSelection()

Where = Literal["address", "title", "url", "text"]


@dataclass(frozen=True, slots=True)
class SearchHit:
    """A page, its score from 0 to 1, the passage with most words of the query, and where it has
    them. A page that was not crawled has no snippet."""

    url: str
    title: str | None
    site: str
    score: float
    crawled: bool
    date: str | None
    language: str | None
    snippet: Snippet | None
    replay: str | None
    matched: list[Where]


@dataclass(frozen=True, slots=True)
class SearchResults(Tabular):
    """A part of the pages found, best first. If there are none, `note` says why."""

    q: str
    hits: list[SearchHit]
    found: int
    note: str | None
    paging: Paging
    took_ms: float

    COLUMNS: ClassVar[Mapping[str, type]] = {
        "rank": int,
        "url": str,
        "title": str,
        "site": str,
        "score": float,
        "crawled": bool,
        "matched": list,
    }

    def rows(self) -> Iterator[dict[str, Any]]:
        """One row for each hit."""
        for rank, hit in enumerate(self.hits, self.paging.offset + 1):
            yield {"rank": rank} | {name: getattr(hit, name) for name in [*self.COLUMNS][1:]}

    def __iter__(self) -> Iterator[SearchHit]:
        return iter(self.hits)

    def __len__(self) -> int:
        return len(self.hits)


@dataclass(frozen=True, slots=True)
class _Found:
    """A page by its row, its score, and where it has the query if that is a URL."""

    row: int
    score: float
    where: Where | None = None


def search(
    index: IndexReader,
    q: str,
    k: int = 10,
    offset: int = 0,
    selection: PageSelection = EVERY_CRAWLED_PAGE,
) -> SearchResults:
    """The pages with the words of the query: `k` of them, from `offset` on."""
    start = time.perf_counter()
    q = q.encode("utf-8", "replace").decode("utf-8")
    with index.blaming():
        given = _core.words_of(q)
        languages = languages_of(index, given)
        selection = selection.in_language(only_language(index, [certain_language(index, given)]))
        words = WordQuery.of(index, given, languages)
        found = _find(index, q, words, selection)
        hits = _hits(index, words, found[offset : offset + k])
        note = None if found else _note(index, q, words, selection)
    return SearchResults(
        q=q,
        hits=hits,
        found=len(found),
        note=note,
        paging=Paging.of(offset, k, len(found)),
        took_ms=round((time.perf_counter() - start) * 1000, 3),
    )


def best_match(index: IndexReader, text: str) -> str:
    """The text itself if it is a URL, else the URL of the first page found by its words."""
    if text.lower().startswith(SCHEMES):
        return text
    found = search(index, text, 1).hits
    return found[0].url if found else text


def recognise_url(index: IndexReader, text: str) -> str | None:
    """The URL that the text is, perhaps without its scheme; None if it is something else."""
    if len(text.split()) != 1:
        return None
    if text.lower().startswith(SCHEMES):
        return text
    with index.blaming():
        row = _row_with_url(index, text)
        return None if row is None else index.searcher.page_meta(_page(index, row)).url


def _find(index: IndexReader, q: str, words: WordQuery, selection: PageSelection) -> list[_Found]:
    """All pages found, in order: the page with this URL, then the others by score. A page that is
    named may be crawled or not."""
    named, address = _row_with_url(index, q), _address(q)
    if named is not None and not _rows(index, replace(selection, pages="all"))[named]:
        named = None
    if address:
        others = _with_part_of_url(index, address, _rows(index, selection))
    else:
        others = _with_words(index, q, words, selection.to_core())
    first = [] if named is None else [_Found(named, 1.0, "address")]
    return [*first, *(found for found in others if found.row != named)]


def _rows(index: IndexReader, selection: PageSelection) -> Numbers:
    return selected_rows(index, selection.to_core())


def _with_words(
    index: IndexReader, q: str, words: WordQuery, pages: _core.PageSelection
) -> list[_Found]:
    scores = score_pages(index, words, pages)
    phrases = phrases_of(q)
    rows = best_rows(scores, len(scores) if phrases else LISTED, index.id_order)
    rows = with_phrases(index, phrases, words.languages, rows, LISTED)
    return [*map(_Found, rows.tolist(), scores[rows].tolist())]


def _row_with_url(index: IndexReader, q: str) -> int | None:
    """The page whose URL the query is, with or without its scheme."""
    for text in (q.strip(), f"https://{q.strip()}", f"http://{q.strip()}"):
        address = _core.canonical(text)
        place = index.find(address) if address else None
        if place is not None:
            return index.row(place)
    return None


def _address(q: str) -> str | None:
    """The part of a URL that the query is; None if it is words."""
    bare = q.strip().partition("://")[2] or q.strip()
    return bare if " " not in bare and ("." in bare or "/" in bare) else None


def _with_part_of_url(index: IndexReader, address: str, selected: Numbers) -> list[_Found]:
    """The pages whose URL has this part, those first of whose URL it is most."""
    if len(selected) > MOST:
        return []
    found: list[tuple[float, int, int]] = []
    start = 0
    for batch in index.tables["pages"].batches():
        urls, ids = batch.column("url"), batch.column("id")
        match = pc.match_substring(urls, address, ignore_case=True)
        for place in np.flatnonzero(match.to_numpy(zero_copy_only=False)).tolist():
            if selected[start + place]:
                share = min(len(address) / len(urls[place].as_py()), 1.0)
                found.append((-share, ids[place].as_py(), start + place))
        start += len(urls)
    return [_Found(row, -share, "url") for share, _, row in sorted(found)[:LISTED]]


def _hits(index: IndexReader, words: WordQuery, found: Sequence[_Found]) -> list[SearchHit]:
    rows = np.array([each.row for each in found], np.int64)
    pages = index.place(rows)
    terms = [*words.terms, *words.stop_terms]
    counts = _core.field_counts(index.searcher, index.core_strategy, pages, terms)
    shape = len(pages), len(terms)
    title, url = (np.frombuffer(each, np.uint8).reshape(shape).sum(axis=1) for each in counts)
    in_text: list[Where] = ["text"] if words.terms else []
    hits = []
    passages = snippets(index, pages, words)
    for number, (page, each) in enumerate(zip(pages, found, strict=True)):
        meta = index.searcher.page_meta(page)
        told: dict[Where, bool] = {"title": bool(title[number]), "url": bool(url[number])}
        matched: list[Where] = [where for where, has in told.items() if has]
        hits.append(
            SearchHit(
                url=meta.url,
                title=page_title(index, page),
                site=meta.site,
                score=round(each.score, 6),
                crawled=meta.crawled,
                date=iso_date(meta.date),
                language=meta.language,
                snippet=passages[number],
                replay=index.replay_of(meta),
                matched=[each.where] if each.where else [*matched, *in_text],
            )
        )
    return hits


def _page(index: IndexReader, row: int) -> _core.PageRef:
    return index.place(np.array([row]))[0]


def _note(index: IndexReader, q: str, words: WordQuery, selection: PageSelection) -> str:
    """Why nothing was found."""
    if emptied := emptied_by(index, selection):
        return emptied
    reasons = left_out(index, selection)
    return ": ".join(
        [_nothing_found(q, words, selection.pages), *filter(None, [", ".join(reasons)])]
    )


def _nothing_found(q: str, words: WordQuery, pages: str) -> str:
    given = _core.words_of(q)
    if not given:
        return "the query has no word"
    if words.stop_terms and not words.terms:
        return f"no title has a word of {_shown(q)}; stop words are looked up in titles only"
    if (phrases := phrases_of(q)) and words.terms:
        return f"no page has the phrase {' and '.join(map(_shown, phrases))}"
    kind = {"crawled": "page of the crawl", "uncrawled": "page that is only linked to"}
    who = kind.get(pages, "page") if words.terms else "page"
    return f"no {who} has {_shown(' or '.join(words.words or given))}"


def _shown(text: str) -> str:
    return f"“{text if len(text) <= LONGEST_SHOWN else text[:LONGEST_SHOWN] + '…'}”"


LONGEST_SHOWN = 60
