"""Which addresses are one page, and the links that move because of it.

segments of a partition -> the addresses it knows ==shuffle==> a range of variant keys
segments of a partition -> links to other addresses ==shuffle==> the partition of their page
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from pagekin import _core
from pagekin.arrays import numbers as numbers_of
from pagekin.engines.spark.frames import Count, batch_of
from pagekin.engines.spark.plan import Plan
from pagekin.engines.spark.shuffle import Inbox, Parcel, packets
from pagekin.engines.spark.tasks.read import REPLACED
from pagekin.engines.spark.work_folder import (
    numbers,
    part_name,
    parts_of,
    read_table,
    scratch,
    store_nothing,
    store_parts,
    store_table,
)
from pagekin.work.partitions import PartitionedFile

__all__ = [
    "ALIASES",
    "FOLDED",
    "join",
    "merge_addresses",
    "move_links",
    "moved_to",
    "pack_addresses",
    "read_aliases",
    "read_superseded",
    "store_moved",
    "store_none",
]

ALIASES = "aliases"
FOLDED = "folded"
LEFT_OUT = "replaced/all"
"""The captures that do not count: replaced or folded."""
MOVED = "moved"


def pack_addresses(plan: Plan, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Packets of the addresses that partitions know."""
    for partition in numbers(batches):
        superseded = _captures(plan.work.read(part_name(REPLACED, partition)))
        with scratch() as folder:
            packed = folder / "addresses"
            with plan.work.local(part_name("segments", partition)) as path:
                ends = _core.pack_addresses(parts_of(path), superseded, plan.term_bits, packed)
            run = PartitionedFile(str(packed), ends)
            parcels = (Parcel(number, partition, run.part(number)) for number in range(plan.ranges))
            yield from packets(parcels, plan.ranges)


def merge_addresses(plan: Plan, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Store which addresses of each range are one page; reports how many there are."""
    with scratch() as folder:
        for number, parcels in Inbox(folder).take(batches):
            found = _core.merge_addresses([part for _, part in parcels])
            for what, batch in ((ALIASES, found.aliases), (FOLDED, found.folded)):
                plan.work.write(part_name(f"ranges/{what}", number), _rows(batch).tobytes())
            yield batch_of(
                [
                    Count(ALIASES, number, found.aliases.num_rows),
                    Count(FOLDED, number, found.folded.num_rows),
                ]
            )


def _rows(batch: pa.RecordBatch) -> "np.ndarray[Any, Any]":
    return np.stack([numbers_of(column) for column in batch.columns], axis=1)


def join(plan: Plan, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Join the captures that do not count in one file, and the aliases in one table: every merging
    task reads both."""
    for _ in numbers(batches):
        replaced = (plan.work.read(part_name(REPLACED, part)) for part in range(plan.partitions))
        ranges = range(plan.ranges)
        folded = (plan.work.read(part_name(f"ranges/{FOLDED}", number)) for number in ranges)
        with scratch() as folder:
            with (folder / "captures").open("wb") as file:
                for captures in (*replaced, *folded):
                    file.write(captures)
            plan.work.put(folder / "captures", LEFT_OUT)
        aliases = b"".join(
            plan.work.read(part_name(f"ranges/{ALIASES}", number)) for number in ranges
        )
        ids, pages = (pa.array(column) for column in _columns(aliases, np.uint64))
        table = _core.Aliases([pa.record_batch([ids, pages], names=["id", "page"])]).table()
        store_table(plan.work, ALIASES, 0, table)
        yield batch_of([Count("joined", 0, plan.partitions)])


def _columns(packed: bytes, kind: type[np.unsignedinteger]) -> "Sequence[np.ndarray[Any, Any]]":
    return [*np.frombuffer(packed, kind).reshape(-1, 2).T.copy()]


def _captures(packed: bytes) -> _core.SupersededCaptures:
    superseded = _core.SupersededCaptures()
    runs, pages = (pa.array(column) for column in _columns(packed, np.uint32))
    superseded.add(pa.record_batch([runs, pages], names=["run", "page"]))
    return superseded


def store_none(plan: Plan) -> None:
    """Store that every capture counts and every address is a page of its own."""
    plan.work.write(LEFT_OUT, b"")
    store_nothing(plan.work, ALIASES, 0)


def read_superseded(plan: Plan) -> _core.SupersededCaptures:
    """The captures that do not count."""
    return _captures(plan.work.read(LEFT_OUT))


def read_aliases(plan: Plan) -> _core.Aliases:
    """The other addresses of pages."""
    with read_table(plan.work, ALIASES, 0) as batches:
        return _core.Aliases(batches)


def move_links(plan: Plan, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Packets of the links to other addresses of pages, for the partitions of those pages."""
    facts = read_superseded(plan), read_aliases(plan)
    for partition in numbers(batches):
        with scratch() as folder:
            moved = folder / MOVED
            with plan.work.local(part_name("segments", partition)) as path:
                ends = _core.move_links(parts_of(path), *facts, plan.bits, moved)
            run = PartitionedFile(str(moved), ends)
            parcels = (Parcel(to, partition, run.part(to)) for to in range(plan.partitions))
            yield from packets(parcels, plan.partitions)


def store_moved(plan: Plan, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Store the links that moved to each partition."""
    with scratch() as folder:
        for partition, parcels in Inbox(folder).take(batches):
            store_parts(plan.work, part_name(MOVED, partition), [part for _, part in parcels])
            yield batch_of([Count(MOVED, partition, len(parcels))])


def moved_to(partition: int) -> str:
    """The file of the links that moved to a partition."""
    return part_name(MOVED, partition)
