"""`pagekin check`: verifies an index against its manifest and its format.

Everything is computed again: the checksum of every file, the order and range of every column, the
sketches from the bags and the inverted sketches from those. The first fault is reported.
"""

from collections.abc import Callable, Iterator
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from pagekin import _core
from pagekin.bags.concepts import COMPONENTS
from pagekin.index.captures import capture_fault
from pagekin.index.inverted import ShardInvertedSketches, ShardWeightedPostings, position_steps
from pagekin.index.reader import IndexReader
from pagekin.index.stored import pages_of_shard
from pagekin.index.tables.mapped import corrupt, unreadable
from pagekin.index.tables.packed import unpacked_batches
from pagekin.index.tables.schema import (
    BATCH_ROWS,
    CHECKSUMMED,
    COMPRESSED,
    TABLES,
    file_name,
    schema_of,
    table_of,
)
from pagekin.index.tables.shard import ShardFiles
from pagekin.index.tables.sorted import list_column
from pagekin.work.progress import Progress, SilentProgress

__all__ = ["check"]


def check(index: IndexReader, progress: Progress | None = None) -> None:
    """Raise `IndexCorrupt` for the first fault, or return."""
    progress = progress or SilentProgress()
    checks = _Checks(index)
    stages: list[Callable[[int], None]] = [
        checks.files,
        checks.pages,
        checks.aliases,
        checks.texts,
        checks.layouts,
        checks.links,
        checks.captures,
        checks.bags,
        checks.sketches,
        checks.terms,
        checks.lexicon,
        checks.loadings,
        checks.concepts,
        checks.inverse,
        checks.holders,
    ]
    shards = index.manifest.shards
    progress.stage("check", shards * len(stages), "parts")
    for stage in stages:
        for shard in range(shards):
            stage(shard)
            progress.advance()
    checks.counts()
    progress.done()


