"""Queries during a rebuild, and on a read-only disk."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

import pagekin
from pagekin.strategy import presets
from tests.archives import SAFETY_NET, run

ROSES = "http://www.hedgerow.example/plants/roses.html"
REBUILD = """
import sys, pagekin
from pagekin.strategy import presets
crawl, index, rounds = sys.argv[1], sys.argv[2], int(sys.argv[3])
for number in range(rounds):
    strategy = presets()[("content", "anchor")[number % 2]]
    pagekin.build(crawl, index, strategy=strategy, settings=pagekin.Settings(shard_urls=50))
"""


def hits(index: pagekin.Index) -> pagekin.Related:
    return replace(index.related(ROSES), took_ms=0)


def test_answers_during_a_rebuild_come_from_one_index(crawl: Path, tmp_path: Path) -> None:
    index = tmp_path / "index"
    expected = []
    for preset in ("content", "anchor"):
        pagekin.build(crawl, index, strategy=presets()[preset])
        expected.append(hits(pagekin.open(index)))
    words = [sys.executable, "-c", REBUILD, str(crawl), str(index), "40"]
    seen = [0, 0]
    with subprocess.Popen(words) as builds:
        while builds.poll() is None:
            opened = pagekin.open(index)
            answer = hits(opened)
            seen[expected.index(answer)] += 1
            assert hits(opened) == answer
    assert builds.returncode == 0
    assert all(seen)
    pagekin.open(index).check()


def test_index_on_a_read_only_disk_is_readable(
    crawl: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    index = tmp_path / "index"
    pagekin.build(crawl, index)
    expected = hits(pagekin.open(index))
    code = "import sys; from pagekin.cli import main; sys.exit(main(sys.argv[1:]))"
    for words in (["related", index, ROSES, "--json"], ["show", index, ROSES], ["check", index]):
        read_only = read_only_command(index, [sys.executable, "-c", code, *map(str, words)])
        ran = subprocess.run(
            read_only, capture_output=True, text=True, check=False, timeout=SAFETY_NET
        )
        assert ran.returncode == 0, ran.stderr
    assert hits(pagekin.open(index)) == expected
    read_only = read_only_command(
        index, [sys.executable, "-c", code, "index", str(crawl), "-o", str(index)]
    )
    ran = subprocess.run(read_only, capture_output=True, text=True, check=False, timeout=SAFETY_NET)
    assert ran.returncode == 2
    assert "Traceback" not in ran.stderr
    assert run(capfd, "check", index).code == 0


def read_only_command(index: Path, words: list[str]) -> list[str]:
    """The command with the index on a read-only disk, by a mount in a separate namespace."""
    script = (
        'mount --bind -o ro "$0" "$0" 2>/dev/null && mount -o remount,ro,bind "$0" && exec "$@"'
    )
    wrapped = ["unshare", "--mount", "sh", "-c", script, str(index)]
    probe = subprocess.run([*wrapped, "true"], capture_output=True, check=False)
    if probe.returncode:
        pytest.skip("this machine does not let us mount a folder read-only")
    return [*wrapped, *words]
