"""Writing an index: batches of fixed size, publishing in one step, nothing left over."""

import os
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

import pagekin
from pagekin.errors import EngineError
from pagekin.index import IndexWriter
from pagekin.index import publish as index_publish
from pagekin.index.manifest import COUNTS
from pagekin.index.tables.schema import BATCH_ROWS, TABLES, WEIGHED, schema_of
from pagekin.index.writer import table_writer
from pagekin.strategy import Strategy, presets
from pagekin.work import files
from pagekin.work.files import sync_file
from tests.crawls import manifest, read_table, write_warc
from tests.reference import Capture

WRITTEN = ("texts", WEIGHED)
"""A table that is compressed, and one that is not."""


def table_rows(table: str, count: int) -> pa.RecordBatch:
    """Rows of a table, of uneven lengths and some of them empty."""
    schema = schema_of(table, 80)
    texts = ["Oak, " * (number % 5) for number in range(count)]
    lists = [[0, number] if number % 3 else [] for number in range(count)]
    columns = [range(count), texts if table == "texts" else lists, lists]
    arrays = [pa.array(column, field.type) for column, field in zip(columns, schema, strict=True)]
    return pa.record_batch(arrays, schema=schema)


def lexicon_rows(start: int, count: int) -> pa.RecordBatch:
    terms = range(start, start + count)
    columns = [
        pa.array(terms, pa.uint64()),
        pa.array([f"word{term}" for term in terms]),
        pa.array([term % 9 for term in terms], pa.uint32()),
    ]
    return pa.record_batch(columns, schema=schema_of("lexicon", 80))


def written(path: Path, table: str, batches: list[pa.RecordBatch]) -> bytes:
    writer = table_writer(path, table, schema_of(table, 80))
    for batch in batches:
        writer.write(batch)
    writer.close()
    return path.read_bytes()


@settings(max_examples=40)
@given(some.sampled_from(WRITTEN), some.lists(some.integers(0, 2000), max_size=8))
def test_file_bytes_do_not_depend_on_incoming_batches(
    tmp_path_factory: pytest.TempPathFactory, table: str, cuts: list[int]
) -> None:
    folder = tmp_path_factory.mktemp("table")
    rows = table_rows(table, 2000)
    expected = written(folder / "whole.arrow", table, [rows])
    places = [0, *sorted(cuts), 2000]
    parts = [rows.slice(start, end - start) for start, end in pairwise(places)]
    assert written(folder / "parts.arrow", table, parts) == expected
    # As the core hands them over: each batch in buffers of its own.
    apart = [pa.RecordBatch.from_pylist(part.to_pylist(), part.schema) for part in parts]
    assert written(folder / "apart.arrow", table, apart) == expected


@pytest.mark.parametrize("count", [0, 1, 3, 4, 5, 511, 512, 513, 1024, 1300])
@pytest.mark.parametrize("table", WRITTEN)
def test_every_batch_but_the_last_has_the_fixed_size(
    table: str, count: int, tmp_path: Path
) -> None:
    written(tmp_path / "made.arrow", table, [table_rows(table, count)])
    found = pa.ipc.open_file(str(tmp_path / "made.arrow"))
    sizes = [found.get_batch(number).num_rows for number in range(found.num_record_batches)]
    size = BATCH_ROWS[table]
    whole, rest = divmod(count, size)
    assert sizes == [size] * whole + ([rest] if rest else [])
    assert found.read_all().to_pylist() == table_rows(table, count).to_pylist()


def publish(index: Path, batches: list[pa.RecordBatch], strategy: Strategy | None = None) -> None:
    strategy = strategy or Strategy()
    with IndexWriter(index, strategy) as writer:
        for shard, batch in enumerate(batches):
            writer.write("lexicon", shard, batch)
        writer.publish(len(batches), dict.fromkeys(COUNTS, 0), strategy)


def test_written_rows_are_read_back(tmp_path: Path) -> None:
    publish(tmp_path, [lexicon_rows(0, 70_000), lexicon_rows(70_000, 10)])
    names = [f"{table}-{shard:05}.arrow" for table in TABLES for shard in range(2)]
    assert sorted(manifest(tmp_path)["files"]) == sorted(names)
    expected = pa.Table.from_batches([lexicon_rows(0, 70_010)])
    assert read_table(tmp_path, "lexicon").combine_chunks().equals(expected)


def test_unpublished_draft_is_removed(tmp_path: Path) -> None:
    index = tmp_path / "index"
    with IndexWriter(index, Strategy()) as writer:
        writer.write("lexicon", 0, lexicon_rows(0, 10))
    assert not index.exists() or not list(index.iterdir())


def test_leftovers_of_a_killed_build_are_removed(tmp_path: Path) -> None:
    publish(tmp_path, [lexicon_rows(0, 10)])
    before = manifest(tmp_path)
    left = tmp_path / ".building-killed"
    (left / "exchange").mkdir(parents=True)
    (left / "exchange" / "000000.run").write_bytes(b"half a run")
    assert manifest(tmp_path) == before
    publish(tmp_path, [lexicon_rows(0, 10)])
    assert {path.name for path in tmp_path.iterdir()} == {"manifest.json", before["folder"]}


