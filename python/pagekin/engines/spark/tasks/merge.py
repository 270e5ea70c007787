"""Merging: segments to partitions, counts of terms to the lexicon, raw bags to postings.

segments of a partition -> counts of its pagelets ==shuffle==> a range of the templates
segments of a partition -> pages, texts, layouts, standby, links, raw bags
                        -> counts of its terms ==shuffle==> a range of the lexicon
raw bags of a partition -> postings, by the sites of pages ==shuffle==> a range of the postings

Site graphs whose links fit the memory of one task are made here as well.
"""

import json
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from pagekin import _core
from pagekin.engines.kernels import page_tables
from pagekin.engines.site_graphs import site_graphs
from pagekin.engines.spark.frames import Count, batch_of
from pagekin.engines.spark.plan import Plan
from pagekin.engines.spark.shuffle import Inbox, Parcel, packets
from pagekin.engines.spark.tasks.addresses import moved_to, read_aliases, read_superseded
from pagekin.engines.spark.work_folder import (
    content,
    numbers,
    part_name,
    parts_of,
    read_table,
    scratch,
    store_table,
)
from pagekin.work.partitions import FilePart, PartitionedFile

__all__ = [
    "TABLES",
    "Numbering",
    "count_pagelets",
    "lexicon",
    "merge",
    "merge_pagelets",
    "merge_postings",
    "small_graphs",
    "turn_over",
]

TEMPLATES = "templates"
TABLES = ("pages", "texts", "layouts", "standby", "links", "captures")
"""The results of a merged partition."""