class _Checks:
    """The checks of one index, each of one shard."""

    def __init__(self, index: IndexReader) -> None:
        self._index = index
        self._manifest = index.manifest
        self._folder = index.path / index.manifest.folder
        self._sketch = index.strategy.sketch
        self._counts = {"pages": 0, "bags": 0, "terms": 0, "links": 0, "concepts": 0}

    @cached_property
    def _concepts(self) -> "np.ndarray[Any, np.dtype[np.uint64]]":
        """The terms of all concepts."""
        return self._index.tables["concepts"].scan(["term"]).column(0).to_numpy()

    def files(self, shard: int) -> None:
        """Size and checksum of every file; no file is missing or surplus."""
        sums = self._path("sums", shard)
        for table in ("sums", *CHECKSUMMED):
            path = self._path(table, shard)
            found = _core.checksums(path)
            if found.whole != self._manifest.files[path.name]["xxh3"]:
                raise corrupt(path, "the checksum differs from the one in the manifest")
            if table in CHECKSUMMED and not found.blocks.equals(
                self._index.files[table][shard].sums
            ):
                raise corrupt(sums, f"a checksum differs from that of its block of {path.name}")
            if table in CHECKSUMMED:
                file = self._index.files[table][shard].verified
                _core.VerifiedTable(file, compressed=table in COMPRESSED).verify_all()
        known = {self._path(table, number).name for table in TABLES for number in self._shards()}
        for name in sorted(self._manifest.files.keys() ^ known):
            raise corrupt(self._folder / name, "the manifest lists too few or too many files")

    def pages(self, shard: int) -> None:
        """Ids are in order, belong to the shard and match their URLs; so do sites."""
        path = self._path("pages", shard)
        for batch in self._check_batches(path, "pages", shard):
            for row in batch.select(["id", "url", "site"]).to_pylist():
                if (
                    _core.url_id(row["url"]) != row["id"]
                    or self._index.site_of(row["url"]) != row["site"]
                ):
                    raise corrupt(path, f"the row of {row['url']} has the wrong id or site")
            crawled = batch.column("crawled").to_numpy(zero_copy_only=False)
            self._counts["pages"] += int(crawled.sum())
            self._counts["bags"] += batch.num_rows

    def aliases(self, shard: int) -> None:
        """Addresses are in order and not those of pages; their pages list them as variants."""
        path, pages = self._path("aliases", shard), self._index.tables["pages"]
        for batch in self._check_batches(path, "aliases", shard):
            for alias, key in zip(*(column.to_pylist() for column in batch.columns), strict=True):
                page = pages.find(key)
                listed = {_core.url_id(url) for url in page["variants"]} if page else set()
                if alias not in listed or pages.find(alias) is not None:
                    raise corrupt(path, "an address is not a variant of its page")

    def texts(self, shard: int) -> None:
        """Exactly the crawled pages have a text, and as many words as the pages say."""
        path, pages = self._path("texts", shard), self._path("pages", shard)
        crawled = self._column(pages, "crawled")
        names = ("id", "length", "digest")
        columns = (self._column(pages, name).filter(crawled).to_pylist() for name in names)
        expected = zip(*columns, strict=True)
        for batch in self._check_batches(path, "texts", shard):
            for row in batch.to_pylist():
                page, words, digest = next(expected, (None, 0, 0))
                if row["id"] != page:
                    raise corrupt(path, "a crawled page has no text, or another page has one")
                if _core.word_digest(row["text"]) != (words, digest):
                    raise corrupt(path, "a text does not have the words of its page")
                ends = row["templates"]
                if len(ends) % 2 or ends != sorted(ends) or max(ends, default=0) > words:
                    raise corrupt(path, "a template is not in its text")
        if next(expected, None) is not None:
            raise corrupt(path, "a crawled page has no text")

    def layouts(self, shard: int) -> None:
        """Every page, and what is kept beside the pages, can be made again."""
        for _ in self._check_batches(self._path("layouts", shard), "layouts", shard):
            pass
        path = self._path("standby", shard)
        for batch in self._check_batches(path, "standby", shard, distinct=False):
            for row in batch.select(["id", "url"]).to_pylist():
                if _core.url_id(row["url"]) != row["id"]:
                    raise corrupt(path, f"the row of {row['url']} has the wrong id")
        with self._index.blaming():
            pages_of_shard(self._index, shard).check()

    def links(self, shard: int) -> None:
        """Targets are in order, windows contain their anchors, and no page links to itself."""
        path = self._path("links", shard)
        last = (0, 0)
        for batch in self._check_batches(path, "links", shard, distinct=False):
            target, source = (batch.column(at).to_numpy() for at in (0, 1))
            places = [batch.column(at).to_numpy() for at in range(2, 6)]
            if any((low > high).any() for low, high in pairwise(places)):
                raise corrupt(path, "a window does not contain its anchor")
            if (target == source).any():
                raise corrupt(path, "a page links to itself")
            if (batch.column("template").to_numpy() > 1).any():
                raise corrupt(path, "a link is neither in a template nor outside")
            same = target[1:] == target[:-1]
            if (same & (source[1:] < source[:-1])).any() or last > (target[0], source[0]):
                raise corrupt(path, "the linking pages are out of order")
            last = (int(target[-1]), int(source[-1]))
            self._counts["links"] += batch.num_rows

    def captures(self, shard: int) -> None:
        """Ids are in order and match their URLs; every crawled page is one of its captures."""
        path = self._path("captures", shard)
        pages = self._batches(self._path("pages", shard))
        captures = self._check_batches(path, "captures", shard, distinct=False)
        if fault := capture_fault(captures, pages):
            raise corrupt(path, fault)

    def bags(self, shard: int) -> None:
        """Ids are those of the pages, terms are in order, and weights sum up."""
        path = self._path("bags", shard)
        for batch in self._check_batches(path, "bags", shard):
            self._check_bags(path, batch)
        self._check_ids("bags", shard)

    def sketches(self, shard: int) -> None:
        """They match the bags; a small index has none."""
        path = self._path("sketches", shard)
        if self._manifest.has_holders:
            if next(self._batches(path), None) is not None:
                raise corrupt(path, "a small index has no sketches")
            return
        for _ in self._check_batches(path, "sketches", shard):
            pass
        made = self._column(path, "sketch")
        row = 0
        for batch in self._batches(self._path("bags", shard)):
            expected = _core.sketch(batch, self._sketch.positions, self._sketch.seed)
            found = made.slice(row, batch.num_rows).combine_chunks()
            if not found.equals(expected.column("sketch")):
                raise corrupt(path, "a sketch does not match its bag")
            row += batch.num_rows
        self._check_ids("sketches", shard)

    def _check_bags(self, path: Path, batch: pa.RecordBatch) -> None:
        terms, weights = list_column(batch, "terms"), list_column(batch, "weights")
        ends = terms.offsets.to_numpy()
        values = terms.flatten().to_numpy()
        falls = np.flatnonzero(values[1:] <= values[:-1]) + 1 + ends[0]
        if not np.isin(falls, ends).all():
            raise corrupt(path, "the terms of a bag are out of order")
        concepts = values[_is_concept(values)]
        for term in concepts[~np.isin(concepts, self._concepts)].tolist():
            raise corrupt(path, f"a bag refers to unknown concept {_core.concept_number(term)}")
        sums = np.concatenate([[0], np.cumsum(weights.flatten().to_numpy(), dtype=np.int64)])
        totals = np.diff(sums[ends - ends[0]])
        if not np.isin(totals, [0, _core.TOTAL]).all() or (weights.flatten().to_numpy() == 0).any():
            raise corrupt(path, f"the weights of a bag do not sum to {_core.TOTAL}")

    def terms(self, shard: int) -> None:
        """They are those of the bags, in order."""
        path, files = self._path("terms", shard), ShardFiles(self._folder, shard)
        found = pa.Table.from_batches(self._batches(path), schema_of("terms", 0))
        expected = [files.terms(limits) for limits in files.term_ranges()]
        if not found.column(0).equals(pa.chunked_array([batch.column(0) for batch in expected])):
            raise corrupt(path, "the terms are not those of the bags")

    def lexicon(self, shard: int) -> None:
        """Terms are in order, and their frequencies are possible."""
        path = self._path("lexicon", shard)
        for batch in self._check_batches(path, "lexicon", shard):
            frequency = batch.column("frequency").to_numpy()
            # A term that the model of another index lacks has a frequency of 0.
            least, most = int(self._manifest.has_own_model), self._manifest.model["bags"]
            if ((frequency < least) | (frequency > most)).any():
                raise corrupt(path, "the frequency of a term is 0 or exceeds the number of bags")
            self._counts["terms"] += batch.num_rows

    def loadings(self, shard: int) -> None:
        """Terms are in order, each with one loading per component, not all of them 0."""
        path = self._path("loadings", shard)
        for batch in self._check_batches(path, "loadings", shard):
            columns = [list_column(batch, name) for name in COMPONENTS]
            sizes = [np.diff(column.offsets.to_numpy()) for column in columns]
            if any((each != each[:1]).any() for each in sizes) or (
                batch.num_rows and 2 * sum(int(each[0]) for each in sizes) != len(self._concepts)
            ):
                raise corrupt(path, "a term does not have one loading per component")
            lists = [column.flatten().to_numpy() for column in columns]
            values = [each.reshape(batch.num_rows, -1) for each in lists]
            if not np.concatenate(values, axis=1).any(axis=1).all():
                raise corrupt(path, "all loadings of a term are 0")

    def concepts(self, shard: int) -> None:
        """Numbers count from 1 without a gap and match their terms."""
        path = self._path("concepts", shard)
        for batch in self._check_batches(path, "concepts", shard):
            for row in batch.to_pylist():
                if _core.concept_number(row["term"]) != row["concept"]:
                    raise corrupt(path, f"concept {row['concept']} has the term of another concept")
                if row["concept"] > len(self._concepts):
                    raise corrupt(path, f"concept {row['concept']} is out of range")
            self._counts["concepts"] += batch.num_rows

    def inverse(self, shard: int) -> None:
        """The inverted sketches match the sketches; a small index has none."""
        path = self._path("inverse", shard)
        batches = self._batches(path)
        if self._manifest.has_holders:
            if next(batches, None) is not None:
                raise corrupt(path, "a small index has no inverted sketches")
            return
        files = ShardFiles(self._folder, shard)
        inverse = ShardInvertedSketches(files, self._sketch)
        for step in position_steps(self._sketch.positions):
            for position, expected in enumerate(inverse.batches(step), step[0]):
                found = next(batches, None)
                if found is None or not _same(found, expected):
                    raise corrupt(path, f"position {position} does not match the sketches")
        if next(batches, None) is not None:
            raise corrupt(path, "it has more positions than a sketch")

    def holders(self, shard: int) -> None:
        """The weighted postings match the bags; a large index has none."""
        path = self._path("holders", shard)
        found = pa.Table.from_batches(self._batches(path), schema_of("holders", 0))
        expected = []
        if self._manifest.has_holders:
            files = ShardFiles(self._folder, shard)
            holders = ShardWeightedPostings(files, self._sketch)
            expected = [holders.batch(terms) for terms in holders.ranges()]
        if not found.equals(pa.Table.from_batches(expected, schema_of("holders", 0))):
            raise corrupt(path, "the weighted postings do not match the bags")

    def counts(self) -> None:
        """The counts in the manifest match the tables."""
        for name, found in self._counts.items():
            if self._manifest.counts.get(name) != found:
                said = self._manifest.counts.get(name)
                raise corrupt(
                    self._index.path, f"the manifest counts {said} {name}, the tables have {found}"
                )

    def _check_batches(
        self, path: Path, table: str, shard: int, *, distinct: bool = True
    ) -> Iterator[pa.RecordBatch]:
        """The batches of a table, after a check of their sizes and of the order of their keys."""
        low, high = self._range(shard)
        last = -1
        rows = BATCH_ROWS[table]
        full = True
        for batch in self._batches(path):
            keys = batch.column(0).to_numpy()
            if not full or not 0 < batch.num_rows <= rows:
                raise corrupt(path, "a batch has the wrong number of rows")
            full = batch.num_rows == rows
            steps = keys[1:] > keys[:-1] if distinct else keys[1:] >= keys[:-1]
            if not steps.all() or int(keys[0]) < last + distinct:
                raise corrupt(path, "the rows are out of order")
            if not low <= int(keys[0]) <= int(keys[-1]) <= high:
                raise corrupt(path, "a row belongs to another shard")
            last = int(keys[-1])
            yield batch

    def _range(self, shard: int) -> tuple[int, int]:
        """The first and the last key of a shard."""
        size = (1 << 64) // self._manifest.shards
        return shard * size, (shard + 1) * size - 1

    def _check_ids(self, table: str, shard: int) -> None:
        path = self._path(table, shard)
        pages = self._column(self._path("pages", shard), "id")
        if not self._column(path, "id").equals(pages):
            raise corrupt(path, "the ids differ from those of the pages")

    def _column(self, path: Path, name: str) -> "pa.ChunkedArray[Any]":
        batches = [batch.select([name]) for batch in self._batches(path)]
        return pa.Table.from_batches(batches, schema=pa.schema([self._field(path, name)])).column(0)

    def _field(self, path: Path, name: str) -> "pa.Field[Any]":
        return schema_of(table_of(path), self._sketch.positions).field(name)

    def _batches(self, path: Path) -> Iterator[pa.RecordBatch]:
        try:
            yield from unpacked_batches(path)
        except (OSError, pa.ArrowException, _core.CoreError) as error:
            raise unreadable(path, "the table cannot be read", error) from error

    def _shards(self) -> range:
        return range(self._manifest.shards)

    def _path(self, table: str, shard: int) -> Path:
        return self._folder / file_name(table, shard)


def _is_concept(terms: "np.ndarray[Any, np.dtype[np.uint64]]") -> Any:
    return (terms << np.uint64(13) == 0) & (terms < np.uint64(_core.LINK_BIT))


def _same(found: pa.RecordBatch, expected: pa.RecordBatch) -> bool:
    pairs = zip(found.columns, expected.columns, strict=True)
    return all(left.equals(right) for left, right in pairs)
