"""Writing an index beside the old one, and publishing it.

Everything is written into a hidden folder inside the index. Publishing gives that folder its
final name, which is a digest of its contents, and replaces the manifest. A build that is killed
leaves a hidden folder that the next build removes; one that fails leaves nothing. A build holds a
lock on the index, so that a second one does not clear away what the first is writing.
"""

import contextlib
import shutil
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType

import pyarrow as pa

from pagekin.files import draft_folder, locked, remove_drafts
from pagekin.index.exact import exact
from pagekin.index.manifest import DRAFT
from pagekin.index.mapped import mapped_batches
from pagekin.index.publish import WORK, Draft, Entries, entry, made_folder, publish
from pagekin.index.sealing import sealing
from pagekin.index.sums import sums_batch
from pagekin.index.tables import BATCH_ROWS, SEALED, file_name, schema_of
from pagekin.strategy import Strategy

__all__ = ["IndexWriter", "TableWriter"]

_DRAFT = ".building-"


class TableWriter:
    """One Arrow file, in batches of a fixed number of rows, or as they come if there is none."""

    def __init__(self, path: Path, schema: pa.Schema, rows: int | None) -> None:
        self._schema = schema
        self._rows = rows
        self._file = pa.OSFile(str(path), "wb")
        self._out = pa.ipc.new_file(self._file, self._schema)
        self._held: list[pa.RecordBatch] = []

    def write(self, batch: pa.RecordBatch) -> None:
        """Add rows; whole batches go to the file."""
        batch = pa.RecordBatch.from_arrays(batch.columns, schema=self._schema)
        if self._rows is None:
            self._out.write_batch(batch)
            return
        if self._held:
            batch = self._fill_up(batch, self._rows)
        whole = batch.num_rows - batch.num_rows % self._rows
        for start in range(0, whole, self._rows):
            self._out.write_batch(exact(batch.slice(start, self._rows)))
        if batch.num_rows > whole:
            self._held.append(batch.slice(whole))

    def close(self) -> None:
        """Write the last rows and the footer."""
        self._flush()
        self._out.close()
        self._file.close()

    def _fill_up(self, batch: pa.RecordBatch, rows: int) -> pa.RecordBatch:
        """Complete the batch that is held with the first of these rows; return the others."""
        missing = rows - sum(part.num_rows for part in self._held)
        self._held.append(batch.slice(0, missing))
        if batch.num_rows >= missing:
            self._flush()
        return batch.slice(min(missing, batch.num_rows))

    def _flush(self) -> None:
        """Write the rows that are held, in one piece."""
        table = pa.Table.from_batches(self._held, schema=self._schema)
        for batch in table.combine_chunks().to_batches():
            self._out.write_batch(exact(batch))
        self._held.clear()


class IndexWriter:
    """A new index in the making. Leaving the block without `publish` changes nothing."""

    def __init__(self, index: Path, strategy: Strategy, threads: int = 1) -> None:
        self.index = index
        self.strategy = strategy
        self._threads = threads
        self._open: dict[str, TableWriter] = {}
        self._cleanup = contextlib.ExitStack()

    def __enter__(self) -> "IndexWriter":
        with contextlib.ExitStack() as cleanup:
            cleanup.enter_context(made_folder(self.index))
            cleanup.enter_context(locked(self.index, "build"))
            _remove_drafts(self.index)
            # Before there is one: an interrupt may come as soon as there is.
            cleanup.callback(remove_drafts, self.index, _DRAFT)
            self.draft = draft_folder(self.index, _DRAFT)
            self.exchange = self.draft / "exchange"
            self.exchange.mkdir()
            self._sealing = cleanup.enter_context(sealing(self._threads))
            self._cleanup = cleanup.pop_all()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._cleanup.close()

    def write(self, table: str, shard: int, batch: pa.RecordBatch) -> None:
        """Add rows to a shard of a table. Shards are written one after another."""
        name = file_name(table, shard)
        if name not in self._open:
            self._close_table(table)
            self._open[name] = self._create(table, name)
        self._open[name].write(batch)

    def _create(self, table: str, name: str) -> TableWriter:
        schema = schema_of(table, self.strategy.sketch.positions)
        return TableWriter(self.draft / name, schema, BATCH_ROWS.get(table))

    def _close_table(self, table: str) -> None:
        """Finish the shard of a table that is being written, if one is."""
        for name in [name for name in self._open if name.startswith(f"{table}-")]:
            self._open.pop(name).close()
            self._sealing.begin(self.draft / name)

    def finish_table(self, table: str, shards: int) -> None:
        """Close a table. Every shard has a file of every table, if only an empty one."""
        self._close_table(table)
        for name in (file_name(table, shard) for shard in range(shards)):
            if not (self.draft / name).exists():
                self._create(table, name).close()
                self._sealing.begin(self.draft / name)

    def wait_sealed(self) -> None:
        """Wait until what is finished is sealed, when nothing is made beside it any more."""
        self._sealing.wait()

    def written(self, table: str, shards: int) -> Iterator[pa.RecordBatch]:
        """The rows of a table, mapped. No more of them can be written."""
        self.finish_table(table, shards)
        for path in sorted(self.draft.glob(f"{table}-*.arrow")):
            yield from mapped_batches(path)

    def publish(self, shards: int, counts: dict[str, int]) -> int:
        """Make the new index the index. Returns the bytes of its tables."""
        for table in SEALED:
            self.finish_table(table, shards)
        shutil.rmtree(self.exchange)
        draft = Draft(self.draft, self.strategy, shards, counts, self._seal(shards))
        publish(self.index, draft)
        return draft.bytes

    def _seal(self, shards: int) -> Entries:
        """Describe every file, and write the checksums of their sectors as a table of its own."""
        files = {}
        for shard in range(shards):
            sums = {}
            for table in SEALED:
                path = self.draft / file_name(table, shard)
                whole, sums[table] = self._sealing.sums(path)
                files[path.name] = entry(path, whole)
            self.write("sums", shard, sums_batch(sums))
        self._close_table("sums")
        for path in self.draft.glob("sums-*"):
            files[path.name] = entry(path, self._sealing.sums(path)[0])
        return files


def _remove_drafts(index: Path) -> None:
    for beginning in (_DRAFT, WORK):
        remove_drafts(index, beginning)
    for path in index.glob(f"{DRAFT}*"):
        path.unlink(missing_ok=True)