def count_pagelets(plan: Plan, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Packets of the counts of the pagelets of partitions."""
    superseded = read_superseded(plan)
    for partition in numbers(batches):
        with scratch() as folder:
            counts = folder / "pagelets"
            with plan.work.local(part_name("segments", partition)) as path:
                parts = parts_of(path)
                ends = _core.count_pagelets(parts, superseded, plan.term_bits, counts)
            run = PartitionedFile(str(counts), ends)
            parcels = (Parcel(number, partition, run.part(number)) for number in range(plan.ranges))
            yield from packets(parcels, plan.ranges)


def merge_pagelets(
    plan: Plan, pages: int, batches: Iterable[pa.RecordBatch]
) -> Iterator[pa.RecordBatch]:
    """Store which pagelets of each range are templates, in a crawl of this many pages; reports the
    number of templates."""
    with scratch() as folder:
        for number, parcels in Inbox(folder).take(batches):
            min_pages = plan.strategy.template.min_pages(pages)
            keys = _core.merge_pagelets([part for _, part in parcels], min_pages)
            plan.work.write(part_name(TEMPLATES, number), keys.to_numpy().tobytes())
            yield batch_of([Count(TEMPLATES, number, len(keys))])


def merge(plan: Plan, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Merge partitions; yields packets of the counts of their terms, and facts."""
    aliases = read_aliases(plan)
    facts = read_superseded(plan), _read_templates(plan), aliases
    merger = _core.Merger(*facts, plan.core(), plan.term_bits)
    for partition in numbers(batches):
        with scratch() as folder:
            with ExitStack() as files:
                names = [part_name("segments", partition), moved_to(partition)]
                paths = [plan.work.local(name) for name in names[: 2 if len(aliases) else 1]]
                parts = [part for path in paths for part in parts_of(files.enter_context(path))]
                found = merger.merge(parts, folder / "raw", folder / "counts")
            yield from packets(_store(plan, partition, found, folder), plan.ranges + 1)


def _read_templates(plan: Plan) -> _core.Templates:
    ranges = range(plan.ranges) if plan.strategy.template.pages else range(0)
    read = (plan.work.read(part_name(TEMPLATES, number)) for number in ranges)
    return _core.Templates([pa.array(np.frombuffer(keys, np.uint64)) for keys in read])


def _store(plan: Plan, partition: int, found: _core.MergedTables, folder: Path) -> Iterator[Parcel]:
    for table, rows in page_tables(found, plan.strategy).items():
        store_table(plan.work, table, partition, rows)
    plan.work.put(folder / "raw", part_name("raw", partition))
    run = PartitionedFile(str(folder / "counts"), found.count_ends)
    for number in range(plan.ranges):
        yield Parcel(number, partition, run.part(number))
    counted = json.dumps([found.urls, found.urls_left_out, found.links.num_rows])
    yield Parcel(plan.ranges, partition, counted.encode())


def lexicon(plan: Plan, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Merge ranges of the lexicon; reports their numbers of terms, and the facts from before."""
    with scratch() as folder:
        for number, parcels in Inbox(folder).take(batches):
            if number == plan.ranges:
                yield batch_of([*_read_counts(parcels)])
                continue
            path = folder / "frequencies"
            model = plan.shared_model()
            known = model.lexicon(number, plan.term_bits) if model else None
            batch = _core.merge_lexicon([part for _, part in parcels], path, known)
            size = path.stat().st_size
            plan.work.put(path, part_name("frequencies", number))
            store_table(plan.work, "lexicon", number, batch)
            counts = [Count("terms", number, batch.num_rows), Count("frequencies", number, size)]
            yield batch_of(counts)


def _read_counts(parcels: list[tuple[int, FilePart[str]]]) -> Iterator[Count]:
    for partition, part in parcels:
        bags, urls_left_out, links = json.loads(content(part))
        yield Count("bags", partition, bags)
        yield Count("urls_left_out", partition, urls_left_out)
        yield Count("links", partition, links)


def small_graphs(plan: Plan, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Make all graphs at once; each table of them is one part."""
    for _ in numbers(batches):
        with ExitStack() as files:
            graphs = site_graphs(_all(plan, "pages", files), _all(plan, "links", files))
        for table, rows in graphs.tables().items():
            store_table(plan.work, table, 0, rows)
        yield batch_of([Count("sites", 0, graphs.sites.num_rows)])


def _all(plan: Plan, table: str, files: ExitStack) -> Iterator[pa.RecordBatch]:
    for partition in range(plan.partitions):
        yield from files.enter_context(read_table(plan.work, table, partition))


@dataclass(frozen=True, slots=True)
class Numbering:
    """The first page number of each partition and the end, and the bits of `ranks`."""

    firsts: tuple[int, ...]
    graph_bits: int

    def sites(self, plan: Plan, partition: int) -> "pa.Array[Any]":
        """The sites of a partition's pages."""
        first, end = self.firsts[partition : partition + 2]
        part, start = (partition, 0) if self.graph_bits else (0, first)
        with read_table(plan.work, "ranks", part) as batches:
            sites = pa.chunked_array([batch.column("site") for batch in batches], pa.uint32())
            return pa.concat_arrays(sites.slice(start, end - first).chunks)


def turn_over(
    plan: Plan, numbering: Numbering, batches: Iterable[pa.RecordBatch]
) -> Iterator[pa.RecordBatch]:
    """Packets of the postings of partitions."""
    for partition in numbers(batches):
        with scratch() as folder:
            path, sites = folder / "postings", numbering.sites(plan, partition)
            with plan.work.local(part_name("raw", partition)) as raw:
                run = PartitionedFile(
                    str(path), _core.pack_postings(raw, sites, plan.term_bits, path)
                )
            parcels = (Parcel(number, partition, run.part(number)) for number in range(plan.ranges))
            yield from packets(parcels, plan.ranges)


def merge_postings(
    plan: Plan, numbering: Numbering, batches: Iterable[pa.RecordBatch]
) -> Iterator[pa.RecordBatch]:
    """Merge ranges of postings."""
    with scratch() as folder:
        for number, parcels in Inbox(folder).take(batches):
            firsts = [numbering.firsts[partition] for partition, _ in parcels]
            batch = _core.merge_postings([part for _, part in parcels], firsts)
            store_table(plan.work, "postings", number, batch)
            yield batch_of([Count("postings", number, batch.num_rows)])
