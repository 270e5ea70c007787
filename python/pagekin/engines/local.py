"""The local engine: kernels on a thread pool, with an exchange in memory and on disk between them.

    sources -> runs -> merged partitions -> site graphs, lexicon, postings
                                         -> concepts -> bags and sketches -> inverse

A run holds the evidence of some pages, by partition of the URL that it is about. Partitions are
merged and weighted one by one. The index does not depend on the number of threads, the memory or
the order of the sources.
"""

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa

from pagekin import _core
from pagekin.bags.addresses import Addresses, find_addresses
from pagekin.bags.templates import PartitionedPages, find_templates
from pagekin.crawl import Source, open_feed, sizes_of
from pagekin.engines.kernels import (
    RawBags,
    bag_tables,
    concept_tables,
    concept_tables_of,
    page_tables,
    postings,
    refuse_for_indexes,
)
from pagekin.engines.site_graphs import SiteGraphs, site_graphs
from pagekin.index import (
    WEIGHED,
    IndexWriter,
    ShardFiles,
    ShardInvertedSketches,
    ShardWeightedPostings,
    bag_packer,
    position_steps,
    stored_pages,
)
from pagekin.index.several import Model
from pagekin.strategy import Strategy
from pagekin.work.outcome import BuildSummary, no_page_error
from pagekin.work.partitions import (
    FilePart,
    PartitionedFile,
    assumed_bytes,
    cut_by_shard,
    known_bytes,
    shard_bits,
    term_bits,
)
from pagekin.work.progress import Progress
from pagekin.work.settings import Settings
from pagekin.work.threads import Workers, worker_pool

__all__ = ["LocalBuild"]

_Place = str | _core.SpillFile


