"""From sources to the evidence of each partition, and the captures that later ones replace.

    a portion of the crawl -> runs -> parcels ==shuffle==> the segments of a partition, in one file

Reading a portion gives the same runs every time, so a task may run again even after others have
used its output.
"""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa

from pagekin import _core
from pagekin.arrays import numbers as numbers_of
from pagekin.crawl import open_feed
from pagekin.engines.spark.frames import Count, batch_of
from pagekin.engines.spark.plan import RUN_BITS, Plan, Portion, SourceState
from pagekin.engines.spark.shuffle import Inbox, Parcel, packets
from pagekin.engines.spark.work_folder import content, numbers, part_name, scratch, store_parts
from pagekin.errors import InputError
from pagekin.index import stored_pages
from pagekin.work.outcome import BuildSummary
from pagekin.work.partitions import PartitionedFile

__all__ = ["OUTCOME", "REPLACED", "extract", "gather"]

OUTCOME = "outcome.json"
REPLACED = "replaced"


def extract(
    plan: Plan, portions: Sequence[str], batches: Iterable[pa.RecordBatch]
) -> Iterator[pa.RecordBatch]:
    """Packets of the evidence in portions of the crawl, and of the summary of each portion."""
    for number in numbers(batches):
        with scratch() as folder:
            parcels = _parcels(plan, number, Portion.from_json(portions[number]), folder)
            yield from packets(parcels, plan.partitions + 1)


def _parcels(plan: Plan, number: int, portion: Portion, folder: Path) -> Iterator[Parcel]:
    first = number << RUN_BITS
    sources = [known.source for known in portion.sources]
    how = plan.core(), folder, plan.bits, plan.run_bytes, plan.limits
    with open_feed([source for source in sources if not source.is_index], 1) as feed:
        queue = _core.Queue(feed.sources, first, portion)
        done = [_core.extract(queue, *how)]
    summary = BuildSummary(bytes_read=queue.bytes)
    for source in (source for source in sources if source.is_index):
        before = sum(len(part.runs) for part in done)
        with stored_pages(source, first + before, portion) as pages:
            done.append(_core.extract_stored(pages, *how))
            summary.bytes_read += pages.bytes // portion.of
    _check(portion.sources)
    for part in done:
        summary.count(part)
    summary.failures = feed.all_failures(summary.failures)
    for place, found in enumerate(run for part in done for run in part.runs):
        run = PartitionedFile(str(found.place), found.ends)
        for partition in range(plan.partitions):
            yield Parcel(partition, first + place, run.part(partition))
        Path(run.place).unlink()
    yield Parcel(plan.partitions, number, summary.to_json())


def _check(sources: Iterable[SourceState]) -> None:
    """Reject a changed source: a second attempt of a task might read it differently."""
    for known in sources:
        if not known.is_as_it_was():
            raise InputError(
                "has changed since the build began",
                source=known.source.path,
                advice="build again when the file is complete",
            )


def gather(plan: Plan, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Store each partition's segments; reports its numbers of URLs and of replaced captures."""
    with scratch() as folder:
        for partition, parcels in Inbox(folder).take(batches):
            parts = [part for _, part in parcels]
            if partition == plan.partitions:
                outcome = BuildSummary.total(map(BuildSummary.from_json, map(content, parts)))
                plan.work.write(OUTCOME, outcome.to_json())
                continue
            census = _core.superseded(parts)
            captures = [numbers_of(column) for column in census.replaced.columns]
            replaced = np.stack(captures, axis=1)
            plan.work.write(part_name(REPLACED, partition), replaced.tobytes())
            store_parts(plan.work, part_name("segments", partition), parts)
            counts = {"urls": census.urls, REPLACED: len(replaced)}
            yield batch_of([Count(name, partition, count) for name, count in counts.items()])
