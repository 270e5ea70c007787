"""From parts of tables to the files of the index, and the checksums of their sectors.

parts of a table -> a file a shard -> its checksums ==shuffle==> the sums of a shard
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa

from pagekin import _core
from pagekin.engines.spark.frames import IndexFile, batch_of
from pagekin.engines.spark.plan import Plan
from pagekin.engines.spark.shuffle import Inbox, Parcel, packets
from pagekin.engines.spark.tasks.weigh import CONCEPTS
from pagekin.engines.spark.work_folder import content, numbers, read_table, scratch
from pagekin.index import (
    WEIGHED,
    ShardFiles,
    ShardInvertedSketches,
    ShardWeightedPostings,
    bag_packer,
    position_steps,
)
from pagekin.index.tables.checksums import sums_batch
from pagekin.index.tables.schema import CHECKSUMMED, file_name, schema_of
from pagekin.index.writer import TableWriter, table_writer
from pagekin.work.partitions import FilePart

__all__ = ["TOGETHER", "ShardCut", "seal", "write_shards"]

TOGETHER = (
    ("pages", "sketches", "inverse", "holders", "terms", "bags"),
    ("texts",),
    ("layouts", "standby"),
    ("links", "captures"),
    ("postings",),
    ("lexicon", "aliases", "ranks", "arcs", "sites", *CONCEPTS),
)
"""The tables that one task writes. The last four of the first task are computed from its pages,
sketches and weighed bags."""


@dataclass(frozen=True, slots=True)
class ShardCut:
    """The number of leading bits of shards and of the parts of each table.

    A small index has holders, a large one inverted sketches.
    """

    shard_bits: int
    part_bits: Mapping[str, int]
    is_small: bool

    @property
    def shards(self) -> int:
        """How many there are."""
        return 1 << self.shard_bits

    def parts(self, table: str, shard: int) -> range:
        """The parts that have rows of a shard."""
        finer = self.part_bits[table] - self.shard_bits
        if finer < 0:
            return range(shard >> -finer, (shard >> -finer) + 1)
        return range(shard << finer, (shard + 1) << finer)

    def rows(self, batch: pa.RecordBatch, shard: int) -> pa.RecordBatch:
        """The rows of a shard, by the leading bits of their first column."""
        last = ((shard + 1) << (64 - self.shard_bits)) - 1
        keys = batch.column(0).to_numpy()
        start = int(np.searchsorted(keys, np.uint64(shard << (64 - self.shard_bits))))
        end = int(np.searchsorted(keys, np.uint64(last), side="right"))
        return batch.slice(start, end - start)


def write_shards(
    plan: Plan, cut: ShardCut, batches: Iterable[pa.RecordBatch]
) -> Iterator[pa.RecordBatch]:
    """Write some tables of a shard; packets of their checksums."""
    for number in numbers(batches):
        shard, tables = number // len(TOGETHER), TOGETHER[number % len(TOGETHER)]
        with scratch() as folder:
            for table in ((WEIGHED,) if "bags" in tables else ()) + tables:
                _write(plan, cut, table, shard, folder)
            yield from packets(_seal(plan, tables, shard, folder), cut.shards)


def _write(plan: Plan, cut: ShardCut, table: str, shard: int, folder: Path) -> None:
    schema = schema_of(table, plan.strategy.sketch.positions)
    out = table_writer(folder / file_name(table, shard), table, schema)
    if table in ("sketches", "inverse") and cut.is_small:
        rows: Iterator[pa.RecordBatch] = iter(())
    elif table == "inverse":
        rows = _inverse(plan, shard, folder)
    elif table == "holders":
        rows = _holders(plan, shard, folder) if cut.is_small else iter(())
    elif table == "terms":
        rows = _terms(shard, folder)
    elif table == "bags":
        rows = _bags(shard, folder)
    elif table in CONCEPTS and not plan.strategy.kinds.concept:
        rows = iter(())
    else:
        rows = _read_rows(plan, cut, table, shard)
    for batch in rows:
        out.write(batch)
    out.close()


def _inverse(plan: Plan, shard: int, folder: Path) -> Iterator[pa.RecordBatch]:
    files = ShardFiles(folder, shard, building=True)
    inverse = ShardInvertedSketches(files, plan.strategy.sketch)
    for step in position_steps(plan.strategy.sketch.positions):
        yield from inverse.batches(step)


def _holders(plan: Plan, shard: int, folder: Path) -> Iterator[pa.RecordBatch]:
    files = ShardFiles(folder, shard, building=True)
    holders = ShardWeightedPostings(files, plan.strategy.sketch)
    return map(holders.batch, holders.ranges())


def _terms(shard: int, folder: Path) -> Iterator[pa.RecordBatch]:
    files = ShardFiles(folder, shard, building=True)
    return map(files.terms, files.term_ranges())


def _bags(shard: int, folder: Path) -> Iterator[pa.RecordBatch]:
    files = ShardFiles(folder, shard, building=True)
    return map(bag_packer(files.mapped("terms")).pack, files.bags())


def _read_rows(plan: Plan, cut: ShardCut, table: str, shard: int) -> Iterator[pa.RecordBatch]:
    """The rows of a shard from the parts that the stages before left."""
    for part in cut.parts(table, shard):
        with read_table(plan.work, table, part) as batches:
            for batch in batches:
                yield cut.rows(batch, shard)


def _seal(plan: Plan, tables: Iterable[str], shard: int, folder: Path) -> Iterator[Parcel]:
    """Move finished files to the draft; one parcel per file: its description and its checksums."""
    for table in tables:
        path = folder / file_name(table, shard)
        checksums = _core.checksums(path)
        described = IndexFile(path.name, path.stat().st_size, checksums.whole)
        head = json.dumps(asdict(described)).encode()
        plan.tables.put(path, path.name)
        packed = len(head).to_bytes(8, "little") + head + checksums.blocks.to_numpy().tobytes()
        yield Parcel(shard, CHECKSUMMED.index(table), packed)


def seal(plan: Plan, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Write the checksums of shards; reports all their files."""
    with scratch() as folder:
        for shard, parcels in Inbox(folder).take(batches):
            files, sums = [], {}
            for table, part in parcels:
                file, sums[CHECKSUMMED[table]] = _open_part(part)
                files.append(file)
            path = folder / file_name("sums", shard)
            out = TableWriter(path, schema_of("sums", 0), None)
            out.write(sums_batch(sums))
            out.close()
            files.append(IndexFile(path.name, path.stat().st_size, _core.checksums(path).whole))
            plan.tables.put(path, path.name)
            yield batch_of(files)


def _open_part(part: FilePart[str]) -> tuple[IndexFile, pa.UInt32Array]:
    packed = content(part)
    head = 8 + int.from_bytes(packed[:8], "little")
    sums = np.frombuffer(packed[head:], np.uint32)
    return IndexFile(**json.loads(packed[8:head])), pa.array(sums, pa.uint32())
