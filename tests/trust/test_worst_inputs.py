"""Worst inputs end within 2 seconds of processor time a mebibyte, and in bounded memory.

The limit is generous: what is quadratic takes a hundred times as long as what is not.
"""

import resource
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import pagekin
from pagekin.errors import PagekinError, StrategyError
from pagekin.query import Question
from pagekin.strategy import Strategy
from tests.archives import http as response
from tests.archives import page, record, spawn
from tests.trust.worst import ARCHIVES, INDEXES, MIB, PAGES, QUERIES

SECONDS_A_MIB = 2
MOST_MEMORY = 600 * MIB
PARSE = """
import sys
from pagekin import _core
page = _core.parse_page("http://a.example/", sys.stdin.buffer.read())
assert page is not None
"""


def limit(size: int) -> None:
    """Processor time for an input of this size, with a second for the start of Python."""
    seconds = 1 + SECONDS_A_MIB * max(1, -(-size // MIB))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))


@pytest.mark.parametrize("name", PAGES)
def test_page(name: str) -> None:
    body = PAGES[name]()
    assert len(body) <= 3 * MIB
    code = [sys.executable, "-c", PARSE]
    ran = subprocess.run(
        code, input=body, capture_output=True, preexec_fn=lambda: limit(len(body)), check=False
    )
    assert ran.returncode == 0, ran.stderr.decode()[-500:]


def test_all_pages_in_one_build(tmp_path: Path) -> None:
    with (tmp_path / "worst.warc").open("wb") as warc:
        for number, make in enumerate(PAGES.values()):
            warc.write(record(response(make()), f"http://worst{number}.example/"))
    ran = spawn("index", tmp_path / "worst.warc", "-o", tmp_path / "index", "--memory", "200MB")
    assert ran.code == 0, ran.err
    assert ran.peak < MOST_MEMORY
    assert spawn("check", tmp_path / "index").code == 0


@pytest.mark.parametrize("name", ARCHIVES)
def test_archive(name: str, tmp_path: Path) -> None:
    (tmp_path / "worst.warc").write_bytes(ARCHIVES[name]())
    (tmp_path / "sound.warc").write_bytes(page("sound"))
    files = tmp_path / "worst.warc", tmp_path / "sound.warc"
    ran = spawn("index", *files, "-o", tmp_path / "index")
    # The sound file is read whatever is beside it.
    assert ran.code in (0, 2)
    assert pagekin.Index(tmp_path / "index").show("http://sound.example/").crawled
    assert ran.peak < MOST_MEMORY


@pytest.mark.parametrize("name", QUERIES)
def test_query(name: str, index: Path) -> None:
    sample, asked = pagekin.Index(index), Question(text=QUERIES[name])
    before = resource.getrusage(resource.RUSAGE_SELF).ru_utime
    for ask in (lambda: sample.search(QUERIES[name]), lambda: sample.related(asked)):
        try:
            ask()
        except PagekinError as error:
            assert error.advice
    spent = resource.getrusage(resource.RUSAGE_SELF).ru_utime - before
    assert spent < 2 * SECONDS_A_MIB


@pytest.mark.parametrize("name", INDEXES)
def test_index(name: str, index: Path, tmp_path: Path) -> None:
    shutil.copytree(index, tmp_path / "index")
    INDEXES[name](tmp_path / "index")
    ran = spawn("check", tmp_path / "index")
    assert ran.code in (1, 2), ran.out
    assert "; " in ran.out + ran.err, "there is advice"
    assert ran.peak < MOST_MEMORY


@pytest.mark.parametrize("key", ["a.{}", "[a.{}]", "kinds = {{ a.{} = 1 }}", '"a".{}'])
def test_strategy_with_a_key_of_many_parts(key: str) -> None:
    with pytest.raises(StrategyError, match="at most two parts"):
        Strategy.from_toml(key.format(".".join("a" * 100_000)))
