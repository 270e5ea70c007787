"""BM25F (Robertson, Zaragoza, Taylor 2004) with sequential dependence (Metzler and Croft 2005).

    tf(t) = Σ over fields of weight · count(t) / (1 - b + b · length / mean length)
    bm25f = Σ idf(t) · tf(t) / (k1 + tf(t)) / Σ idf(t)
    score = (1 - PAIRS) · bm25f + PAIRS · share of the query's pairs that the page has

Both parts are between 0 and 1, so that scores of different queries compare. Counts in titles and
URLs and pairs are looked up for the best pages only. They can only add to a score, so a page that
was looked up never falls behind one that was not.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pagekin import _core
from pagekin.arrays import Numbers
from pagekin.index import IndexReader
from pagekin.query.selection import selected_rows
from pagekin.query.words.postings import Postings, postings_of

__all__ = [
    "MOST_WORDS",
    "TermFrequency",
    "WordQuery",
    "best_rows",
    "score_pages",
    "score_titles",
    "term_frequencies",
]

MOST_WORDS = 64
"""Words of a query that are looked up: the rarest."""
K1 = 1.2
"""A word that a page has this often has half of its weight."""
TEXT_B, TITLE_B, ANCHOR_B = 0.75, 0.75, 0.5
"""How much long fields are discounted."""
TITLE, URL, ANCHOR = 3.0, 1.0, 0.1
"""Weight of a word in the title, in the URL and in links, beside 1 in the text."""
STOP_IDF = 0.5
"""The weight of a stop word: that of a word that most pages have."""
PAIRS = 0.3
"""Share of adjacent words in the score."""
LOOKED_UP = 4096
"""Pages whose titles and URLs are looked up."""
MOST_TITLES = 1 << 18
"""Crawls of more pages than this are not searched by titles alone."""
RERANKED = 128
"""Pages whose words are read for pairs."""


@dataclass(frozen=True, slots=True)
class WordQuery:
    """The rarest words of a text, and pairs of adjacent words, each with its weight.

    `known` is the number of distinct words that the crawl knows. Stop words are in no posting list;
    `stop_terms` are looked up in titles and URLs.
    """

    terms: list[int]
    words: list[str]
    idf: list[float]
    known: int
    stop_terms: list[int]
    pairs: list[str]
    pair_weights: list[float]

    @classmethod
    def of(cls, index: IndexReader, words: Sequence[str]) -> "WordQuery":
        """The query of a text."""
        found = _core.query_words(index.searcher, index.core_strategy, words, MOST_WORDS)
        bags = index.manifest.counts["bags"]
        idf = [_idf(frequency, bags) for frequency in found.frequencies]
        weights = [
            sum(STOP_IDF if place is None else idf[place] for place in (first, second))
            for _, first, second in found.pairs
        ]
        pairs = [pair for pair, _, _ in found.pairs]
        terms = found.terms, found.words
        return cls(*terms, idf, found.known, found.stop_terms, pairs, weights)

    @property
    def total(self) -> float:
        """The weight of all words."""
        return sum(self.idf) + STOP_IDF * len(self.stop_terms)

    def without_pairs(self) -> "WordQuery":
        """The same words in no order."""
        return WordQuery(self.terms, self.words, self.idf, self.known, self.stop_terms, [], [])


def score_pages(
    index: IndexReader,
    query: WordQuery,
    pages: _core.PageSelection,
    lists: "Sequence[TermFrequency] | None" = None,
) -> Numbers:
    """The score of every page by its row; 0 for pages that may not be hits. `lists` are those of
    the query, if they have been read."""
    selected = selected_rows(index, pages)
    scores = np.zeros(len(selected))
    if not query.terms:
        return scores
    lists = term_frequencies(index, query) if lists is None else lists
    for idf, found in zip(query.idf, lists, strict=True):
        scores[found.rows] += idf * _saturated(found.tf)
    scores[~selected] = 0
    best = best_rows(scores, LOOKED_UP)
    scores[best] = _with_titles(index, query, lists, best)
    return _with_pairs(index, query, scores)


def score_titles(index: IndexReader, query: WordQuery, pages: _core.PageSelection) -> Numbers:
    """The score of every page by its title and URL alone, for a query of stop words."""
    selected = selected_rows(index, pages)
    scores = np.zeros(len(selected))
    rows = np.flatnonzero(selected)
    if query.stop_terms and len(rows) <= MOST_TITLES:
        scores[rows] = _with_titles(index, query, [], rows)
    return _with_pairs(index, query, scores)


def term_frequencies(index: IndexReader, query: WordQuery) -> "list[TermFrequency]":
    """The pages with each term of a query."""
    return [TermFrequency.of(index, postings_of(index, term)) for term in query.terms]


@dataclass(frozen=True, slots=True)
class TermFrequency:
    """The pages with a term by row, and its normalised frequency in their text and links."""

    rows: Numbers
    tf: Numbers

    @classmethod
    def of(cls, index: IndexReader, found: Postings) -> "TermFrequency":
        """The frequencies of a posting list."""
        lengths, rows = index.field_lengths, found.pages
        if len(rows) and int(rows.max()) >= len(lengths.text):
            raise index.tables["postings"].corrupt("a row number is beyond its table")
        text = found.content / _discount(lengths.text, rows, TEXT_B)
        links = found.anchor / 1024 / _discount(lengths.inlinks, rows, ANCHOR_B)
        return cls(rows, text + ANCHOR * links)


def _discount(lengths: Numbers, rows: Numbers, b: float) -> Numbers:
    """1 - b + b · length / mean length."""
    discount: Numbers = 1 - b + b * lengths[rows]
    return discount


def _with_titles(
    index: IndexReader, query: WordQuery, lists: Sequence[TermFrequency], rows: Numbers
) -> Numbers:
    """The scores of pages with the words of their titles and URLs."""
    terms = [*query.terms, *query.stop_terms]
    weights = [*query.idf, *[STOP_IDF] * len(query.stop_terms)]
    counts = _core.field_counts(index.searcher, index.core_strategy, index.place(rows), terms)
    title, url = (np.frombuffer(each, np.uint8).reshape(len(rows), len(terms)) for each in counts)
    title_weight = TITLE / _discount(index.field_lengths.title, rows, TITLE_B)
    place = np.full(len(index.field_lengths.text), -1, np.int64)
    place[rows] = np.arange(len(rows))
    scores = np.zeros(len(rows))
    for number, weight in enumerate(weights):
        tf = title_weight * title[:, number] + URL * url[:, number]
        if number < len(lists):
            where = place[lists[number].rows]
            tf[where[where >= 0]] += lists[number].tf[where >= 0]
        scores += weight * _saturated(tf)
    return scores


def _with_pairs(index: IndexReader, query: WordQuery, scores: Numbers) -> Numbers:
    """The scores as shares of the weight of all words, with the pairs of the best pages."""
    scores = scores * ((1 - PAIRS if query.pairs else 1) / (query.total or 1.0))
    if query.pairs:
        best = best_rows(scores, RERANKED)
        scores[best] += PAIRS * _share_of_pairs(index, query, best)
    return scores


def _share_of_pairs(index: IndexReader, query: WordQuery, rows: Numbers) -> Numbers:
    """The weight of the pairs that pages have, as a share of all."""
    marks = _core.phrases(index.searcher, index.place(rows), query.pairs)
    found = np.frombuffer(marks, np.uint8).reshape(len(rows), len(query.pairs))
    weight = np.zeros(len(rows))
    for number, each in enumerate(query.pair_weights):
        weight += each * found[:, number]
    return weight / (sum(query.pair_weights) or 1.0)


def _saturated(tf: Numbers) -> Numbers:
    saturated: Numbers = tf / (K1 + tf)
    return saturated


def _idf(frequency: int, bags: int) -> float:
    return float(np.log1p((max(bags - frequency, 0) + 0.5) / (frequency + 0.5)))


def best_rows(scores: Numbers, most: int) -> Numbers:
    """The rows with the highest scores above 0, best first; equals by row."""
    rows = np.flatnonzero(scores > 0)
    found = scores[rows]
    if len(rows) > most:
        last = np.partition(found, len(rows) - most)[len(rows) - most]
        rows = np.flatnonzero(scores >= last)
        found = scores[rows]
    best: Numbers = rows[np.argsort(-found, kind="stable")[:most]]
    return best
