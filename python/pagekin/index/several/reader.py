"""Several indexes of one model, opened as one.

The core searches the shards of all of them together, so scores, copies, filters and reasons are
those of one index. A URL that several have is one page: that of the latest capture, as in a build.
"""

from bisect import bisect
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property
from hashlib import sha256
from itertools import accumulate
from os import PathLike, fspath
from pathlib import Path

import numpy as np
import pyarrow as pa

from pagekin import _core
from pagekin.arrays import Numbers
from pagekin.crawl import is_remote
from pagekin.errors import EngineError, IndexCorrupt, IndexFault, StrategyMismatch
from pagekin.index.reader import IndexReader, searched_tables, telling_contradictions
from pagekin.index.remote import local_copy
from pagekin.index.several.tables import JoinedTable
from pagekin.index.tables.mapped import MappedTable, corrupt
from pagekin.index.tables.schema import schema_of
from pagekin.index.tables.sorted import SortedTable
from pagekin.replay import ReplayTemplate

__all__ = ["SeveralReaders", "members_of", "open_indexes"]

IndexPath = str | PathLike[str]

JOINED = ("pages", "aliases", "texts", "links", "captures", "ranks", "sites")
"""Tables whose rows are of pages and sites."""
BAGS = ("terms", "bags")
"""Tables that are read row by row: rows of the same page in several indexes stay apart."""
OF_MODEL = ("loadings", "concepts")
"""Tables of the model, which every index has."""


def open_indexes(
    paths: Sequence[IndexPath], *, replay: ReplayTemplate | None = None, partial: bool = False
) -> IndexReader:
    """Open one index, or several as one, each a folder or an address. With `partial`, indexes that
    cannot be used are left out as long as another one is left."""
    if not paths:
        raise EngineError("no index was given", advice="name at least one")
    if len(paths) == 1:
        return IndexReader(_folder_of(paths[0]), replay=replay)
    if len({*map(_place_of, paths)}) < len(paths):
        shown = ", ".join(fspath(path) for path in paths)
        raise EngineError("an index is given twice", where=shown, advice="name it once")

    def opened(path: IndexPath) -> IndexReader | IndexFault:
        try:
            return IndexReader(_folder_of(path), replay=replay)
        except IndexFault as error:
            return error

    with ThreadPoolExecutor(min(len(paths), MOST_THREADS)) as pool:
        found = [*pool.map(opened, paths)]
    faults = [each for each in found if isinstance(each, IndexFault)]
    readers = [each for each in found if isinstance(each, IndexReader)]
    if faults and not (partial and readers):
        raise faults[0]
    told = (str(each) for each in faults)
    failed = (fspath(path) for path, each in zip(paths, found, strict=True) if each in faults)
    return SeveralReaders(readers, dict(zip(failed, told, strict=True)))


def _folder_of(path: IndexPath) -> IndexPath:
    """The folder of an index, fetched if it is at an address."""
    return local_copy(fspath(path)) if is_remote(fspath(path)) else path


def _place_of(path: IndexPath) -> str:
    name = fspath(path)
    return name if is_remote(name) else str(Path(name).absolute())


MOST_THREADS = 16
"""Indexes that are opened at a time."""


