"""Samples of faults, losses of power and kills; the scripts beside this test try all of them."""

import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from tests.trust.disk.commands import COMMANDS
from tests.trust.disk.disk import Call, Disk, read_calls

ROOT = Path(__file__).parents[3]
IN_SHORT = ["index", "add", "precompute", "export", "sign"]


def script(name: str, *words: str) -> str:
    """What a script prints, which must find nothing wrong."""
    ran = subprocess.run(
        [sys.executable, "-m", f"tests.trust.disk.{name}", *words],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout


def test_failed_calls_leave_the_old_or_the_new_state() -> None:
    told = script("faults", "--every", "40", *IN_SHORT)
    assert " failed" in told and " killed" in told


def test_losses_of_power_leave_the_old_or_the_new_state() -> None:
    told = script("power", "--states", "12", *IN_SHORT)
    assert " old" in told and " new" in told


def test_killed_commands_leave_the_old_or_the_new_state() -> None:
    told = script("kills", "--kills", "4", *IN_SHORT)
    assert " old" in told


@pytest.mark.slow
def test_every_command_fails_well() -> None:
    script("faults", "--every", "100")
    script("power", "--states", "10")
    script("kills", "--kills", "2")


def test_disk_keeps_what_was_synced_and_may_lose_the_rest(tmp_path: Path) -> None:
    now, disk_root = tmp_path / "now", tmp_path / "disk"
    disk_root.mkdir()
    (disk_root / "file").write_bytes(b"old")
    draft, file = now / "draft", now / "file"

    def call(name: str, path: Path, other: Path = now, at: int = 0, content: bytes = b"") -> Call:
        return Call(name, path, other, at, len(content), content)

    write = call("write", draft, content=b"brand new")
    careful = [call("create", draft), write, call("fsync", draft), call("rename", draft, file)]
    careless = [call("create", draft), write, call("rename", draft, file)]
    assert found(disk_root, now, careful) == {b"old", b"brand new"}
    assert found(disk_root, now, [*careful, call("fsync", now)]) == {b"brand new"}
    # Without a sync of the file its name may have nothing, or a part.
    assert {b"old", b"", b"brand new"} < found(disk_root, now, careless)


def found(root: Path, now: Path, calls: list[Call]) -> set[bytes]:
    """What a file may hold after a loss of power."""
    contents = set()
    for seed in range(200):
        disk = Disk(root)
        for call in calls:
            disk.repeat(call, now)
        target = root.parent / f"lost{len(calls)}-{seed}"
        disk.after_loss(random.Random(seed), target)
        contents.add((target / "file").read_bytes())
    return contents


def test_recorded_calls_are_read() -> None:
    recorded = b"create\t/a/b\t\t0\t0\nwrite\t/a/b\t\t2\t3\nx\nyfsync\t/a/b\t\t0\t0\n"
    calls = [*read_calls(recorded)]
    assert [call.name for call in calls] == ["create", "write", "fsync"]
    assert (calls[1].at, calls[1].content) == (2, b"x\ny")


def test_every_writing_command_is_there() -> None:
    writing = {"index", "add", "remove", "compact", "merge", "precompute", "export", "dump"}
    assert {name.split()[0] for name in COMMANDS} == writing | {"sign", "sweep"}
