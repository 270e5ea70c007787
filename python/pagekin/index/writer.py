"""Writing an index beside the old one, and publishing it.

Everything is written into a hidden folder inside the index. Publishing gives that folder its
final name, a digest of its contents, and replaces the manifest. A build that is killed leaves a
hidden folder, which the next build removes; one that fails leaves nothing. A build holds a lock on
the index, so that a second build does not remove what the first is writing.

Arrow writes the buffers of a slice up to the next multiple of 64 bytes, including bytes of the rows
that follow. The same rows must give the same file however the build was partitioned, so buffers are
trimmed to the rows. Only the validity bits are copied, not the values.
"""

import contextlib
import shutil
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any

import pyarrow as pa

from pagekin import _core
from pagekin.arrays import word_lists
from pagekin.index.manifest import DRAFT, ModelEntry
from pagekin.index.publish import WORK, Entries, IndexDraft, entry, made_folder, publish
from pagekin.index.tables.checksums import checksum_pool, sums_batch
from pagekin.index.tables.mapped import mapped_batches
from pagekin.index.tables.schema import (
    BATCH_ROWS,
    CHECKSUMMED,
    COMPRESSED,
    PACKED,
    STORED,
    WEIGHED,
    file_name,
    schema_of,
    table_of,
)
from pagekin.strategy import Strategy
from pagekin.work.files import draft_folder, hold_lock, remove_drafts

__all__ = [
    "AnyWriter",
    "IndexWriter",
    "PackedWriter",
    "TableWriter",
    "table_writer",
    "trim_buffers",
]

_DRAFT = ".building-"


class TableWriter:
    """Writes one Arrow file in batches of `rows` rows, or as they come if `rows` is None."""

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
            self._out.write_batch(trim_buffers(batch.slice(start, self._rows)))
        if batch.num_rows > whole:
            self._held.append(batch.slice(whole))

    def close(self) -> None:
        """Write the last rows and the footer."""
        self._flush()
        self._out.close()
        self._file.close()

    def _fill_up(self, batch: pa.RecordBatch, rows: int) -> pa.RecordBatch:
        """Complete the held batch with the first of these rows; return the others."""
        missing = rows - sum(part.num_rows for part in self._held)
        self._held.append(batch.slice(0, missing))
        if batch.num_rows >= missing:
            self._flush()
        return batch.slice(min(missing, batch.num_rows))

    def _flush(self) -> None:
        """Write the held rows as one batch."""
        table = pa.Table.from_batches(self._held, schema=self._schema)
        for batch in table.combine_chunks().to_batches():
            self._out.write_batch(trim_buffers(batch))
        self._held.clear()


class PackedWriter:
    """Writes the Arrow file of a table whose lists are packed."""

    def __init__(self, path: Path, table: str) -> None:
        self._table = table
        self._out = TableWriter(path, PACKED[table], BATCH_ROWS[table])

    def write(self, batch: pa.RecordBatch) -> None:
        """Add rows, whose lists are not packed yet."""
        self._out.write(_core.pack(self._table, batch))

    def close(self) -> None:
        """Write the last rows and the footer."""
        self._out.close()


AnyWriter = TableWriter | PackedWriter | _core.CompressedWriter


def table_writer(path: Path, table: str, schema: pa.Schema) -> AnyWriter:
    """What writes a file of a table. The core writes compressed ones, and whoever writes bags has
    packed them."""
    if table in PACKED:
        return PackedWriter(path, table)
    if table in COMPRESSED:
        return _core.CompressedWriter(path, schema, BATCH_ROWS[table], COMPRESSED[table])
    return TableWriter(path, STORED.get(table, schema), BATCH_ROWS.get(table))


