"""The local engine: kernels on a thread pool, with an exchange on disk between stages.

    sources -> runs -> merged partitions -> site graphs, lexicon, postings
                                         -> concepts -> bags and sketches -> inverse

A run holds the evidence of some pages, cut by partition of the URL it is about. Partitions are
merged and weighed one by one. Nothing that depends on the number of threads, the memory or the
order of the sources reaches the index.
"""

import itertools
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TypeVar

import numpy as np
import pyarrow as pa

from pagekin import _core
from pagekin.crawl import Source, feeding, sizes_of
from pagekin.engines.concepts import RawBags, concept_tables
from pagekin.engines.outcome import count_in, nothing_found
from pagekin.engines.postings import postings
from pagekin.engines.runs import Part, Run
from pagekin.engines.settings import UNKNOWN_SIZE, Settings
from pagekin.engines.sites import SiteGraphs, site_graphs, sited
from pagekin.index import IndexWriter, ShardHolders, ShardInverse, position_steps
from pagekin.progress import Progress
from pagekin.strategy import Strategy
from pagekin.types import BuildSummary

__all__ = ["LocalBuild"]

P = TypeVar("P")
R = TypeVar("R")

GRACE = 2.0
"""Seconds that a build which fails waits for its threads: one may wait for a pipe itself."""


