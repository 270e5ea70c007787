"""Concepts, learnt from a sample of a crawl's bags: randomised SVD (Halko et al. 2011).

The sample is made of the crawled pages with the smallest ids, which are hashes of URLs: it is as
good as a random one, and the same whatever the order of the crawl and the engine. From the same
bags the core learns the same bits on every machine.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, cast

import numpy as np
import pyarrow as pa

from pagekin import _core
from pagekin.arrays import array, flags, numbers, word_lists
from pagekin.strategy import Concept, CrawlTraits, Topic

__all__ = [
    "COMPONENTS",
    "ConceptModel",
    "Ids",
    "SampledPages",
    "crawl_traits",
    "learn_concepts",
    "name_concepts",
    "sample_pages",
]

Ids = np.ndarray[Any, np.dtype[np.uint64]]
WORDS = 8
"""Words that name a concept."""
COMPONENTS = ("loadings", "topics")
"""The columns of loadings, in the order in which components are numbered."""


class SampledPages(NamedTuple):
    """The ids of pages in order, and their sites."""

    ids: Ids
    sites: list[str]

    def first(self, limit: int) -> "SampledPages":
        """The first ones."""
        return SampledPages(self.ids[:limit], self.sites[:limit])


def sample_pages(pages: Iterable[pa.RecordBatch], limit: int) -> SampledPages:
    """The first crawled pages, out of batches of the table of pages in order."""
    found: list[Ids] = [np.empty(0, np.uint64)]
    sites: list[str] = []
    missing = limit
    for batch in pages:
        if missing <= 0:
            break
        crawled = flags(batch.column("crawled"))
        rows = np.flatnonzero(crawled)[:missing]
        found.append(numbers(batch.column("id"))[rows])
        sites += map(str, batch.column("site").take(array(rows)).to_pylist())
        missing -= len(rows)
    return SampledPages(np.concatenate(found), sites)


def crawl_traits(sites: Sequence[str]) -> CrawlTraits:
    """The properties of a crawl, by the sites of its sample, as if all components were found."""
    pairs = sum(count * count for count in Counter(sites).values())
    return CrawlTraits(sites=len(sites) ** 2 / pairs if pairs else 1.0)


class ConceptModel(NamedTuple):
    """The loadings of terms on components, and the directions of the sample's pages."""

    loadings: pa.RecordBatch
    page_vectors: pa.RecordBatch

    def share_of(self, concept: Concept) -> float:
        """The share of the requested components of concepts that were found."""
        lists = cast("pa.LargeListArray[Any]", self.loadings.column("loadings"))
        found = len(lists.flatten()) // (len(lists) or 1)
        return min(found / (concept.components + concept.mixed), 1.0)

    def concepts(self, concept: Concept) -> _core.Concepts:
        """Concepts, ready for the bags of the crawl."""
        return _core.Concepts([self.loadings], concept.power, [self.page_vectors])


@dataclass(frozen=True, slots=True)
class Learning:
    """How many components are learnt and mixed, from how many terms, to which power."""

    components: int
    mixed: int
    terms: int
    power: float


@dataclass(frozen=True, slots=True)
class Sample:
    """Bags, and the parameters of learning from them."""

    bags: Sequence[pa.RecordBatch]
    learning: Learning


def learn_concepts(
    bags: Sequence[pa.RecordBatch],
    concept: Concept,
    topics: tuple[Sequence[pa.RecordBatch], Topic] | None = None,
    threads: int = 1,
) -> ConceptModel:
    """Learn from bags that were weighted by `Strategy.matrix`; topics, from bags that were weighted
    by `Strategy.topic_matrix`."""
    shared = concept.terms, concept.power
    sample = Sample(bags, Learning(concept.components, concept.mixed, *shared))
    coarse = None
    if topics is not None:
        coarse = Sample(topics[0], Learning(topics[1].components, topics[1].mixed, *shared))
    learnt = _core.learn_concepts(sample, coarse, concept.cited > 0, threads)
    return ConceptModel(learnt.loadings, learnt.page_vectors)


def name_concepts(loadings: pa.RecordBatch, lexicon: Iterable[pa.RecordBatch]) -> pa.RecordBatch:
    """The table of concepts: each by its heaviest words, from batches of the lexicon in order."""
    heaviest = list(_heaviest(loadings))
    words = _words(np.array(sorted(set().union(*heaviest)), np.uint64), lexicon)
    order = sorted(range(1, len(heaviest) + 1), key=_core.concept_term)
    shown = [list(filter(None, map(words.get, heaviest[concept - 1]))) for concept in order]
    terms = np.array([_core.concept_term(concept) for concept in order], np.uint64)
    columns = [array(terms), array(np.array(order, np.uint32)), word_lists(shown)]
    return pa.RecordBatch.from_arrays(columns, ["term", "concept", "words"])


def _heaviest(loadings: pa.RecordBatch) -> Iterator[list[int]]:
    """The heaviest words in each half of each component; linking pages are not words."""
    terms = numbers(loadings.column("term"))
    columns = (cast("pa.LargeListArray[Any]", loadings.column(name)) for name in COMPONENTS)
    lists = [numbers(column.flatten()).reshape(len(terms) or 1, -1) for column in columns]
    values = np.concatenate(lists, axis=1)
    is_word = terms < _core.LINK_BIT
    terms, values = terms[is_word], values[: len(terms)][is_word]
    for component in values.T.astype(np.int32):
        for half in (component, -component):
            # Only candidates for the heaviest are sorted.
            lowest = np.partition(half, -WORDS)[-WORDS] if len(half) > WORDS else 1
            heavy = np.flatnonzero(half >= max(lowest, 1))
            order = heavy[np.argsort(-half[heavy], kind="stable")[:WORDS]]
            yield terms[order].tolist()


def _words(terms: Ids, lexicon: Iterable[pa.RecordBatch]) -> dict[int, str]:
    found: dict[int, str] = {}
    for batch in lexicon:
        if not batch.num_rows:
            continue
        known = numbers(batch.column("term"))
        rows = np.searchsorted(known, terms).clip(max=len(known) - 1)
        rows = rows[known[rows] == terms]
        shown = map(str, batch.column("word").take(array(rows)).to_pylist())
        found.update(zip(known[rows].tolist(), shown, strict=True))
    return found
