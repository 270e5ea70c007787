"""BM25F (Robertson, Zaragoza, Taylor 2004) with sequential dependence (Metzler and Croft 2005).

    tf(t) = Σ over fields of weight · count(t) / (1 - b + b · length / mean length)
    bm25f = Σ idf(t) · tf(t) / (k1 + tf(t)) / Σ idf(t)
    score = (1 - PAIRS) · bm25f + PAIRS · share of the query's pairs that the page has

Both parts are between 0 and 1, so that scores of different queries compare. Counts in titles and
URLs and pairs are looked up for the best pages only. They can only add to a score, so a page that
was looked up never falls behind one that was not. The core adds up posting lists.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from pagekin import _core
from pagekin.arrays import Numbers
from pagekin.index import IndexReader

__all__ = [
    "MOST_WORDS",
    "WordQuery",
    "best_rows",
    "score_pages",
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
PARAMS = {
    "k1": K1,
    "text_b": TEXT_B,
    "title_b": TITLE_B,
    "anchor_b": ANCHOR_B,
    "title": TITLE,
    "url": URL,
    "anchor": ANCHOR,
    "looked_up": LOOKED_UP,
}
"""The constants, for the core."""
RERANKED = 128
"""Pages whose words are read for pairs."""


@dataclass(frozen=True, slots=True)
class WordQuery:
    """The rarest words of a text, and pairs of adjacent words, each with its weight.

    `known` is the number of distinct words that the crawl knows. Stop words are in no posting list;
    `stop_terms` are looked up in titles and URLs. `languages` are those that the text may be in.
    """

    terms: list[int]
    words: list[str]
    idf: list[float]
    known: int
    stop_terms: list[int]
    pairs: list[str]
    pair_weights: list[float]
    languages: list[str | None]

    @classmethod
    def of(
        cls, index: IndexReader, words: Sequence[str], languages: Sequence[str | None] = (None,)
    ) -> "WordQuery":
        """The query of a text in one of these languages."""
        asked = index.searcher, index.core_strategy, words, languages
        found = _core.query_words(*asked, MOST_WORDS)
        bags = index.manifest.model["bags"]
        idf = [_idf(frequency, bags) for frequency in found.frequencies]
        weights = [
            sum(STOP_IDF if place is None else idf[place] for place in (first, second))
            for _, first, second in found.pairs
        ]
        pairs = [pair for pair, _, _ in found.pairs]
        terms = found.terms, found.words
        return cls(*terms, idf, found.known, found.stop_terms, pairs, weights, [*languages])

    @property
    def total(self) -> float:
        """The weight of all words."""
        return sum(self.idf) + STOP_IDF * len(self.stop_terms)

    def without_pairs(self) -> "WordQuery":
        """The same words in no order."""
        return replace(self, pairs=[], pair_weights=[])


def score_pages(index: IndexReader, query: WordQuery, pages: _core.PageSelection) -> Numbers:
    """The score of every page by its row; 0 for pages that may not be hits. A query of stop words
    is looked up in titles and URLs alone."""
    terms = [*zip(query.terms, query.idf, strict=True)]
    stop_terms = [(term, STOP_IDF) for term in query.stop_terms]
    scorer = index.bm25f(PARAMS)
    scores = scorer.scores(index.searcher, index.core_strategy, pages, terms, stop_terms)
    return _with_pairs(index, query, np.frombuffer(scores))


def _with_pairs(index: IndexReader, query: WordQuery, scores: Numbers) -> Numbers:
    """The scores as shares of the weight of all words, with the pairs of the best pages."""
    scores = scores * ((1 - PAIRS if query.pairs else 1) / (query.total or 1.0))
    if query.pairs:
        best = best_rows(scores, RERANKED, index.id_order)
        scores[best] += PAIRS * _share_of_pairs(index, query, best)
    return scores


def _share_of_pairs(index: IndexReader, query: WordQuery, rows: Numbers) -> Numbers:
    """The weight of the pairs that pages have, as a share of all."""
    found = index.phrases(rows, query.pairs)
    weight = np.zeros(len(rows))
    for number, each in enumerate(query.pair_weights):
        weight += each * found[:, number]
    return weight / (sum(query.pair_weights) or 1.0)


def _idf(frequency: int, bags: int) -> float:
    return float(np.log1p((max(bags - frequency, 0) + 0.5) / (frequency + 0.5)))


def best_rows(scores: Numbers, most: int, order: Numbers | None = None) -> Numbers:
    """The rows with the highest scores above 0, best first; equals by row, or in this order."""
    if order is not None:
        return np.asarray(order[best_rows(scores[order], most)])
    rows = np.flatnonzero(scores > 0)
    found = scores[rows]
    if len(rows) > most:
        last = np.partition(found, len(rows) - most)[len(rows) - most]
        rows = np.flatnonzero(scores >= last)
        found = scores[rows]
    return np.asarray(rows[np.argsort(-found, kind="stable")[:most]])
