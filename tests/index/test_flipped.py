"""A flipped byte is detected, and never changes an answer."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import pagekin
from pagekin.index.schema import TABLES
from pagekin.strategy import Sketch, Strategy
from tests.archives import SAFETY_NET
from tests.index.forging import ROSES

ROOT = Path(__file__).parents[2]


def run_flips(index: Path, url: str, seed: int, count: int) -> dict[str, list[str]]:
    ran = subprocess.run(
        [sys.executable, "-m", "tests.index.flips", index, url, str(seed), str(count)],
        cwd=ROOT,
        env={**os.environ, "RUST_BACKTRACE": "1"},
        capture_output=True,
        text=True,
        check=False,
        timeout=2 * SAFETY_NET,
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    found: dict[str, list[str]] = json.loads(ran.stdout)
    return found


@pytest.mark.parametrize("seed", [1, 2])
def test_flipped_byte_is_detected_and_never_changes_an_answer(index: Path, seed: int) -> None:
    found = run_flips(index, ROSES, seed, 6)
    assert (found["wrong"], found["unnoticed"]) == ([], [])
    assert found["right"] and found["refused"]


@pytest.mark.slow
def test_flipped_byte_in_a_tiny_index_never_changes_an_answer(tmp_path: Path) -> None:
    (tmp_path / "pages").mkdir()
    text = "<title>One</title>garden roses <a href=b.html>lightning tulips</a>"
    (tmp_path / "pages" / "a.html").write_text(text)
    source = pagekin.Source(str(tmp_path / "pages"), "http://t.example/")
    pagekin.build(source, tmp_path / "index", strategy=Strategy(sketch=Sketch(positions=4)))
    found = run_flips(tmp_path / "index", "http://t.example/a.html", 3, 400)
    assert (found["wrong"], found["unnoticed"]) == ([], [])
    assert len(found["right"]) + len(found["refused"]) == 400 * (len(TABLES) + 1)