class LocalBuild:
    """One build, stage by stage."""

    def __init__(self, strategy: Strategy, settings: Settings, progress: Progress) -> None:
        self.strategy = strategy
        self.settings = settings
        self.progress = progress
        self.summary = BuildSummary()
        self._core_strategy = _core.Strategy(strategy.to_core())
        self._bits = 0
        self._shard_bits = 0
        self._runs: list[Run] = []
        self._firsts: list[int] = []

    def run(self, sources: Sequence[Source], index: Path) -> BuildSummary:
        """Build the index and publish it."""
        with IndexWriter(index, self.strategy) as writer, _pool(self.settings.threads) as pool:
            with self._stage("read"):
                self._extract(pool, sources, writer.exchange)
            if not self.summary.pages:
                raise nothing_found(self.summary)
            with self._stage("compare"):
                superseded = self._compare(pool)
            with self._stage("merge"):
                counts = self._merge(pool, writer, superseded)
            with self._stage("sites"):
                graphs = self._sites(writer)
            with self._stage("lexicon"):
                frequencies = self._lexicon(pool, writer, counts)
            with self._stage("postings"):
                self._postings(pool, writer, graphs)
            concepts = None
            if self.strategy.kinds.concept:
                with self._stage("concepts"):
                    concepts = self._concepts(pool, writer, frequencies)
            with self._stage("weigh"):
                self._weigh(pool, writer, frequencies, concepts)
            with self._stage("invert"):
                self._invert(pool, writer)
            if self.summary.bags <= _core.FEW_BAGS:
                with self._stage("hold"):
                    self._hold(pool, writer)
            with self._stage("publish"):
                self.progress.stage("publish", None, "bytes")
                shards = 1 << self._shard_bits
                self.summary.bytes_written = writer.publish(shards, self.summary.counts)
                self.progress.advance(self.summary.bytes_written)
        return self.summary

    @contextmanager
    def _stage(self, name: str) -> Iterator[None]:
        start = time.perf_counter()
        try:
            yield
        finally:
            self.progress.done()
        self.summary.seconds[name] = round(time.perf_counter() - start, 3)

    @property
    def _partitions(self) -> range:
        return range(1 << self._bits)

    @property
    def _term_bits(self) -> int:
        """The lexicon is merged in fewer parts than the bags: it is far smaller."""
        return max(self._bits - 2, 0)

    def _extract(self, pool: ThreadPoolExecutor, sources: Sequence[Source], folder: Path) -> None:
        sizes = sizes_of(sources)
        known = sum(size or 0 for size in sizes)
        total = None if None in sizes else known
        self._bits = self.settings.partition_bits(known if total else known + UNKNOWN_SIZE)
        self.progress.stage("read", total, "bytes")
        with feeding(sources, self.settings.threads) as feed:
            for extracted in self._extract_parts(pool, _core.Queue(feed.sources), folder):
                count_in(self.summary, extracted)
                self._runs += [Run(path, ends) for path, ends in extracted.runs]
        self.summary.failures = feed.told(self.summary.failures)
        self.summary.failures.sort(key=lambda failure: (failure.source, failure.offset))
        self.summary.skipped = dict(sorted(self.summary.skipped.items()))

    def _extract_parts(
        self, pool: ThreadPoolExecutor, queue: _core.Queue, folder: Path
    ) -> list[_core.Extracted]:
        work = [
            pool.submit(self._extract_part, queue, folder) for _ in range(self.settings.threads)
        ]
        try:
            self._watch(queue, work)
        finally:
            # If one thread fails or the person gives up, the others stop as well.
            queue.cancel()
            wait(work, timeout=GRACE)
        self.summary.bytes_read = queue.bytes
        return [future.result() for future in work]

    def _extract_part(self, queue: _core.Queue, folder: Path) -> _core.Extracted:
        limits = (self.settings.limits.record, self.settings.limits.body)
        return _core.extract(
            queue, self._core_strategy, folder, self._bits, self.settings.run_bytes, limits
        )

    def _watch(self, queue: _core.Queue, work: list["Future[_core.Extracted]"]) -> None:
        """Pass on how far the threads have come until all are done or one fails."""
        shown, waiting = 0, True
        while waiting:
            waiting = bool(wait(work, timeout=0.1, return_when=FIRST_EXCEPTION).not_done)
            read = queue.bytes
            self.progress.advance(read - shown)
            shown = read
            for future in work:
                if future.done():
                    future.result()

    def _segments(self, partition: int) -> list[Part]:
        return [run.part(partition) for run in self._runs]

    def _compare(self, pool: ThreadPoolExecutor) -> _core.Superseded:
        """Find the captures that later ones replace, and how many shards there will be."""
        self.progress.stage("compare", len(self._partitions), "parts")
        superseded, urls = _core.Superseded(), 0

        def compare(partition: int) -> tuple[int, list[tuple[int, int]]]:
            return _core.superseded(self._segments(partition))

        for found, captures in self._map(pool, compare, self._partitions):
            urls += found
            superseded.add(captures)
        self._shard_bits = (urls // self.settings.shard_urls).bit_length()
        self.summary.superseded = len(superseded)
        self.summary.pages -= len(superseded)
        return superseded

    def _merge(
        self, pool: ThreadPoolExecutor, writer: IndexWriter, superseded: _core.Superseded
    ) -> list[Run]:
        self.progress.stage("merge", len(self._partitions), "parts")

        def merge(partition: int) -> _core.Merged:
            return _core.merge(
                self._segments(partition),
                superseded,
                self._core_strategy,
                self._term_bits,
                self._raw_bags(writer, partition),
                writer.exchange / f"{partition:04}.counts",
            )

        counts = []
        for partition, merged in enumerate(self._map(pool, merge, self._partitions)):
            self._firsts.append(self.summary.bags)
            self.summary.bags += merged.urls
            self.summary.links += merged.links.num_rows
            pages = sited(merged.pages.drop_columns(["words"]), self.strategy.site.kind)
            self._write(writer, "pages", pages)
            self._write(writer, "words", merged.pages.select(["id", "words"]))
            self._write(writer, "links", merged.links)
            counts.append(Run(str(writer.exchange / f"{partition:04}.counts"), merged.count_ends))
        for run in self._runs:
            Path(run.path).unlink()
        return counts

    def _sites(self, writer: IndexWriter) -> SiteGraphs:
        self.progress.stage("sites", 1, "graphs")
        shards = 1 << self._shard_bits
        graphs = site_graphs(writer.written("pages", shards), writer.written("links", shards))
        for table in ("ranks", "arcs", "sites"):
            self._write(writer, table, getattr(graphs, table))
        self.progress.advance()
        return graphs

    def _postings(self, pool: ThreadPoolExecutor, writer: IndexWriter, graphs: SiteGraphs) -> None:
        self.progress.stage("postings", 2 * len(self._partitions), "parts")
        bags = [self._raw_bags(writer, partition) for partition in self._partitions]
        each = partial(self._map, pool)
        for batch in postings(each, bags, self._firsts, self._bits, graphs.site_of):
            self._write(writer, "postings", batch)

    def _lexicon(
        self, pool: ThreadPoolExecutor, writer: IndexWriter, counts: list[Run]
    ) -> list[Path]:
        ranges = range(1 << self._term_bits)
        self.progress.stage("lexicon", len(ranges), "parts")
        paths = [writer.exchange / f"{number:04}.frequencies" for number in ranges]

        def merge(number: int) -> pa.RecordBatch:
            return _core.merge_lexicon([run.part(number) for run in counts], paths[number])

        for batch in self._map(pool, merge, ranges):
            self.summary.terms += batch.num_rows
            self._write(writer, "lexicon", batch)
        return paths

    def _concepts(
        self, pool: ThreadPoolExecutor, writer: IndexWriter, frequencies: list[Path]
    ) -> _core.Concepts:
        """Learn concepts, write their tables, and make them ready for weighing."""
        self.progress.stage("concepts", None, "parts")
        paths = [self._raw_bags(writer, partition) for partition in self._partitions]
        bags = RawBags(paths, self._bits, frequencies, self.summary.bags)
        written = partial(writer.written, shards=1 << self._shard_bits)
        made = concept_tables(
            partial(self._map, pool),
            bags,
            (written("pages"), written("lexicon")),
            self.strategy,
            self.settings.threads,
        )
        self._write(writer, "loadings", made.loadings)
        self._write(writer, "concepts", made.concepts)
        self.summary.concepts = made.found
        return _core.Concepts([made.loadings], self.strategy.concept.power)

    def _weigh(
        self,
        pool: ThreadPoolExecutor,
        writer: IndexWriter,
        frequencies: list[Path],
        concepts: _core.Concepts | None,
    ) -> None:
        self.progress.stage("weigh", len(self._partitions), "parts")

        def weigh(partition: int) -> tuple[pa.RecordBatch, pa.RecordBatch]:
            path = self._raw_bags(writer, partition)
            known = [*frequencies], self.summary.bags, self._core_strategy
            bags = _core.weigh(path, *known, concepts)
            return bags, _core.sketch(bags, sketch.positions, sketch.seed)

        sketch = self.strategy.sketch
        for partition, (bags, sketches) in enumerate(self._map(pool, weigh, self._partitions)):
            self._write(writer, "bags", bags)
            self._write(writer, "sketches", sketches)
            self._raw_bags(writer, partition).unlink()

    def _invert(self, pool: ThreadPoolExecutor, writer: IndexWriter) -> None:
        steps = position_steps(self.strategy.sketch.positions)
        shards = range(1 << self._shard_bits)
        for table in ("pages", "bags", "sketches"):
            writer.finish_table(table, len(shards))
        self.progress.stage("invert", len(shards) * len(steps), "parts")
        for shard in shards:
            inverse = ShardInverse(writer.draft, shard, self.strategy.sketch)
            for batches in self._map(pool, inverse.batches, steps):
                for batch in batches:
                    writer.write("inverse", shard, batch)

    def _hold(self, pool: ThreadPoolExecutor, writer: IndexWriter) -> None:
        shards = range(1 << self._shard_bits)
        self.progress.stage("hold", None, "parts")
        for shard in shards:
            holders = ShardHolders(writer.draft, shard, self.strategy.sketch)
            for batch in self._map(pool, holders.batch, holders.ranges()):
                writer.write("holders", shard, batch)

    def _raw_bags(self, writer: IndexWriter, partition: int) -> Path:
        return writer.exchange / f"{partition:04}.bags"

    def _map(
        self, pool: ThreadPoolExecutor, work: Callable[[P], R], parts: Sequence[P]
    ) -> Iterator[R]:
        """Do the work for each part; results in order, few of them waiting."""
        running: deque[Future[R]] = deque()
        try:
            for part in parts:
                running.append(pool.submit(work, part))
                if len(running) > self.settings.threads:
                    yield running.popleft().result()
                    self.progress.advance()
            while running:
                yield running.popleft().result()
                self.progress.advance()
        finally:
            # Nothing may still write when a build that failed clears up.
            wait(running)

    def _write(self, writer: IndexWriter, table: str, batch: pa.RecordBatch) -> None:
        """Write rows to the shards that their first column belongs to, by its leading bits."""
        keys = batch.column(0).to_numpy()
        bits = self._shard_bits
        first = [np.uint64(shard << (64 - bits)) for shard in range(1, 1 << bits)]
        cuts = [0, *np.searchsorted(keys, first).tolist(), batch.num_rows]
        for shard, (start, end) in enumerate(itertools.pairwise(cuts)):
            if end > start or not bits:
                writer.write(table, shard, batch.slice(start, end - start))


@contextmanager
def _pool(threads: int) -> Iterator[ThreadPoolExecutor]:
    """A pool whose end waits for nobody: each stage has waited for its own work."""
    pool = ThreadPoolExecutor(threads)
    try:
        yield pool
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
