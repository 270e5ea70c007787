"""The local engine's stage for concepts: the sample is weighed, learnt from, and named."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from pagekin import _core
from pagekin.bags import Learnt, learn, named, sample
from pagekin.engines.postings import Each
from pagekin.strategy import Strategy
from pagekin.types import ConceptsFound

__all__ = ["ConceptTables", "RawBags", "concept_tables"]


@dataclass(frozen=True, slots=True)
class RawBags:
    """A crawl's merged bags, cut into 2^`bits` partitions, and its document frequencies."""

    places: Sequence[Path | _core.Slot]
    bits: int
    frequencies: Sequence[Path | _core.Slot]
    count: int


@dataclass(frozen=True, slots=True)
class ConceptTables:
    """What was learnt, what concepts are called, and how they came about."""

    learnt: Learnt
    concepts: pa.RecordBatch
    found: ConceptsFound


def concept_tables(
    each: Each,
    bags: RawBags,
    tables: tuple[Iterable[pa.RecordBatch], Iterable[pa.RecordBatch]],
    strategy: Strategy,
    threads: int,
) -> ConceptTables:
    """Learn concepts; `tables` are the batches of the pages and of the lexicon."""
    pages, lexicon = tables
    ids = sample(pages, strategy.concept.pages)
    chosen = _core.Chosen(ids.tolist())
    matrix = _core.Strategy(strategy.matrix.to_core())

    weigher = _core.Weigher([*bags.frequencies], bags.count, matrix)

    def weigh(partition: int) -> pa.RecordBatch:
        return weigher.weigh_sample(bags.places[partition], chosen)

    # Ids are in order of partitions, so the sample is in the first ones.
    parts = (int(ids[-1]) >> (64 - bags.bits)) + 1 if len(ids) else 0
    learnt = learn(list(each(weigh, range(parts))), strategy.concept, threads)
    concepts = named(learnt.loadings, lexicon)
    wanted = strategy.concept.wanted
    return ConceptTables(learnt, concepts, ConceptsFound(concepts.num_rows, wanted, len(ids)))
