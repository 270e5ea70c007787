"""Files and folders that appear when they are complete, and one writer at a time."""

import errno
import fcntl
import os
import subprocess
import sys
from pathlib import Path

import pytest

from pagekin.errors import EngineError
from pagekin.work import files


def usual(path: Path) -> int:
    """The permissions of a new folder of this process."""
    made = path / "made"
    made.mkdir()
    return made.stat().st_mode


def test_failed_write_keeps_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "file"
    files.write_whole(path, "before")

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        files.write_whole(path, "after")
    assert path.read_text() == "before"
    assert [*tmp_path.iterdir()] == [path]


def test_draft_folder_has_usual_permissions(tmp_path: Path) -> None:
    draft = files.draft_folder(tmp_path, ".draft-")
    assert draft.stat().st_mode == usual(tmp_path)
    assert draft != files.draft_folder(tmp_path, ".draft-")


def test_only_drafts_are_removed(tmp_path: Path) -> None:
    for name in (".draft-1", ".draft-2", "draft-3", ".other"):
        (tmp_path / name / "deep").mkdir(parents=True)
    files.remove_drafts(tmp_path, ".draft-")
    assert {path.name for path in tmp_path.iterdir()} == {"draft-3", ".other"}


def test_folder_lock_holds_across_processes(tmp_path: Path) -> None:
    code = "import sys, pathlib; from pagekin.work.files import hold_lock\n"
    code += "with hold_lock(pathlib.Path(sys.argv[1]), 'test'): pass"

    def other() -> subprocess.CompletedProcess[str]:
        words = [sys.executable, "-c", code, str(tmp_path)]
        return subprocess.run(words, capture_output=True, text=True, check=False)

    with files.hold_lock(tmp_path, "test"):
        refused = other()
        with pytest.raises(EngineError, match="another test is writing here; wait until it"):
            files.hold_lock(tmp_path, "test").__enter__()
    assert refused.returncode == 1
    assert f"{tmp_path}: another test is writing here" in refused.stderr
    assert other().returncode == 0


def test_missing_lock_support_is_ignored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(*_: object) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(fcntl, "flock", unknown)
    with files.hold_lock(tmp_path, "test"), files.hold_lock(tmp_path, "test"):
        pass


def test_disk_errors_are_reported_with_advice(tmp_path: Path) -> None:
    place = tmp_path / "no" / "file"
    with pytest.raises(EngineError) as raised, files.write_errors("the answer", place):
        place.write_text("x")
    assert raised.value.what.startswith("the answer cannot be written ([Errno 2]")
    assert raised.value.where == str(place)
    assert raised.value.advice == "create the folder first, or choose another place"


def test_folder_in_place_of_a_file_is_rejected(tmp_path: Path) -> None:
    with pytest.raises(EngineError, match=r"the answer cannot be written \(it is a folder\); name"):
        files.refuse_folder("the answer", tmp_path)
    files.refuse_folder("the answer", tmp_path / "answer")


def test_draft_file_is_synced_before_and_after_its_rename(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[str] = []
    sync, replace = files.sync_file, Path.replace

    def synced(path: Path) -> None:
        calls.append(f"sync {path.name}")
        sync(path)

    def replaced(path: Path, target: Path) -> Path:
        calls.append("rename")
        return replace(path, target)

    monkeypatch.setattr(files, "sync_file", synced)
    monkeypatch.setattr(Path, "replace", replaced)
    with files.draft_file(tmp_path / "file", "test") as draft:
        draft.write_text("new")
    assert calls == ["sync .file.draft", "rename", f"sync {tmp_path.name}"]
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_draft_file_has_one_writer_and_overwrites_the_draft_of_a_killed_one(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.with_name(".file.draft").write_text("half of it")
    with files.draft_file(path, "test") as draft:
        with (
            pytest.raises(EngineError, match="another test is writing here"),
            files.draft_file(path, "test"),
        ):
            pass
        draft.write_text("new")
    assert path.read_text() == "new"
    assert [*tmp_path.iterdir()] == [path]
