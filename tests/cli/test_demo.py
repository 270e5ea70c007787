"""`pagekin demo`: the whole thing, and each command that it shows gives what it shows."""

import json
import shlex
from pathlib import Path

import pytest

from tests.archives import run


def test_demo_shows_the_output_of_its_commands(
    capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    shown = run(capfd, "demo", "-o", tmp_path).out
    packed, *parts = shown.split("\n$ pagekin ")
    assert packed == f"packed 106 pages into {tmp_path / 'sample.warc.gz'}\n"
    commands = [part.partition("\n")[0] for part in parts]
    assert [words.split()[0] for words in commands] == [
        *("index", "related", "related", "related", "show", "pairs", "evaluate", "check")
    ]
    for part in parts[1:]:
        command, _, output = part.partition("\n")
        printed = run(capfd, *shlex.split(command)).out
        assert without_time(output) == without_time(printed)
        assert output.strip()


def test_demo_prints_json_lines(capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    lines = run(capfd, "demo", "--json", "-o", tmp_path).out.splitlines()
    documents = [json.loads(line) for line in lines]
    assert [next(iter(each)) for each in documents] == [
        *("captures", "query", "query", "query", "url", "keywords", "strategy", "sound")
    ]


def without_time(text: str) -> list[str]:
    return [line for line in text.strip().splitlines() if not line.endswith(" ms")]


def test_demo_without_output_leaves_no_files(
    capfd: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    assert run(capfd, "demo").code == 0
    assert not list(tmp_path.iterdir())