def test_failed_build_keeps_the_old_index(tmp_path: Path) -> None:
    publish(tmp_path, [lexicon_rows(0, 10)])
    before = manifest(tmp_path)
    with pytest.raises(KeyboardInterrupt), IndexWriter(tmp_path, Strategy()) as writer:
        writer.write("lexicon", 0, lexicon_rows(0, 5))
        raise KeyboardInterrupt
    assert manifest(tmp_path) == before
    assert {path.name for path in tmp_path.iterdir()} == {"manifest.json", before["folder"]}


def test_same_contents_keep_their_folder(tmp_path: Path) -> None:
    publish(tmp_path, [lexicon_rows(0, 10)])
    folder = tmp_path / manifest(tmp_path)["folder"]
    before = (folder / "lexicon-00000.arrow").stat()
    publish(tmp_path, [lexicon_rows(0, 10)])
    assert tmp_path / manifest(tmp_path)["folder"] == folder
    after = (folder / "lexicon-00000.arrow").stat()
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


def test_different_contents_or_strategy_get_another_folder(tmp_path: Path) -> None:
    publish(tmp_path, [lexicon_rows(0, 10)])
    first = manifest(tmp_path)["folder"]
    publish(tmp_path, [lexicon_rows(0, 11)])
    second = manifest(tmp_path)["folder"]
    publish(tmp_path, [lexicon_rows(0, 11)], presets()["balanced"])
    assert len({first, second, manifest(tmp_path)["folder"]}) == 3
    assert len(list(tmp_path.glob("tables-*"))) == 1


def test_rebuild_replaces_a_damaged_index(tmp_path: Path) -> None:
    for _ in range(4):
        publish(tmp_path, [lexicon_rows(0, 10)])
        path = tmp_path / manifest(tmp_path)["folder"] / "lexicon-00000.arrow"
        assert read_table(tmp_path, "lexicon").num_rows == 10
        path.write_bytes(path.read_bytes()[:-1] + b"?")
    assert len(list(tmp_path.glob("tables-*"))) == 1


def build_one(folder: Path, text: str) -> None:
    write_warc(folder / "one.warc.gz", [Capture("http://a.example/", text.encode())])
    pagekin.build(folder / "one.warc.gz", folder / "index")


def test_index_files_respect_the_umask(tmp_path: Path) -> None:
    """A service may run as another user, who must be able to read the index."""
    build_one(tmp_path, "garden")
    mask = os.umask(0)
    os.umask(mask)
    for path in (tmp_path / "index").rglob("*"):
        assert path.stat().st_mode & 0o777 == (0o777 if path.is_dir() else 0o666) & ~mask


def test_open_reader_keeps_reading_the_replaced_index(tmp_path: Path) -> None:
    build_one(tmp_path, "<title>Old</title>garden <a href=/b>rose</a>")
    old = pagekin.open(tmp_path / "index")
    build_one(tmp_path, "<title>New</title>lightning")
    new = pagekin.open(tmp_path / "index")
    assert old.show("http://a.example/").title == "Old"
    assert old.show("http://a.example/b").linked_from[0].words == "garden [rose]"
    assert new.show("http://a.example/").title == "New"
    with pytest.raises(pagekin.errors.UnknownPage):
        new.show("http://a.example/b")


def test_folder_is_synced_between_the_two_renames(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise a loss of power could leave a manifest whose tables have no name."""
    publish(tmp_path, [lexicon_rows(0, 10)])
    calls: list[str] = []
    rename, replace = Path.rename, Path.replace

    def note(name: str, call: Callable[[Path, Path], Path]) -> Callable[[Path, Path], Path]:
        def noted(path: Path, target: Path) -> Path:
            calls.append(name)
            return call(path, target)

        return noted

    def synced(path: Path) -> None:
        calls.append("sync" if path == tmp_path else "")
        sync_file(path)

    monkeypatch.setattr(Path, "rename", note("tables", rename))
    monkeypatch.setattr(Path, "replace", note("manifest", replace))
    monkeypatch.setattr(index_publish, "sync_file", synced)
    monkeypatch.setattr(files, "sync_file", synced)
    publish(tmp_path, [lexicon_rows(0, 11)])
    assert [call for call in calls if call] == ["tables", "sync", "manifest", "sync"]


def test_error_after_the_new_index_is_in_place_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    publish(tmp_path, [lexicon_rows(0, 10)])
    before = manifest(tmp_path)["folder"]

    def failing(path: Path) -> None:
        if path == tmp_path:
            raise OSError(5, "Input/output error")
        sync_file(path)

    monkeypatch.setattr(files, "sync_file", failing)
    with pytest.raises(EngineError, match="the new index is in place, but the disk did not"):
        publish(tmp_path, [lexicon_rows(0, 11)])
    assert manifest(tmp_path)["folder"] != before
    assert read_table(tmp_path, "lexicon").num_rows == 11
