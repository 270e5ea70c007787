"""Indexes that cannot be opened, and their error messages."""

import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import pagekin
from pagekin import _core
from pagekin.errors import IndexCorrupt, IndexFault
from pagekin.index import manifest
from pagekin.index.tables import mapped
from tests.archives import run
from tests.index.forging import ROSES

FORBIDDEN = PermissionError(13, "Permission denied")


def forbid(*_: object, **__: object) -> None:
    raise FORBIDDEN


@pytest.mark.parametrize("module", [manifest, mapped])
def test_missing_permission_is_not_reported_as_damage(
    sound: Path, monkeypatch: pytest.MonkeyPatch, module: ModuleType
) -> None:
    monkeypatch.setattr(module, "open_regular", forbid)
    with pytest.raises(IndexFault) as raised:
        pagekin.open(sound)
    monkeypatch.undo()
    assert not isinstance(raised.value, IndexCorrupt)
    assert raised.value.path.startswith(str(sound))
    assert raised.value.what == "cannot be read (Permission denied)"
    assert "rebuilding the index would not help" in raised.value.advice


def test_check_exits_with_2_without_permission(
    sound: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(manifest, "open_regular", forbid)
    ran = run(capfd, "check", sound)
    assert (ran.code, ran.out) == (2, "")
    assert "manifest.json: cannot be read (Permission denied); get permission" in ran.last


def test_first_fault_is_reported_if_checksums_disappear(
    sound: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A build may replace an index between two reads: the first fault is reported."""
    opened = pagekin.open(sound)

    def gone(path: Path) -> None:
        raise FileNotFoundError(2, "No such file or directory", str(path))

    monkeypatch.setattr(_core, "checksums", gone)
    with pytest.raises(IndexCorrupt, match="the fault itself"), opened.reader.blaming():
        raise opened.reader.tables["pages"].corrupt("the fault itself")


def open_with(index: Path, limits: tuple[int, int]) -> subprocess.CompletedProcess[str]:
    """Open an index in a process with this limit on open files."""
    code = "import sys, resource\n"
    code += "resource.setrlimit(resource.RLIMIT_NOFILE, tuple(map(int, sys.argv[3:])))\n"
    code += "from pagekin.cli import main; sys.exit(main(['show', *sys.argv[1:3]]))"
    words = [sys.executable, "-c", code, str(index), ROSES, *map(str, limits)]
    return subprocess.run(words, capture_output=True, text=True, check=False)


def test_opening_many_shards_raises_the_file_limit(crawl: Path, tmp_path: Path) -> None:
    pagekin.build(crawl, tmp_path, settings=pagekin.Settings(shard_urls=8))
    shards = pagekin.open(tmp_path).reader.manifest.shards
    assert shards >= 16
    enough = 19 * shards + 64
    assert open_with(tmp_path, (128, enough)).returncode == 0
    refused = open_with(tmp_path, (128, 128))
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "the index has more files than this process may open; raise the limit" in refused.stderr