class SeveralReaders(IndexReader):
    """Indexes of one model, read as one. `left_out` says what is wrong with those that are not
    asked."""

    def __init__(
        self, members: Sequence[IndexReader], left_out: Mapping[str, str] | None = None
    ) -> None:
        first = members[0]
        for other in members[1:]:
            _refuse_another_model(first, other)
        self.members = tuple(members)
        self.left_out = dict(left_out or {})
        self.path, self.replay = first.path, first.replay
        checksums = "\n".join(each.manifest.checksum for each in members)
        joint = sha256(checksums.encode()).hexdigest()[:16]
        self.manifest = replace(first.manifest, checksum=joint)
        self._bm25f = None
        self._first_shards = [0, *accumulate(each.manifest.shards for each in members)]
        with self.blaming():
            self.files = _files(members)
            sketch = first.strategy.sketch
            self.searcher = _core.Searcher(
                [searched_tables(each.manifest, _named_by_path(each)) for each in members],
                sketch.positions,
                sketch.seed,
                sketch.min_inlinks,
            )
            self.tables = {name: self._joined(name) for name in JOINED}
            self.tables |= {name: first.tables[name] for name in OF_MODEL}
            terms, bags = (self.files[name] for name in BAGS)
            schemas = [schema_of(name, sketch.positions) for name in BAGS]
            self.tables["bags"] = SortedTable(bags, schemas[1], SortedTable(terms, schemas[0]))

    def _joined(self, name: str) -> JoinedTable:
        schema = schema_of(name, self.strategy.sketch.positions)
        tables = [each.tables[name] for each in self.members]
        return JoinedTable(tables, self.files[name], schema, self._owner_of)

    def _owner_of(self, page: int) -> int | None:
        place = self.searcher.find(page)
        return None if place is None else bisect(self._first_shards, place.shard) - 1

    @cached_property
    def counts(self) -> dict[str, int]:
        """The counts of all indexes together: a page counts once, and so does a term."""
        counts = [each.counts for each in self.members]
        total = {name: sum(each[name] for each in counts) for name in counts[0]}
        for name in ("terms", "concepts"):
            total[name] = max(each[name] for each in counts)
        with self.blaming():
            urls, crawled = self.searcher.count_replaced()
        return total | {"bags": total["bags"] - urls, "pages": total["pages"] - crawled}

    @cached_property
    def id_order(self) -> Numbers | None:
        """The rows in order of the ids of their pages, by which equals are ranked."""
        ids = self.tables["pages"].scan(["id"]).column(0).to_numpy()
        order: Numbers = np.argsort(ids, kind="stable")
        return order

    def sampled_titles(self, most: int) -> Iterator[tuple[str, str | None]]:
        """Sites and titles of pages, from every index."""
        for member in self.members:
            yield from member.sampled_titles(most // len(self.members))

    def posting_lists(self, term: int) -> Iterator[tuple[int, pa.RecordBatch]]:
        """The rows of a term in the tables of all indexes, and where their numbers begin."""
        starts = self._starts[self._first_shards]
        for start, member in zip(starts.tolist(), self.members, strict=False):
            yield from ((start, row) for _, row in member.posting_lists(term))

    @contextmanager
    def blaming(self) -> Iterator[None]:
        """Turn whatever the tables of an index cause into errors that name the index."""
        try:
            with telling_contradictions(self.path):
                yield
        except _core.CoreError as error:
            raise self._blamed(error) from error

    def _blamed(self, error: Exception) -> IndexCorrupt:
        """The error about the index whose file the core names."""
        at_fault = (each for each in self.members if str(error).startswith(f"{each.path}/"))
        member = max(at_fault, key=lambda each: len(str(each.path)), default=self.members[0])
        return corrupt(member.path, str(error).removeprefix(f"{member.path}/"))

    def without(self, fault: IndexFault) -> "SeveralReaders | None":
        """The other indexes, if the fault is that of one of several."""
        place = Path(fault.path)
        at_fault = [each for each in self.members if place.is_relative_to(each.path)]
        rest = [each for each in self.members if each not in at_fault]
        if not at_fault or not rest:
            return None
        told = {str(each.path): str(fault) for each in at_fault}
        return SeveralReaders(rest, self.left_out | told)


def members_of(reader: IndexReader) -> tuple[IndexReader, ...]:
    """The indexes that a reader is of."""
    return reader.members if isinstance(reader, SeveralReaders) else (reader,)


def _refuse_another_model(first: IndexReader, other: IndexReader) -> None:
    if other.manifest.model != first.manifest.model:
        raise StrategyMismatch(
            f"the scores do not compare with those of {first.path}, which has another model",
            path=other.path,
            advice=f"build one with the model of the other: pagekin index {other.path} -o NEW "
            f"--model {first.path}",
        )


def _files(members: Sequence[IndexReader]) -> dict[str, list[MappedTable]]:
    """The files of all indexes, each table's one after another."""
    return {
        name: [file for each in members for file in each.files[name]] for name in (*JOINED, *BAGS)
    }


def _named_by_path(reader: IndexReader) -> dict[str, list[MappedTable]]:
    """The files of an index that errors of the core name by their whole path."""

    def named(file: MappedTable) -> MappedTable:
        verified = _core.VerifiedFile(str(file.path), file.content, file.sums)
        return replace(file, verified=verified)

    return {name: [*map(named, files)] for name, files in reader.files.items()}
