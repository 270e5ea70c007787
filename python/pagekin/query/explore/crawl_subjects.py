"""What the pages of a crawl or of a site are about: k-means over their concepts (Lloyd 1982).

A sample of the pages is clustered by the direction of their concepts, from centres drawn as
k-means++ does (Arthur and Vassilvitskii 2007), with a seed. A subject is named by the words that
tell most of its pages from the sample: their part in the Kullback-Leibler divergence, times the
number of pages that have them.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from pagekin import _core
from pagekin.arrays import Numbers
from pagekin.index import IndexReader
from pagekin.index.tables.sorted import TableRows
from pagekin.query.explore.overview import EntryPage
from pagekin.query.selection import PageSelection, selected_rows
from pagekin.query.titles import page_title

__all__ = ["CrawlSubject", "crawl_subjects", "subjects_of"]

SAMPLE = 1024
"""Pages that are clustered: the first by id, which is a hash."""
SUBJECTS, PAGES_EACH = 32, 8
"""Subjects at most, and pages in the sample for each on average at least."""
ROUNDS = 8
EXAMPLES, WORDS = 3, 4
"""Pages and words listed of a subject."""
LEAST = 2
"""Pages of a subject at least, and pages of a subject that have a word that names it."""


@dataclass(frozen=True, slots=True)
class CrawlSubject:
    """A subject by its words, the share of pages that are about it, and examples of these."""

    words: list[str]
    share: float
    pages: list[EntryPage]


@dataclass(frozen=True, slots=True)
class _Bags:
    """The bags of some pages: the position of the page, the term and the share of each entry."""

    pages: int
    owner: Numbers
    term: Numbers
    share: Numbers

    def part(self, wanted: Numbers) -> "_Bags":
        """Only these entries."""
        return _Bags(self.pages, self.owner[wanted], self.term[wanted], self.share[wanted])


def crawl_subjects(index: IndexReader) -> list[CrawlSubject]:
    """The subjects of the crawl, those of most pages first."""
    with index.blaming():
        crawled = selected_rows(index, PageSelection().to_core())
        return subjects_of(index, np.flatnonzero(crawled), SUBJECTS)


def subjects_of(index: IndexReader, rows: Numbers, most: int) -> list[CrawlSubject]:
    """At most so many subjects of the pages in these rows, those of most pages first."""
    rows, concepts = rows[:SAMPLE], index.manifest.counts["concepts"]
    count = min(most, len(rows) // PAGES_EACH)
    if not concepts or count < LEAST:
        return []
    bags = _bags(index, rows)
    vectors = _vectors(bags, concepts)
    cluster, nearness = _clusters(vectors, count)
    words = _names(index, bags, cluster, _site_words(index, rows, cluster, count))
    sizes = np.bincount(cluster, minlength=count)
    found = []
    for number in np.argsort(-sizes, kind="stable").tolist():
        pages = np.flatnonzero(cluster == number)
        if words[number] and len(pages) >= LEAST:
            best = rows[pages[np.argsort(-nearness[pages], kind="stable")]]
            share = round(len(pages) / len(rows), 6)
            found.append(CrawlSubject(words[number], share, [*_examples(index, best)]))
    return found


def _bags(index: IndexReader, rows: Numbers) -> _Bags:
    table = TableRows(index.tables["bags"])
    owner, terms = table.lists("terms", rows)
    _, weights = table.lists("weights", rows)
    return _Bags(len(rows), owner, terms, weights / _core.TOTAL)


def _vectors(bags: _Bags, concepts: int) -> Numbers:
    """The direction of each page: its share of every concept, with length 1."""
    terms = np.array([_core.concept_term(each + 1) for each in range(concepts)], np.uint64)
    order = np.argsort(terms)
    place = np.searchsorted(terms[order], bags.term).clip(max=concepts - 1)
    own = terms[order][place] == bags.term
    vectors = np.zeros((bags.pages, concepts), np.float32)
    vectors[bags.owner[own], order[place[own]]] = bags.share[own]
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    directions: Numbers = vectors / np.where(lengths, lengths, 1)
    return directions


def _clusters(vectors: Numbers, count: int) -> tuple[Numbers, Numbers]:
    """The cluster of each page, and the cosine to its centre."""
    centres = _first_centres(vectors, count)
    count = len(centres)
    for _ in range(ROUNDS):
        cluster = _cosines(vectors, centres).argmax(axis=1)
        sums = np.stack([vectors[cluster == number].sum(axis=0) for number in range(count)])
        lengths = np.linalg.norm(sums, axis=1, keepdims=True)
        centres = np.where(lengths > 0, sums / np.where(lengths, lengths, 1), centres)
    cosines = _cosines(vectors, centres)
    return cosines.argmax(axis=1), cosines.max(axis=1)


def _cosines(vectors: Numbers, centres: Numbers) -> Numbers:
    """Of each vector with each centre. `@` would share this out among threads, which takes longer
    here and gives other last bits on other machines."""
    cosines: Numbers = np.einsum("ij,kj->ik", vectors, centres)
    return cosines


def _first_centres(vectors: Numbers, count: int) -> Numbers:
    """Pages drawn one after another, the likelier the farther they are from those before."""
    random = np.random.default_rng(0)
    chosen = [int(random.integers(len(vectors)))]
    distance = np.full(len(vectors), 2.0)
    for _ in range(count - 1):
        near = _cosines(vectors, vectors[chosen[-1:]])[:, 0]
        distance = np.minimum(distance, (1 - near).clip(min=0))
        total = distance.sum()
        if not total:
            break
        chosen.append(int(random.choice(len(vectors), p=distance / total)))
    return vectors[chosen]


def _site_words(index: IndexReader, rows: Numbers, cluster: Numbers, count: int) -> list[set[str]]:
    """For each cluster the words in the names of the sites of at least half of its pages."""
    counts = [Counter[str]() for _ in range(count)]
    for place, number in zip(index.place(rows), cluster.tolist(), strict=True):
        counts[number].update({*re.split(r"[.\-]", index.searcher.page_meta(place).site)})
    sizes = np.bincount(cluster, minlength=count).tolist()
    return [
        {word for word, pages in counted.items() if 2 * pages >= size}
        for counted, size in zip(counts, sizes, strict=True)
    ]


def _names(
    index: IndexReader, bags: _Bags, cluster: Numbers, without: Sequence[set[str]]
) -> list[list[str]]:
    """The words that name each cluster, no word in two names."""
    count = len(without)
    is_word = (bags.term < _core.LINK_BIT) & (bags.term & CONCEPT_BITS != 0)
    words = bags.part(np.flatnonzero(is_word))
    known, term, times = np.unique(words.term, return_inverse=True, return_counts=True)
    # Most words are on one page, and name nothing.
    common = times >= LEAST
    words, term = words.part(common[term]), (np.cumsum(common) - 1)[term[common[term]]]
    known = known[common]
    shape, cells = (count, len(known)), cluster[words.owner] * len(known) + term
    shares, pages = (
        np.bincount(cells, weights, count * len(known)).reshape(shape)
        for weights in (words.share, None)
    )
    usual = shares.sum(axis=0) / shares.sum()
    own = shares / np.maximum(shares.sum(axis=1, keepdims=True), 1e-12)
    gain = own * np.log(np.maximum(own, 1e-12) / usual)
    # A word that few of the pages have, however often, does not name them all.
    gain *= np.where(pages >= LEAST, pages, 0)
    gain *= gain == gain.max(axis=0)
    best = np.argsort(-gain, axis=1, kind="stable")[:, : 2 * WORDS]
    named = (
        [index.word(int(known[at])) for at in row if gain[number, at] > 0]
        for number, row in enumerate(best)
    )
    return [
        [word for word in words if len(word) > 1 and word not in names][:WORDS]
        for words, names in zip(named, without, strict=True)
    ]


CONCEPT_BITS = np.uint64((1 << 32) - 1)
"""Bits that no term of a concept has, and nearly every other term."""


def _examples(index: IndexReader, rows: Numbers) -> Iterator[EntryPage]:
    """The first of these pages, each title once."""
    seen: set[str] = set()
    for place in index.place(rows[: 4 * EXAMPLES]):
        meta, title = index.searcher.page_meta(place), page_title(index, place)
        if title and title not in seen and len(seen) < EXAMPLES:
            seen.add(title)
            yield EntryPage(meta.url, title, meta.site)
