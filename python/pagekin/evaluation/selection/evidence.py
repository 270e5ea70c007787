"""The bags of the surveyed pages by any strategy, and the co-citation baseline.

Making and merging the evidence is most of the work of a strategy. Frequency weights, weights of
kinds and normalising come after it, so strategies are grouped by what comes before.

Co-citation (Dean and Henzinger 1999): a page's answers are the pages that stand within four links
of it on the pages that link to it, by how many of those do so. Their last step, which asks for the
parent folder of a page with few answers, is left out: it would answer for another page.
"""

import tempfile
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from pagekin import _core
from pagekin.arrays import numbers
from pagekin.bags.addresses import move_links
from pagekin.bags.concepts import crawl_traits, learn_concepts
from pagekin.bags.templates import PartitionedPages, find_templates
from pagekin.evaluation.selection.page_store import Survey
from pagekin.strategy import CrawlTraits, Strategy
from pagekin.url import registrable_domain
from pagekin.work.partitions import FilePart, PartitionedFile
from pagekin.work.threads import map_in_threads, map_to_list

__all__ = ["MergedBags", "average_window", "merge_bags", "merge_key", "rank_by_cocitation"]

Rows = np.ndarray[Any, np.dtype[np.int64]]


def _some(batches: list[pa.RecordBatch], rows: Rows) -> list[pa.RecordBatch]:
    return pa.Table.from_batches(batches).take(rows).to_batches()


def merge_key(strategy: Strategy) -> Hashable:
    """Equal for strategies whose evidence is merged alike."""
    needs = strategy.needs
    window = strategy.window if needs.anchor else None
    words = strategy.words if needs.content or needs.anchor else None
    sample = strategy.concept.pages if strategy.kinds.concept else 0
    return needs, window, words, strategy.lead, strategy.template, sample


@contextmanager
def merge_bags(
    survey: Survey, strategy: Strategy, folder: Path, threads: int
) -> Iterator["MergedBags"]:
    """The merged evidence of the strategies that share this one's merge, on disk for the block."""
    with tempfile.TemporaryDirectory(
        prefix=".merge-", dir=folder, ignore_cleanup_errors=True
    ) as work:
        yield MergedBags(survey, strategy, Path(work), threads)


