"""Writing an index beside the old one, and publishing it.

Everything is written into a hidden folder inside the index. Publishing gives that folder its
final name, which is a digest of its contents, and replaces the manifest. A build that is killed
leaves a hidden folder that the next build removes; one that fails leaves nothing. A build holds a
lock on the index, so that a second one does not clear away what the first is writing.
"""

import contextlib
import fcntl
import hashlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from types import TracebackType

import pyarrow as pa

from pagekin import _core
from pagekin.errors import EngineError, IndexCorrupt, IndexFault
from pagekin.index.exact import exact
from pagekin.index.manifest import DRAFT, FOLDER, FORMAT, Manifest
from pagekin.index.sums import sums_batch
from pagekin.index.tables import BATCH_ROWS, SEALED, file_name, schema_of
from pagekin.strategy import Strategy

__all__ = ["IndexWriter"]

_DRAFT = ".building-"


class TableWriter:
    """One Arrow file, in batches of a fixed number of rows, or as they come if there is none."""

    def __init__(self, path: Path, schema: pa.Schema, rows: int | None) -> None:
        self._schema = schema
        self._rows = rows
        self._file = pa.OSFile(str(path), "wb")
        self._out = pa.ipc.new_file(self._file, self._schema)
        self._held: list[pa.RecordBatch] = []
        self._held_rows = 0

    def write(self, batch: pa.RecordBatch) -> None:
        """Add rows; whole batches go to the file."""
        batch = pa.RecordBatch.from_arrays(batch.columns, schema=self._schema)
        if self._rows is None:
            self._out.write_batch(batch)
            return
        self._held.append(batch)
        self._held_rows += batch.num_rows
        if self._held_rows >= self._rows:
            self._flush(self._held_rows - self._held_rows % self._rows, self._rows)

    def close(self) -> None:
        """Write the last rows and the footer."""
        if self._rows is not None:
            self._flush(self._held_rows, self._rows)
        self._out.close()
        self._file.close()

    def _flush(self, rows: int, batch_rows: int) -> None:
        if not rows:
            return
        table = pa.Table.from_batches(self._held, schema=self._schema)
        for start in range(0, rows, batch_rows):
            part = table.slice(start, min(batch_rows, rows - start))
            for batch in _joined(part).to_batches():
                self._out.write_batch(exact(batch))
        rest = table.slice(rows)
        self._held = rest.to_batches()
        self._held_rows = rest.num_rows


def _joined(part: pa.Table) -> pa.Table:
    """The rows in one piece; those of one batch are already."""
    in_one = all(column.num_chunks == 1 for column in part.columns)
    return part if in_one else part.combine_chunks()


