"""Small parts of a Spark build, tested without Spark."""

import os
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as some

from pagekin.crawl import Source
from pagekin.engines.spark.frames import signed, unsigned
from pagekin.engines.spark.plan import (
    MAX_GROUPS,
    Portion,
    SourceState,
    group_sources,
    portions,
    source_states,
)
from pagekin.engines.spark.tasks.shards import ShardCut
from pagekin.engines.spark.work_folder import Folder, content, parts_of, store_parts
from pagekin.work.partitions import FilePart

IDS = some.lists(some.integers(0, (1 << 64) - 1), unique=True).map(sorted)


@given(IDS)
def test_signed_ids_keep_their_order_and_convert_back(ids: list[int]) -> None:
    longs = signed(pa.array(ids, pa.uint64()))
    assert longs.to_numpy().tolist() == sorted(longs.to_numpy().tolist())
    assert unsigned(longs).to_pylist() == ids


def test_missing_id_stays_null_with_zero_bits() -> None:
    found = unsigned(pa.array([-(1 << 63), (1 << 63) - 1, None], pa.int64()))
    assert found.to_pylist() == [0, (1 << 64) - 1, None]
    values = found.buffers()[1]
    assert values
    assert values.to_pybytes()[16:24] == bytes(8)


@given(IDS, some.integers(0, 5), some.integers(0, 5))
def test_shards_contain_each_row_once_for_any_parts(
    ids: list[int], shard_bits: int, part_bits: int
) -> None:
    cut = ShardCut(shard_bits, {"pages": part_bits}, is_small=False)
    rows = pa.RecordBatch.from_arrays([pa.array(ids, pa.uint64())], names=["id"])
    parts = [
        ShardCut(part_bits, {}, is_small=False).rows(rows, part) for part in range(1 << part_bits)
    ]
    found = []
    for shard in range(cut.shards):
        inside = [
            id_
            for part in cut.parts("pages", shard)
            for id_ in cut.rows(parts[part], shard).column(0).to_numpy().tolist()
        ]
        assert all(id_ >> (64 - shard_bits) == shard for id_ in inside)
        found += inside
    assert found == ids


def crawl(sizes: list[int], folder: str = "") -> list[SourceState]:
    return [SourceState(Source(f"{folder}{at}"), size, 1) for at, size in enumerate(sizes)]


@given(some.lists(some.integers(1, 1 << 32), min_size=1, max_size=60), some.integers(1, 40))
def test_groups_contain_all_sources_in_order_and_are_balanced(sizes: list[int], tasks: int) -> None:
    sources = crawl(sizes)
    groups = group_sources(sources, tasks)
    assert [source for group in groups for source in group] == sources
    least = max(sum(sizes) // max(tasks, sum(sizes) // (256 << 20)), 1)
    for group in groups[:-1]:
        held = sum(source.size for source in group)
        assert held >= least > held - group[-1].size


def test_sources_of_unknown_size_are_distributed() -> None:
    assert [len(group) for group in group_sources(crawl([0] * 12), 4)] == [3] * 4
    assert [len(group) for group in group_sources(crawl([0, 7, 9] * 4), 4)] == [3] * 4


def test_number_of_groups_is_limited() -> None:
    assert len(group_sources(crawl([1 << 30] * 70_000), 8)) <= MAX_GROUPS + 1


@pytest.mark.parametrize(
    ("files", "cores", "shares"),
    [(1, 1, 1), (1, 2, 2), (1, 64, 4), (3, 4, 2), (4, 4, 1), (9, 4, 1)],
)
def test_few_sources_are_shared_by_several_tasks(files: int, cores: int, shares: int) -> None:
    found = portions(crawl([9] * files), cores)
    assert len(found) == files * shares
    assert {(one.place, one.of) for one in found} == {(at, shares) for at in range(shares)}
    for place in range(shares):
        read = [one for portion in found if portion.place == place for one in portion.sources]
        assert read == crawl([9] * files)


def test_remote_source_is_read_by_one_task() -> None:
    assert [one.of for one in portions(crawl([9], "s3://bucket/"), 8)] == [1]


def test_portion_survives_json() -> None:
    portion = Portion(
        [SourceState(Source("a"), 1, 2), SourceState(Source("b", "http://b.example/"), 3, 4)], 1, 2
    )
    assert Portion.from_json(portion.to_json()) == portion


def test_changed_source_is_detected(tmp_path: Path) -> None:
    path = tmp_path / "a.warc"
    path.write_bytes(b"one")
    (before,) = source_states([Source(str(path))])
    assert before.is_as_it_was()
    path.write_bytes(b"more")
    os.utime(path, ns=(before.change, before.change))
    assert not before.is_as_it_was()
    path.write_bytes(b"two")
    os.utime(path, ns=(before.change, before.change + 10**9 - 1))
    assert before.is_as_it_was()
    os.utime(path, ns=(before.change, before.change + 3 * 10**9))
    assert not before.is_as_it_was()
    path.unlink()
    assert not before.is_as_it_was()


def test_stored_parts_are_read_back(tmp_path: Path) -> None:
    path = tmp_path / "inbox"
    path.write_bytes(b"onetwothree")
    folder = Folder(str(tmp_path / "work"))
    parts = [FilePart(str(path), start, end) for start, end in ((3, 6), (0, 3), (6, 11))]
    store_parts(folder, "segments/1", parts)
    assert not path.exists()
    with folder.local("segments/1") as stored:
        assert [content(part) for part in parts_of(stored)] == [b"two", b"one", b"three"]


def test_repeated_write_leaves_one_whole_file(tmp_path: Path) -> None:
    folder = Folder(str(tmp_path / "work"))
    for _ in range(2):
        folder.write("stage/part", b"rows")
        assert folder.read("stage/part") == b"rows"
    assert [path.name for path in (tmp_path / "work/stage").iterdir()] == ["part"]
    folder.remove()
    assert not folder.exists("stage/part")


def test_failed_write_leaves_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Path) -> Path:
        raise OSError("the disk is full")

    folder = Folder(str(tmp_path / "work"))
    monkeypatch.setattr(Path, "replace", broken)
    with pytest.raises(OSError, match="full"):
        folder.write("part", b"rows")
    assert not list((tmp_path / "work").iterdir())


def test_signed_ids_map_to_the_partition_of_the_id() -> None:
    ids = pa.array([0, 1 << 62, 1 << 63, (1 << 64) - 1], pa.uint64())
    # What `frames.stored` computes in Spark: an arithmetic shift, and half of the parts more.
    assert ((signed(ids).to_numpy() >> np.int64(62)) + 2).tolist() == [0, 1, 2, 3]
