"""Injected faults: every sync and rename of a writing command fails once.

After each the old or the new state is there, whole, and the error is one of pagekin's tree.
"""

import errno
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

import pagekin
from pagekin.errors import EngineError
from tests.archives import page

CALLS = ("fsync", "replace", "rename")


class Faults:
    """Counts calls of a function of `os`, and fails the one with a given number."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
        self.count = 0
        self.failing = -1
        real: Callable[..., Any] = getattr(os, name)

        def call(*args: Any, **keywords: Any) -> Any:
            self.count += 1
            if self.count - 1 == self.failing:
                raise OSError(errno.EIO, "Input/output error")
            return real(*args, **keywords)

        monkeypatch.setattr(os, name, call)

    def begin(self, failing: int) -> None:
        self.count, self.failing = 0, failing


def build(folder: Path, name: str) -> None:
    (folder / f"{name}.warc").write_bytes(page(name) + page("both"))
    settings = pagekin.Settings(threads=1)
    pagekin.build(folder / f"{name}.warc", folder / "index", settings=settings)


def state(folder: Path) -> int:
    """Whether the index is the old (0) or the new one (1); it must be sound."""
    index = pagekin.open(folder / "index")
    index.check()
    known = [index.recognise_url(f"{name}.example/") is not None for name in ("old", "new")]
    assert sum(known) == 1
    return known.index(True)


@pytest.mark.parametrize("name", CALLS)
def test_failed_build_leaves_the_old_or_the_new_index(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    build(tmp_path, "old")
    faults = Faults(monkeypatch, name)
    failed = 0
    while True:
        faults.begin(failed)
        try:
            build(tmp_path, "new")
        except EngineError as error:
            faults.begin(-1)
            in_place = "the new index is in place" in str(error)
            assert state(tmp_path) == in_place, str(error)
            # The next build removes the old tables.
            assert len([*(tmp_path / "index").iterdir()]) == 2 + in_place
        else:
            break
        build(tmp_path, "old")
        failed += 1
    faults.begin(-1)
    assert failed >= 1
    assert state(tmp_path) == 1


def precompute(folder: Path, k: int) -> None:
    pagekin.open(folder / "index").precompute(folder / "answers.parquet", k=k, threads=1)


@pytest.mark.parametrize("name", ["fsync", "replace"])
def test_failed_precompute_leaves_the_old_or_the_new_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    build(tmp_path, "old")
    precompute(tmp_path, 1)
    before = pq.read_table(tmp_path / "answers.parquet")
    faults = Faults(monkeypatch, name)
    failed = 0
    while True:
        faults.begin(failed)
        try:
            precompute(tmp_path, 2)
        except EngineError as error:
            in_place = "it is in place" in str(error)
            assert in_place or "the answers cannot be written" in str(error)
            assert "unchanged" not in str(error)
        else:
            break
        found = pq.read_table(tmp_path / "answers.parquet")
        assert in_place or found.equals(before)
        assert found.num_rows >= before.num_rows
        assert not [*tmp_path.glob(".answers*")]
        failed += 1
    assert failed >= 1


@pytest.mark.parametrize("name", CALLS)
def test_failed_export_leaves_whole_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    build(tmp_path, "old")
    index = pagekin.open(tmp_path / "index")
    index.export(tmp_path / "export", k=1, threads=1)
    faults = Faults(monkeypatch, name)
    monkeypatch.setattr(os, "sync", lambda: None)
    failed = 0
    while True:
        faults.begin(failed)
        try:
            index.export(tmp_path / "export", k=2, threads=1)
        except EngineError as error:
            told = "the export cannot be written", "it is in place"
            assert any(words in str(error) for words in told)
        else:
            break
        assert (tmp_path / "export" / "related.json").exists()
        assert not [*(tmp_path / "export").glob(".*")]
        failed += 1
    assert [*(tmp_path / "export").glob("pages-*")]