class IndexWriter:
    """A new index in the making. Leaving the block without `publish` changes nothing."""

    def __init__(self, index: Path, strategy: Strategy) -> None:
        self.index = index
        self.strategy = strategy
        self._open: dict[str, TableWriter] = {}
        self._cleanup = contextlib.ExitStack()

    def __enter__(self) -> "IndexWriter":
        with contextlib.ExitStack() as cleanup:
            for path in _make_folders(self.index):
                cleanup.callback(_remove_if_empty, path)
            cleanup.callback(os.close, _locked(self.index))
            _remove_drafts(self.index)
            self.draft = Path(tempfile.mkdtemp(prefix=_DRAFT, dir=self.index))
            cleanup.callback(shutil.rmtree, self.draft, ignore_errors=True)
            self.exchange = self.draft / "exchange"
            self.exchange.mkdir()
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

    def finish_table(self, table: str, shards: int) -> None:
        """Close a table. Every shard has a file of every table, if only an empty one."""
        self._close_table(table)
        for name in (file_name(table, shard) for shard in range(shards)):
            if not (self.draft / name).exists():
                self._create(table, name).close()

    def written(self, table: str, shards: int) -> Iterator[pa.RecordBatch]:
        """The rows of a table, mapped. No more of them can be written."""
        self.finish_table(table, shards)
        for path in sorted(self.draft.glob(f"{table}-*.arrow")):
            reader = pa.ipc.open_file(pa.memory_map(str(path)))
            yield from map(reader.get_batch, range(reader.num_record_batches))

    def publish(self, shards: int, counts: dict[str, int]) -> int:
        """Make the new index the index. Returns the bytes of its tables."""
        strategy = self.strategy
        for table in SEALED:
            self.finish_table(table, shards)
        shutil.rmtree(self.exchange)
        files = self._seal(shards)
        digest = hashlib.sha256(repr((FORMAT, strategy.to_toml(), sorted(files.items()))).encode())
        _sync(self.draft)
        folder = self._settle(digest.hexdigest()[:16], files)
        if folder != self._current_folder():
            self._cleanup.callback(self._remove_unless_published, folder)
        Manifest(
            format=FORMAT,
            pagekin=version("pagekin"),
            strategy=strategy.to_toml(),
            fingerprint=strategy.fingerprint,
            folder=folder,
            shards=shards,
            counts=counts,
            files=files,
        ).write(self.index)
        _remove_others(self.index, folder)
        return sum(int(entry["bytes"]) for entry in files.values())

    def _seal(self, shards: int) -> dict[str, dict[str, int | str]]:
        """Describe every file, and write the checksums of their sectors as a table of its own."""
        files = {}
        for shard in range(shards):
            sums = {}
            for table in SEALED:
                path = self.draft / file_name(table, shard)
                whole, sums[table] = _core.checksums(path)
                files[path.name] = _entry(path, whole)
            self.write("sums", shard, sums_batch(sums))
        self._close_table("sums")
        for path in self.draft.glob("sums-*"):
            files[path.name] = _describe(path)
        return files

    def _settle(self, digest: str, files: dict[str, dict[str, int | str]]) -> str:
        """Give the draft its final name, which is that of its contents.

        A folder of that name is the same index built before. It is kept if it is whole, for it
        may be in use; if it is not, the draft gets another name.
        """
        for name in (f"tables-{digest}", f"tables-{digest}-again"):
            final = self.index / name
            if not final.exists():
                self.draft.rename(final)
                return name
            if _is_whole(final, files):
                return name
            if name != self._current_folder():
                shutil.rmtree(final)
                self.draft.rename(final)
                return name
        raise IndexCorrupt(
            "two damaged copies of this index stand in the way",
            path=self.index,
            advice="remove the folder and build again",
        )

    def _remove_unless_published(self, folder: str) -> None:
        if folder != self._current_folder():
            shutil.rmtree(self.index / folder, ignore_errors=True)

    def _current_folder(self) -> str | None:
        try:
            return Manifest.read(self.index).folder
        except IndexFault:
            return None


def _describe(path: Path) -> dict[str, int | str]:
    return _entry(path, _core.checksums(path)[0])


def _entry(path: Path, checksum: str) -> dict[str, int | str]:
    return {"bytes": path.stat().st_size, "xxh3": checksum}


def _is_whole(folder: Path, files: dict[str, dict[str, int | str]]) -> bool:
    try:
        return all(_describe(folder / name) == entry for name, entry in files.items())
    except OSError:
        return False


def _sync(folder: Path) -> None:
    for path in (*folder.iterdir(), folder):
        handle = os.open(path, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _make_folders(folder: Path) -> list[Path]:
    """Make a folder and those above it; returns the ones that were not there, highest first."""
    missing = [path for path in (*reversed(folder.parents), folder) if not path.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    return missing


def _locked(index: Path) -> int:
    """A handle on the folder that keeps other builds out until it is closed."""
    handle = os.open(index, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        os.close(handle)
        raise EngineError(
            "another build is writing this index",
            where=str(index),
            advice="wait until it has ended, or choose another folder",
        ) from error
    except OSError:
        # Some network file systems know no locks; without one all is as before.
        pass
    return handle


def _remove_if_empty(folder: Path) -> None:
    with contextlib.suppress(OSError):
        folder.rmdir()


def _remove_drafts(index: Path) -> None:
    for path in index.glob(f"{_DRAFT}*"):
        shutil.rmtree(path, ignore_errors=True)
    for path in index.glob(f"{DRAFT}*"):
        path.unlink(missing_ok=True)


def _remove_others(index: Path, folder: str) -> None:
    for path in index.glob("tables-*"):
        if path.name != folder and FOLDER.fullmatch(path.name):
            shutil.rmtree(path, ignore_errors=True)