class LocalBuild:
    """One build, stage by stage."""

    def __init__(
        self,
        strategy: Strategy,
        settings: Settings,
        progress: Progress,
        model: Model | None = None,
    ) -> None:
        """A build that learns its model, or takes over that of another index."""
        self.model = model
        self.strategy = strategy
        self.settings = settings
        self.progress = progress
        self.summary = BuildSummary()
        self._core_strategy = _core.Strategy(strategy.to_core())
        self._fitted = model.fitted if model else strategy
        self._bits = 0
        self._shard_bits = 0
        self._runs: list[PartitionedFile[_Place]] = []
        self._raw: dict[int, _core.SpillFile] = {}
        self._firsts: list[int] = []

    def run(self, sources: Sequence[Source], index: Path) -> BuildSummary:
        """Build the index and publish it."""
        with (
            IndexWriter(index, self.strategy, self.settings.threads) as writer,
            worker_pool(self.settings.threads, self.progress) as workers,
        ):
            exchange = _core.SpillStore(writer.exchange, self.settings.spill_bytes)
            with self._stage("read"):
                self._extract(workers, sources, exchange)
            if not self.summary.pages:
                raise no_page_error(self.summary.failures, self.summary.skipped)
            with self._stage("compare"):
                superseded = self._compare(workers)
            with self._stage("addresses"):
                addresses = self._addresses(workers, exchange, superseded)
            with self._stage("templates"):
                templates = self._templates(workers, exchange, superseded)
            with self._stage("merge"):
                facts = superseded, templates, addresses.aliases
                merger = _core.Merger(*facts, self._core_strategy, self._term_bits)
                self._count_shards(workers, merger)
                counts = self._merge(workers, writer, exchange, (merger, addresses))
                self._write(writer, {"aliases": addresses.aliases.table()})
                self._finish(writer, "aliases")
            with self._stage("sites"):
                graphs = self._sites(writer)
            with self._stage("lexicon"):
                frequencies = self._lexicon(workers, writer, exchange, counts)
            with self._stage("postings"):
                self._postings(workers, writer, exchange, graphs)
            concepts = None
            if self.strategy.kinds.concept:
                with self._stage("concepts"):
                    concepts = self._concepts(workers, writer, frequencies)
            with self._stage("weigh"):
                self._weigh(workers, writer, frequencies, concepts)
            if self.summary.bags <= _core.FEW_BAGS:
                with self._stage("hold"):
                    self._hold(workers, writer)
            else:
                with self._stage("invert"):
                    self._invert(workers, writer)
            with self._stage("pack"):
                self._pack(workers, writer)
            with self._stage("publish"):
                self.progress.stage("publish", None, "bytes")
                shards, entry = 1 << self._shard_bits, self.model.entry if self.model else None
                self.summary.bytes_written = writer.publish(
                    shards, self.summary.counts, self._fitted, entry
                )
                self.summary.changed = writer.changed
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
        return term_bits(self._bits)

    @property
    def _model_bags(self) -> int:
        """The number of bags that document frequencies are of."""
        return self.model.entry["bags"] if self.model else self.summary.bags

    def _extract(
        self, workers: Workers, sources: Sequence[Source], exchange: _core.SpillStore
    ) -> None:
        sizes = sizes_of(sources)
        self._bits = self.settings.partition_bits(assumed_bytes(sizes))
        self.progress.stage("read", known_bytes(sizes), "bytes")
        cut = self._bits, self.settings.run_bytes, self.settings.limits
        how = self._core_strategy, exchange, *cut
        archives = [source for source in sources if not source.is_index]
        if len(archives) < len(sources):
            refuse_for_indexes(self.settings)
        with open_feed(archives, self.settings.threads) as feed:
            queue = _core.Queue(feed.sources, hold_out=self.settings.hold_out)
            self._take_runs(workers.empty(queue, partial(_core.extract, queue, *how)))
            self.summary.bytes_read = queue.bytes
        self.summary.failures = feed.all_failures(self.summary.failures)
        for source in (source for source in sources if source.is_index):
            with stored_pages(source, len(self._runs)) as pages:
                self._take_runs(workers.empty(pages, partial(_core.extract_stored, pages, *how)))
                self.summary.bytes_read += pages.bytes
        self.summary.sort()

    def _take_runs(self, parts: Iterable[_core.ExtractSummary]) -> None:
        for extracted in parts:
            self.summary.count(extracted)
            self._runs += [PartitionedFile(run.place, run.ends) for run in extracted.runs]

    def _segments(self, partition: int) -> list[FilePart[_Place]]:
        return [run.part(partition) for run in self._runs]

    def _compare(self, workers: Workers) -> _core.SupersededCaptures:
        """Find the captures that later ones replace, and how many shards there may be."""
        self.progress.stage("compare", len(self._partitions), "parts")
        superseded, urls = _core.SupersededCaptures(), 0

        def compare(partition: int) -> _core.CaptureCensus:
            return _core.superseded(self._segments(partition))

        for census in workers.map(compare, self._partitions):
            urls += census.urls
            superseded.add(census.replaced)
        self._shard_bits = shard_bits(urls, self.settings.shard_urls)
        self.summary.superseded = len(superseded)
        self.summary.pages -= len(superseded)
        return superseded

    def _count_shards(self, workers: Workers, merger: _core.Merger) -> None:
        """Count the shards of a large index exactly: captures that do not count leave no trace."""
        if self._shard_bits:

            def count(partition: int) -> int:
                return merger.count_urls(self._segments(partition))

            urls = sum(workers.map(count, self._partitions))
            self._shard_bits = shard_bits(urls, self.settings.shard_urls)

    def _addresses(
        self,
        workers: Workers,
        exchange: _core.SpillStore,
        superseded: _core.SupersededCaptures,
    ) -> Addresses[_core.SpillFile]:
        """Find which addresses are one page."""
        self.progress.stage("addresses", None, "parts")

        def place(kind: str, partition: int) -> _core.SpillFile:
            return exchange.file(f"{partition:04}.{kind}")

        known = partial(place, "addresses")
        pages = PartitionedPages(self._segments, self._bits, superseded, known)
        found = find_addresses(workers.map, pages, self._term_bits, partial(place, "moved"))
        self.summary.folded = found.pages
        self.summary.pages -= found.pages
        return found

    def _templates(
        self,
        workers: Workers,
        exchange: _core.SpillStore,
        superseded: _core.SupersededCaptures,
    ) -> _core.Templates:
        """Find what sites repeat."""
        min_pages = self.strategy.template.min_pages(self.summary.pages)
        parts = (1 << self._bits) + (1 << self._term_bits) if min_pages else 0
        self.progress.stage("templates", parts, "parts")

        def place(partition: int) -> _core.SpillFile:
            return exchange.file(f"{partition:04}.pagelets")

        pages = PartitionedPages(self._segments, self._bits, superseded, place)
        return find_templates(workers.map, pages, min_pages, self._term_bits)

    def _merge(
        self,
        workers: Workers,
        writer: IndexWriter,
        exchange: _core.SpillStore,
        by: tuple[_core.Merger, Addresses[_core.SpillFile]],
    ) -> list[PartitionedFile[_core.SpillFile]]:
        merger, addresses = by
        self.progress.stage("merge", len(self._partitions), "parts")
        self._raw = {at: exchange.file(f"{at:04}.bags") for at in self._partitions}
        slots = [exchange.file(f"{at:04}.counts") for at in self._partitions]

        def merge(partition: int) -> _core.MergedTables:
            segments: list[FilePart[Any]] = self._segments(partition)
            segments += addresses.parts(partition)
            return merger.merge(segments, self._raw[partition], slots[partition])

        counts = []
        for partition, merged in enumerate(workers.map(merge, self._partitions)):
            self._firsts.append(self.summary.bags)
            self.summary.bags += merged.urls
            self.summary.urls_left_out += merged.urls_left_out
            self.summary.links += merged.links.num_rows
            self._write(writer, page_tables(merged, self.strategy))
            counts.append(PartitionedFile(slots[partition], merged.count_ends))
        self._finish(writer, "pages", "texts", "layouts", "standby", "links", "captures")
        self._runs.clear()
        addresses.moved.clear()
        return counts

    def _sites(self, writer: IndexWriter) -> SiteGraphs:
        self.progress.stage("sites", 1, "graphs")
        shards = 1 << self._shard_bits
        graphs = site_graphs(writer.written("pages", shards), writer.written("links", shards))
        self._write(writer, graphs.tables())
        self._finish(writer, "ranks", "arcs", "sites")
        self.progress.advance()
        return graphs

    def _postings(
        self,
        workers: Workers,
        writer: IndexWriter,
        exchange: _core.SpillStore,
        graphs: SiteGraphs,
    ) -> None:
        self.progress.stage("postings", 2 * len(self._partitions), "parts")
        bags = [*zip(self._firsts, self._raw.values(), strict=True)]
        for batch in postings(workers.map, exchange, bags, self._bits, graphs.site_of):
            self._write(writer, {"postings": batch})
        self._finish(writer, "postings")

    def _lexicon(
        self,
        workers: Workers,
        writer: IndexWriter,
        exchange: _core.SpillStore,
        counts: list[PartitionedFile[_core.SpillFile]],
    ) -> list[_core.SpillFile]:
        ranges = range(1 << self._term_bits)
        self.progress.stage("lexicon", len(ranges), "parts")
        slots = [exchange.file(f"{number:04}.frequencies") for number in ranges]

        def merge(number: int) -> pa.RecordBatch:
            known = self.model.lexicon(number, self._term_bits) if self.model else None
            return _core.merge_lexicon([run.part(number) for run in counts], slots[number], known)

        for batch in workers.map(merge, ranges):
            self.summary.terms += batch.num_rows
            self._write(writer, {"lexicon": batch})
        self._finish(writer, "lexicon")
        counts.clear()
        return slots

    def _concepts(
        self, workers: Workers, writer: IndexWriter, frequencies: list[_core.SpillFile]
    ) -> _core.Concepts:
        """Learn concepts, or take over those of the model, write their tables, and prepare them for
        weighting."""
        self.progress.stage("concepts", None, "parts")
        raw = [*self._raw.values()]
        bags = RawBags(raw, self._bits, frequencies, self._model_bags)
        written = partial(writer.written, shards=1 << self._shard_bits)
        if self.model:
            made = concept_tables_of(self.model, workers.map, bags, written("pages"))
        else:
            made = concept_tables(
                workers.map,
                bags,
                (written("pages"), written("lexicon")),
                self.strategy,
                self.settings.threads,
            )
        self._write(writer, {"loadings": made.model.loadings, "concepts": made.concepts})
        self.summary.concepts = made.found
        self._fitted = made.fitted
        self.summary.fitted = made.fitted.changes_from(self.strategy)
        return made.model.concepts(self.strategy.concept)

    def _weigh(
        self,
        workers: Workers,
        writer: IndexWriter,
        frequencies: list[_core.SpillFile],
        concepts: _core.Concepts | None,
    ) -> None:
        self.progress.stage("weigh", len(self._partitions), "parts")

        core = _core.Strategy(self._fitted.to_core())
        weigher = _core.Weigher(frequencies, self._model_bags, core, concepts)

        def weigh(partition: int) -> dict[str, pa.RecordBatch]:
            bags = weigher.weigh(self._raw[partition])
            return bag_tables(bags, self.strategy.sketch, self.summary.bags)

        for partition, tables in enumerate(workers.map(weigh, self._partitions)):
            self._write(writer, tables)
            del self._raw[partition]
        self._finish(writer, WEIGHED, "sketches")
        frequencies.clear()

    def _invert(self, workers: Workers, writer: IndexWriter) -> None:
        steps = position_steps(self.strategy.sketch.positions)
        shards = range(1 << self._shard_bits)
        self.progress.stage("invert", len(shards) * len(steps), "parts")
        for shard in shards:
            files = ShardFiles(writer.draft, shard, building=True)
            inverse = ShardInvertedSketches(files, self.strategy.sketch)
            for batches in workers.map(inverse.batches, steps):
                for batch in batches:
                    writer.write("inverse", shard, batch)
        self._finish(writer, "inverse")

    def _hold(self, workers: Workers, writer: IndexWriter) -> None:
        shards = range(1 << self._shard_bits)
        self.progress.stage("hold", None, "parts")
        for shard in shards:
            files = ShardFiles(writer.draft, shard, building=True)
            holders = ShardWeightedPostings(files, self.strategy.sketch)
            for batch in workers.map(holders.batch, holders.ranges()):
                writer.write("holders", shard, batch)
        self._finish(writer, "holders")

    def _pack(self, workers: Workers, writer: IndexWriter) -> None:
        """Pack the bags of each shard by its terms."""
        shards = range(1 << self._shard_bits)
        self.progress.stage("pack", None, "parts")
        for shard in shards:
            files = ShardFiles(writer.draft, shard, building=True)
            terms = [*workers.map(files.terms, files.term_ranges())]
            for batch in terms:
                writer.write("terms", shard, batch)
            packer, weighed = bag_packer(iter(terms)), [*files.bags()]
            for batch in workers.map(packer.pack, weighed):
                writer.write("bags", shard, batch)
        self._finish(writer, "terms", "bags")
        writer.remove(WEIGHED, len(shards))
        writer.wait_for_checksums()

    def _finish(self, writer: IndexWriter, *tables: str) -> None:
        """Finish these tables, and compute their checksums in the background."""
        for table in tables:
            writer.finish_table(table, 1 << self._shard_bits)

    def _write(self, writer: IndexWriter, tables: Mapping[str, pa.RecordBatch]) -> None:
        for table, batch in tables.items():
            for shard, rows in cut_by_shard(batch, self._shard_bits):
                writer.write(table, shard, rows)