class IndexWriter:
    """Writes a new index. Leaving the block without `publish` changes nothing."""

    def __init__(self, index: Path, strategy: Strategy, threads: int = 1) -> None:
        self.index = index
        self.strategy = strategy
        self._threads = threads
        self._open: dict[str, AnyWriter] = {}
        self._cleanup = contextlib.ExitStack()
        self.changed = False

    def __enter__(self) -> "IndexWriter":
        with contextlib.ExitStack() as cleanup:
            cleanup.enter_context(made_folder(self.index))
            cleanup.enter_context(hold_lock(self.index, "build"))
            _remove_drafts(self.index)
            # Register the clean-up first: an interrupt may come as soon as the draft exists.
            cleanup.callback(remove_drafts, self.index, _DRAFT)
            self.draft = draft_folder(self.index, _DRAFT)
            self.exchange = self.draft / "exchange"
            self.exchange.mkdir()
            self._checksums = cleanup.enter_context(checksum_pool(self._threads))
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

    def _create(self, table: str, name: str) -> AnyWriter:
        schema = schema_of(table, self.strategy.sketch.positions)
        return table_writer(self.draft / name, table, schema)

    def _close_table(self, table: str) -> None:
        """Finish the open shard of a table, if there is one."""
        for name in [name for name in self._open if name.startswith(f"{table}-")]:
            self._open.pop(name).close()
            self._begin_checksums(name)

    def finish_table(self, table: str, shards: int) -> None:
        """Close a table. Every shard has a file of every table, even if it is empty."""
        self._close_table(table)
        for name in (file_name(table, shard) for shard in range(shards)):
            if not (self.draft / name).exists():
                self._create(table, name).close()
                self._begin_checksums(name)

    def _begin_checksums(self, name: str) -> None:
        path = self.draft / name
        if table_of(path) != WEIGHED:
            self._checksums.begin(path)

    def remove(self, table: str, shards: int) -> None:
        """Remove a table that only the build needed."""
        for shard in range(shards):
            (self.draft / file_name(table, shard)).unlink()

    def wait_for_checksums(self) -> None:
        """Wait for the checksums of all finished tables."""
        self._checksums.wait()

    def written(self, table: str, shards: int) -> Iterator[pa.RecordBatch]:
        """The rows of a table, memory-mapped. This finishes the table."""
        self.finish_table(table, shards)
        for path in sorted(self.draft.glob(f"{table}-*.arrow")):
            yield from mapped_batches(path)

    def publish(
        self,
        shards: int,
        counts: dict[str, int],
        fitted: Strategy,
        model: ModelEntry | None = None,
    ) -> int:
        """Publish the new index, whose bags are by the fitted strategy, and by the model of another
        index or its own. Returns the size of its tables in bytes."""
        for table in CHECKSUMMED:
            self.finish_table(table, shards)
        shutil.rmtree(self.exchange)
        draft = IndexDraft(
            self.draft,
            (self.strategy, fitted),
            shards,
            counts,
            self._write_checksums(shards),
            model,
        )
        self.changed = publish(self.index, draft)
        return draft.bytes

    def _write_checksums(self, shards: int) -> Entries:
        """Describe every file, and write the checksums of their blocks to the table `sums`."""
        files = {}
        for shard in range(shards):
            sums = {}
            for table in CHECKSUMMED:
                path = self.draft / file_name(table, shard)
                found = self._checksums.sums(path)
                sums[table] = found.blocks
                files[path.name] = entry(path, found.whole)
            self.write("sums", shard, sums_batch(sums))
        self._close_table("sums")
        for path in self.draft.glob("sums-*"):
            files[path.name] = entry(path, self._checksums.sums(path).whole)
        return files


def _remove_drafts(index: Path) -> None:
    for beginning in (_DRAFT, WORK):
        remove_drafts(index, beginning)
    for path in index.glob(f"{DRAFT}*"):
        path.unlink(missing_ok=True)


def trim_buffers(batch: pa.RecordBatch) -> pa.RecordBatch:
    """The same rows in buffers that end with them."""
    columns = [_trim(column) for column in batch.columns]
    return pa.RecordBatch.from_arrays(columns, schema=batch.schema)


def _trim(array: Any) -> "pa.Array[Any]":
    kind, end = array.type, array.offset + len(array)
    if pa.types.is_boolean(kind):
        return pa.concat_arrays([array, array.slice(0, 0)])
    if pa.types.is_large_list(kind) and pa.types.is_string(kind.value_type):
        # Of such lists Arrow writes other bytes if they are a part of an array.
        return word_lists(array.to_pylist())
    validity, first, *rest = array.buffers()
    buffers, children = [_trim_bits(validity, end)], None
    if pa.types.is_large_list(kind):
        offsets, last = _trim_offsets(first, end, 8)
        buffers.append(offsets)
        children = [_trim(array.values.slice(0, last))]
    elif pa.types.is_fixed_size_list(kind):
        children = [_trim(array.values.slice(0, end * kind.list_size))]
    elif pa.types.is_string(kind) or _is_large(kind):
        offsets, last = _trim_offsets(first, end, 8 if _is_large(kind) else 4)
        buffers += [offsets, rest[0].slice(0, last)]
    else:
        buffers.append(first.slice(0, end * kind.bit_width // 8))
    return pa.Array.from_buffers(kind, len(array), buffers, offset=array.offset, children=children)


def _is_large(kind: pa.DataType) -> bool:
    return pa.types.is_large_string(kind) or pa.types.is_large_binary(kind)


def _trim_offsets(buffer: pa.Buffer, end: int, width: int) -> tuple[pa.Buffer, int]:
    """The offsets of the rows before `end`, of `width` bytes each, and the end of the last row."""
    last = buffer.slice(end * width, width).to_pybytes()
    return buffer.slice(0, (end + 1) * width), int.from_bytes(last, "little")


def _trim_bits(buffer: pa.Buffer | None, end: int) -> pa.Buffer | None:
    if buffer is None:
        return None
    bits = bytearray(buffer.slice(0, (end + 7) // 8).to_pybytes())
    if end % 8:
        bits[-1] &= (1 << end % 8) - 1
    return pa.py_buffer(bytes(bits))