class MergedBags:
    """The merged evidence of one group of strategies, in a folder."""

    def __init__(self, survey: Survey, strategy: Strategy, folder: Path, threads: int) -> None:
        self._survey = survey
        self._threads = threads
        self._folder = folder
        pages = strategy.concept.pages if strategy.kinds.concept else 0
        self._sampled = survey.crawled.first(pages)
        self._sample = _core.UrlSet(self._sampled.ids.tolist())
        self._learnt: dict[Hashable, tuple[_core.Concepts, float]] = {}
        self._bags, counts = self._merge(strategy)
        self._frequencies = self._merge_lexicon(counts)

    def collection(self, strategy: Strategy, rows: Rows | None = None) -> _core.Collection:
        """The bags by one strategy of the group: all that are chosen, or some by their places."""
        concepts = None
        if strategy.kinds.concept:
            concepts, traits = self._concepts(strategy)
            strategy = strategy.fitted(traits)
        core = _core.Strategy(strategy.to_core())
        weigher = _core.Weigher(self._frequencies, self._bags, core, concepts)

        def weigh(partition: int) -> pa.RecordBatch:
            return weigher.weigh(self._path(partition, "bags"))

        batches = map_to_list(weigh, self._survey.partitions, self._threads)
        return _core.Collection(batches if rows is None else _some(batches, rows))

    def _concepts(self, strategy: Strategy) -> tuple[_core.Concepts, CrawlTraits]:
        """Concepts as a build would learn them, and what it would fit weights by; the weight of
        concepts does not matter."""
        traits = self._traits(strategy)
        coarse = strategy.fitted(traits)
        topic = coarse.topic if coarse.kinds.topic else None
        key = strategy.matrix, strategy.concept, topic
        if key not in self._learnt:
            topics = None
            if topic is not None:
                topics = self._weigh_sample(coarse.topic_matrix), topic
            bags = self._weigh_sample(strategy.matrix)
            learnt = learn_concepts(bags, strategy.concept, topics, self._threads)
            concepts = learnt.concepts(strategy.concept)
            self._learnt[key] = concepts, learnt.share_of(strategy.concept)
        concepts, share = self._learnt[key]
        return concepts, replace(traits, components=share)

    def _traits(self, strategy: Strategy) -> CrawlTraits:
        sites = self._sampled.sites
        if strategy.site.kind == "domain":
            sites = [registrable_domain(site) for site in sites]
        return crawl_traits(sites)

    def _weigh_sample(self, matrix: Strategy) -> list[pa.RecordBatch]:
        core = _core.Strategy(matrix.to_core())
        weigher = _core.Weigher(self._frequencies, self._bags, core)

        def weigh(partition: int) -> pa.RecordBatch:
            return weigher.weigh_sample(self._path(partition, "sample"), self._sample)

        return map_to_list(weigh, self._survey.partitions, self._threads)

    def _merge(self, strategy: Strategy) -> tuple[int, list[PartitionedFile[str]]]:
        """Merge the bags; returns how many there are, and the counts for the lexicon."""
        survey = self._survey
        core = _core.Strategy(strategy.to_core())
        runs = survey.cut(core, self._folder, self._threads)
        pages = PartitionedPages(
            lambda partition: [run.part(partition) for run in runs],
            survey.bits,
            survey.superseded,
            partial(self._path, kind="pagelets"),
        )
        map_parts, least = (
            map_in_threads(self._threads),
            strategy.template.min_pages(len(survey.crawled.ids)),
        )
        templates = find_templates(map_parts, pages, least, survey.term_bits)
        moved = move_links(map_parts, pages, survey.aliases, partial(self._path, kind="moved"))
        facts = survey.superseded, templates, survey.aliases
        merger = _core.Merger(*facts, core, survey.term_bits)

        def merge(partition: int) -> tuple[int, PartitionedFile[str]]:
            counts = self._path(partition, "counts")
            selections = [
                _core.BagSelection(survey.chosen, self._path(partition, "bags")),
                _core.BagSelection(self._sample, self._path(partition, "sample")),
            ]
            parts: list[FilePart[Any]] = [*pages.parts(partition)]
            parts += [run.part(partition) for run in moved]
            found = merger.merge_only(parts, selections, counts)
            return found.urls, PartitionedFile(str(counts), found.count_ends)

        merged = map_to_list(merge, survey.partitions, self._threads)
        for run in runs:
            Path(run.place).unlink()
        return sum(urls for urls, _ in merged), [counts for _, counts in merged]

    def _merge_lexicon(self, counts: list[PartitionedFile[str]]) -> list[Path]:
        def merge(number: int) -> Path:
            path = self._path(number, "frequencies")
            _core.merge_lexicon([run.part(number) for run in counts], path)
            return path

        frequencies = map_to_list(merge, range(1 << self._survey.term_bits), self._threads)
        for run in counts:
            Path(run.place).unlink()
        return frequencies

    def _path(self, number: int, kind: str) -> Path:
        return self._folder / f"{number:04}.{kind}"


def average_window(survey: Survey, strategy: Strategy, folder: Path) -> tuple[int, float, float]:
    """How many links the crawl has, and the mean of the words before and behind their anchors."""
    links, before, after = 0, 0, 0
    core = _core.Strategy(strategy.to_core())
    with tempfile.TemporaryDirectory(prefix=".merge-", dir=folder) as work:
        runs = survey.cut(core, Path(work), threads=1)
        facts = survey.superseded, _core.Templates([]), survey.aliases
        merger = _core.Merger(*facts, core, survey.term_bits)
        for partition in survey.partitions:
            scratch = (Path(work) / f"{partition}.{kind}" for kind in ("bags", "counts"))
            found = merger.merge([run.part(partition) for run in runs], *scratch).links
            start, first, last, end = (
                numbers(found.column(name)).astype(np.int64)
                for name in ("from", "first", "last", "to")
            )
            links += len(start)
            before += int((first - start).sum())
            after += int((end - last).sum())
    return links, before / max(links, 1), after / max(links, 1)


def rank_by_cocitation(seen: Survey) -> _core.Ranking:
    """Pairs of chosen pages that are linked to side by side, with their counts."""
    count = len(seen.matched.ids)
    keys = np.zeros(0, dtype=np.int64)
    times = np.zeros(0, dtype=np.int64)
    for path in seen.pages:
        batch = _core.cocitations(path, int(path.stem), seen.superseded, seen.chosen)
        one, other, found = (numbers(column).astype(np.int64) for column in batch.columns)
        keys = np.concatenate([keys, one * count + other])
        keys, places = np.unique(keys, return_inverse=True)
        times = np.bincount(places, weights=np.concatenate([times, found])).astype(np.int64)
    one, two = np.divmod(keys, max(count, 1))
    columns = [
        pa.array(one, pa.uint32()),
        pa.array(two, pa.uint32()),
        pa.array(times, pa.float64()),
    ]
    return _core.Ranking(count, pa.record_batch(columns, names=["query", "other", "score"]))
