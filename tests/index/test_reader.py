"""Indexes that cannot be opened: what is said of them, and what to do."""

from pathlib import Path

import pyarrow as pa
import pytest

import pagekin
from pagekin import _core
from pagekin.errors import IndexCorrupt, IndexFault
from tests.archives import run

FORBIDDEN = PermissionError(13, "Permission denied")


def forbid(*_: object, **__: object) -> None:
    raise FORBIDDEN


@pytest.mark.parametrize("where", [(Path, "read_text"), (pa, "memory_map"), (Path, "stat")])
def test_what_may_not_be_read_is_not_called_damaged(
    sound: Path, monkeypatch: pytest.MonkeyPatch, where: tuple[object, str]
) -> None:
    monkeypatch.setattr(*where, forbid)
    with pytest.raises(IndexFault) as raised:
        pagekin.open(sound)
    monkeypatch.undo()
    assert not isinstance(raised.value, IndexCorrupt)
    assert raised.value.path.startswith(str(sound))
    assert raised.value.what == "may not be read (Permission denied)"
    assert "building it again would not help" in raised.value.advice


def test_what_may_not_be_read_is_no_answer_of_check(
    sound: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(Path, "read_text", forbid)
    ran = run(capfd, "check", sound)
    assert (ran.code, ran.out) == (2, "")
    assert "manifest.json: may not be read (Permission denied); ask its owner" in ran.last


def test_sums_that_go_away_while_a_damage_is_explained(
    sound: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A build may replace an index between two looks: the first fault is told, not the second."""
    opened = pagekin.open(sound)

    def gone(path: Path) -> None:
        raise FileNotFoundError(2, "No such file or directory", str(path))

    monkeypatch.setattr(_core, "checksums", gone)
    with pytest.raises(IndexCorrupt, match="the fault itself"), opened.blaming():
        raise opened.tables["pages"].corrupt("the fault itself")
