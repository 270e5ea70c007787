"""From segments to merged partitions, and on to the lexicon.

segments of a partition -> pages, words, links, raw bags
                        -> counts of its terms ==shuffle==> a range of the lexicon
"""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa

from pagekin import _core
from pagekin.engines.kernels import page_tables
from pagekin.engines.spark.facts import Count, batch_of
from pagekin.engines.spark.plan import Plan
from pagekin.engines.spark.shuffle import Inbox, Parcel, packets
from pagekin.engines.spark.tasks.read import ALL_REPLACED
from pagekin.engines.spark.work import content, numbers, part_name, parts_of, scratch, store_table
from pagekin.partitions import FilePart, PartitionedFile

__all__ = ["lexicon", "merge"]


def merge(plan: Plan, replaced: int, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Merge partitions; yields packets of the counts of their terms, and facts."""
    superseded = _superseded(plan) if replaced else _core.SupersededCaptures()
    merger = _core.Merger(superseded, plan.core(), plan.term_bits)
    for partition in numbers(batches):
        with scratch() as folder:
            parcels = _merged(plan, partition, merger, folder)
            yield from packets(parcels, plan.ranges + 1)


def _superseded(plan: Plan) -> _core.SupersededCaptures:
    superseded = _core.SupersededCaptures()
    with plan.work.local(ALL_REPLACED) as path:
        captures = np.fromfile(path, np.uint32).reshape(-1, 2)
    runs, pages = (pa.array(column) for column in captures.T.copy())
    superseded.add(pa.record_batch([runs, pages], names=["run", "page"]))
    return superseded


def _merged(plan: Plan, partition: int, merger: _core.Merger, folder: Path) -> Iterator[Parcel]:
    bags, counts = folder / "raw", folder / "counts"
    with plan.work.local(part_name("segments", partition)) as path:
        found = merger.merge(parts_of(path), bags, counts)
    for table, rows in page_tables(found, plan.strategy).items():
        store_table(plan.work, table, partition, rows)
    plan.work.put(bags, part_name("raw", partition))
    run = PartitionedFile(str(counts), found.count_ends)
    for number in range(plan.ranges):
        yield Parcel(number, partition, run.part(number))
    counted = json.dumps([found.urls, found.links.num_rows])
    yield Parcel(plan.ranges, partition, counted.encode())


def lexicon(plan: Plan, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Merge ranges of the lexicon; reports their numbers of terms, and the facts from before."""
    with scratch() as folder:
        for number, parcels in Inbox(folder).take(batches):
            if number == plan.ranges:
                yield batch_of([*_counted(parcels)])
                continue
            path = folder / "frequencies"
            batch = _core.merge_lexicon([part for _, part in parcels], path)
            size = path.stat().st_size
            plan.work.put(path, part_name("frequencies", number))
            store_table(plan.work, "lexicon", number, batch)
            counts = [Count("terms", number, batch.num_rows), Count("frequencies", number, size)]
            yield batch_of(counts)


def _counted(parcels: list[tuple[int, FilePart[str]]]) -> Iterator[Count]:
    for partition, part in parcels:
        bags, links = json.loads(content(part))
        yield Count("bags", partition, bags)
        yield Count("links", partition, links)
