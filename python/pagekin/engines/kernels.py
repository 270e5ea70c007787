"""What both engines compute from several kernels: page tables, concepts, postings.

A kernel takes Arrow batches or files and returns Arrow batches or files. The local engine runs
kernels on threads, Spark in tasks; both give the same rows, so both write the same bytes.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol, TypeVar

import pyarrow as pa

from pagekin import _core
from pagekin.bags.concepts import (
    ConceptModel,
    Ids,
    crawl_traits,
    learn_concepts,
    name_concepts,
    sample_pages,
)
from pagekin.engines.site_graphs import assign_sites
from pagekin.errors import EngineError
from pagekin.index import WEIGHED
from pagekin.index.several import Model
from pagekin.strategy import Sketch, Strategy
from pagekin.work.outcome import ConceptCounts
from pagekin.work.partitions import PartitionedFile
from pagekin.work.settings import Settings

__all__ = [
    "ConceptTables",
    "MapParts",
    "RawBags",
    "bag_tables",
    "concept_tables",
    "concept_tables_of",
    "page_tables",
    "postings",
    "refuse_for_indexes",
]

R = TypeVar("R")


def refuse_for_indexes(settings: Settings) -> None:
    """Refuse what only captures can answer: an index has the latest of each page, read once."""
    for setting, what in (
        (settings.hold_out, "nothing can be held out of pages that were read before"),
        (settings.limits.as_of, "an index has only the latest capture of each page"),
    ):
        if setting is not None:
            raise EngineError(what, where="the sources", advice="build from the captures")


class MapParts(Protocol):
    """Runs work for every number of a range on several threads; results are in order."""

    def __call__(self, work: Callable[[int], R], parts: range, /) -> Iterator[R]:
        """Do it."""


def postings(
    map_parts: MapParts,
    exchange: _core.SpillStore,
    bags: Sequence[tuple[int, _core.SpillFile]],
    bits: int,
    site_of: "pa.Array[Any]",
) -> Iterator[pa.RecordBatch]:
    """The table of postings in 2^bits batches.

    `bags` are the raw bags of the partitions, each with the number of its first page.
    """
    firsts = [first for first, _ in bags]
    ends = [*firsts[1:], len(site_of)]

    def pack(partition: int) -> PartitionedFile[_core.SpillFile]:
        (first, raw), slot = bags[partition], exchange.file(f"{partition:04}.postings")
        sites = site_of.slice(first, ends[partition] - first)
        return PartitionedFile(slot, _core.pack_postings(raw, sites, bits, slot))

    runs = list(map_parts(pack, range(len(bags))))

    def merge(number: int) -> pa.RecordBatch:
        return _core.merge_postings([run.part(number) for run in runs], firsts)

    yield from map_parts(merge, range(1 << bits))


def page_tables(merged: _core.MergedTables, strategy: Strategy) -> dict[str, pa.RecordBatch]:
    """The tables of a merged partition: its pages by site, and what goes with them."""
    pages = assign_sites(merged.pages, strategy.site.kind)
    return {
        "pages": pages,
        "texts": merged.texts,
        "layouts": merged.layouts,
        "standby": merged.standby,
        "links": merged.links,
        "captures": merged.captures,
    }


def bag_tables(bags: pa.RecordBatch, sketch: Sketch, total: int) -> dict[str, pa.RecordBatch]:
    """The tables of a weighted partition of a crawl with this many bags: its bags and, in a large
    index, their sketches."""
    tables = {WEIGHED: bags}
    if total > _core.FEW_BAGS:
        tables["sketches"] = _core.sketch(bags, sketch.positions, sketch.seed)
    return tables


@dataclass(frozen=True, slots=True)
class RawBags:
    """A crawl's merged bags in 2^`bits` partitions, and the document frequencies among the `count`
    bags of its model."""

    places: Sequence[Path | _core.SpillFile]
    bits: int
    frequencies: Sequence[Path | _core.SpillFile]
    count: int

    def weighed(self, map_parts: MapParts, matrix: Strategy, ids: Ids) -> list[pa.RecordBatch]:
        """The bags of a sample of pages, whose ids are in order, for learning."""
        core, chosen = _core.Strategy(matrix.to_core()), _core.UrlSet(ids.tolist())
        weigher = _core.Weigher([*self.frequencies], self.count, core)
        # Ids are in order of partitions, so the sample is in the first ones.
        parts = (int(ids[-1]) >> (64 - self.bits)) + 1 if len(ids) else 0

        def weigh(partition: int) -> pa.RecordBatch:
            return weigher.weigh_sample(self.places[partition], chosen)

        return list(map_parts(weigh, range(parts)))


@dataclass(frozen=True, slots=True)
class ConceptTables:
    """The concepts learnt, their names, counts for the summary, and the strategy for bags."""

    model: ConceptModel
    concepts: pa.RecordBatch
    found: ConceptCounts
    fitted: Strategy


def concept_tables(
    map_parts: MapParts,
    bags: RawBags,
    tables: tuple[Iterable[pa.RecordBatch], Iterable[pa.RecordBatch]],
    strategy: Strategy,
    threads: int,
) -> ConceptTables:
    """Learn concepts; `tables` are the batches of the pages and of the lexicon."""
    pages, lexicon = tables
    ids, sites = sample_pages(pages, strategy.concept.pages)
    traits = crawl_traits(sites)
    topics, coarse = None, strategy.fitted(traits)
    if coarse.kinds.topic:
        topics = bags.weighed(map_parts, coarse.topic_matrix, ids), coarse.topic
    matrix = bags.weighed(map_parts, strategy.matrix, ids)
    model = learn_concepts(matrix, strategy.concept, topics, threads)
    fitted = strategy.fitted(replace(traits, components=model.share_of(strategy.concept)))
    concepts = name_concepts(model.loadings, lexicon)
    wanted = strategy.concept.max_terms(len(ids))
    if strategy.kinds.topic:
        wanted += strategy.topic.max_terms(len(ids))
    counts = ConceptCounts(concepts.num_rows, wanted, len(ids))
    return ConceptTables(model, concepts, counts, fitted)


def concept_tables_of(
    model: Model, map_parts: MapParts, bags: RawBags, pages: Iterable[pa.RecordBatch]
) -> ConceptTables:
    """The concepts of a model; `pages` are the batches of the pages. Where pages point that others
    link to is not part of the model: it is computed from a sample of the crawl."""
    concept, sample = model.strategy.concept, []
    if concept.cited:
        ids, _ = sample_pages(pages, concept.pages)
        sample = bags.weighed(map_parts, model.strategy.matrix, ids)
    loadings, concepts = model.loadings, model.concepts
    vectors = _core.page_vectors(sample, _core.Concepts([loadings], concept.power))
    counts = ConceptCounts(concepts.num_rows, concepts.num_rows, 0)
    return ConceptTables(ConceptModel(loadings, vectors), concepts, counts, model.fitted)
