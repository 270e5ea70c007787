"""A flipped byte is detected, and never changes an answer."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

import pagekin
from pagekin.index.tables.schema import TABLES
from pagekin.strategy import Sketch, Strategy
from tests.archives import SAFETY_NET
from tests.index.forging import ROSES
from tests.index.questions import NOT_QUESTIONS, QUESTIONS, SLOW

ROOT = Path(__file__).parents[2]


QUICK = [name for name in QUESTIONS if name not in SLOW]


def run_flips(
    index: Path, url: str, seed: int, count: int, questions: Sequence[str] = QUICK
) -> dict[str, list[str]]:
    words = [sys.executable, "-m", "tests.index.flips", str(index), url, str(seed), str(count)]
    ran = subprocess.run(
        [*words, *questions],
        cwd=ROOT,
        env={**os.environ, "RUST_BACKTRACE": "1"},
        capture_output=True,
        text=True,
        check=False,
        timeout=4 * SAFETY_NET,
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    found: dict[str, list[str]] = json.loads(ran.stdout)
    return found


def test_every_public_question_is_asked() -> None:
    public = {name for name in vars(pagekin.Index) if not name.startswith("_")}
    assert public - NOT_QUESTIONS == set(QUESTIONS)


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


@pytest.mark.slow
def test_flipped_byte_never_changes_an_evaluation_or_an_export(crawl: Path, tmp_path: Path) -> None:
    pagekin.build(crawl, tmp_path / "index")
    found = run_flips(tmp_path / "index", ROSES, 4, len(SLOW), SLOW)
    assert (found["wrong"], found["unnoticed"]) == ([], [])
    assert found["right"] and found["refused"]
