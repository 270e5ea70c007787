"""A sweep gives what building an index for each strategy would give, also if it is killed."""

import fcntl
import json
import os
import shutil
import signal
import subprocess
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

import pagekin
from pagekin import _core
from pagekin.errors import DirectoryError, EngineError
from pagekin.evaluation.measures import ORDERINGS
from pagekin.evaluation.selection import Grid, Result, Sweep
from pagekin.evaluation.selection.sweep import GridJudge
from pagekin.sample.pack import write_sample
from pagekin.strategy import presets
from pagekin.work.progress import SilentProgress
from tests.archives import command, run
from tests.crawls import read_warc, write_warc
from tests.evaluation import reference
from tests.reference import Capture, parse

SAMPLE = Path(pagekin.__file__).parent / "sample"
DIRECTORY = SAMPLE / "directory.tsv"
GRID = """
cocitation = true
[[product]]
kinds = { content = [0, 1], link = [0, 0.5] }
window = { kind = ["basic", "syntactic"], size = 8 }
words = { stemming = ["nostem", "stem"] }
frequency = { weight = ["none", "nmdf"] }
[[product]]
similarity = "cosine"
kinds = { anchor = 0 }
[[product]]
kinds = { content = 2, anchor = 0.25 }
window = { size = 8 }
mix = { normalise_kinds = [true, false] }
[[product]]
kinds = { content = [0, 1], anchor = [0, 1], concept = [0.5, 3] }
window = { size = 8 }
concept = { components = [5, 60], pages = 40 }
"""


@pytest.fixture(scope="module")
def crawl(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample crawl, with later captures of some pages that say something else."""
    folder = tmp_path_factory.mktemp("crawl")
    write_sample(folder / "sample.warc.gz")
    captures = list(read_warc(folder / "sample.warc.gz"))
    later = [
        capture._replace(
            date=(capture.date or 0) + 99,
            body=capture.body.replace(b"garden", b"kitchen").replace(b"</a>", b" more</a>", 2),
        )
        for capture in captures[::7]
    ]
    write_warc(folder / "all.warc.gz", [*captures[:50], *later, *captures[50:]])
    return folder / "all.warc.gz"


def swept_to(folder: Path, crawl: Path, grid: str = GRID, memory: int = 2 << 30) -> Sweep:
    return GridJudge(folder, pagekin.Settings(memory=memory, threads=2), SilentProgress()).judge(
        [pagekin.Source(str(crawl))], pagekin.Directory.read(DIRECTORY), Grid.from_toml(grid)
    )


def pairs(result: Result) -> list[list[int]]:
    return [[int(cell) for cell in row] for row in result.classes.pairs.sum(axis=0)]


def test_results_equal_those_of_an_index(crawl: Path, tmp_path: Path) -> None:
    swept = swept_to(tmp_path / "sweep", crawl, memory=1 << 26)
    assert len(swept.results) == len(Grid.from_toml(GRID).contenders) == 52
    for number, result in enumerate(swept.results[:-1]):
        strategy = result.contender.strategy
        pagekin.build(crawl, tmp_path / f"{number}", strategy=strategy)
        expected = pagekin.evaluate(
            tmp_path / f"{number}", DIRECTORY, similarity=result.contender.similarity
        )
        gammas = [expected.gamma[ordering] for ordering in ORDERINGS]
        assert pairs(result) == [[each.concordant, each.discordant, each.tied] for each in gammas]
        assert result.classes.same.sum() == expected.counts.all().same[0]
        assert result.classes.hits[10].sum() == pytest.approx(expected.counts.all().hits[10][0])
        assert [int(count) for count in result.bands.queries if count] == [
            band.pages for band in expected.bands
        ]


def test_cocitation_counts_links_side_by_side(crawl: Path, tmp_path: Path) -> None:
    swept = swept_to(tmp_path, crawl, "cocitation = true")
    matched = swept.survey.matched
    latest: dict[str, Capture] = {}
    for capture in read_warc(crawl):
        kept = latest.get(capture.url)
        if kept is None or (capture.date or 0) > (kept.date or 0):
            latest[capture.url] = capture
    counts: Counter[tuple[int, int]] = Counter()
    for capture in latest.values():
        page = parse(capture)
        targets = dict.fromkeys(anchor.target for anchor in (page.anchors if page else []))
        order = [_core.url_id(url) for url in targets if url != capture.url]
        for one, target in enumerate(order):
            for two in range(max(one - 4, 0), min(one + 5, len(order))):
                if one != two:
                    counts[target, order[two]] += 1
    ids = matched.ids.tolist()
    classes = [
        [
            matched.classes[number]
            for number in matched.classes_of_pairs[matched.pages_of_pairs == page]
        ]
        for page in range(len(ids))
    ]
    expected = np.zeros((4, 3), dtype=int)
    for query, key in enumerate(ids):
        similarity = [float(counts[key, other]) for other in ids]
        found = reference.outcomes(query, similarity, classes)
        for place, ordering in enumerate(ORDERINGS):
            outcome = found[ordering]
            expected[place] += [outcome.concordant, outcome.discordant, outcome.tied]
    assert pairs(swept.results[0]) == expected.tolist()
    assert expected[:, 0].sum() > 0


def lines(folder: Path) -> list[str]:
    return (folder / "journal.jsonl").read_text().splitlines(keepends=True)


def test_killed_sweep_resumes(crawl: Path, tmp_path: Path) -> None:
    (tmp_path / "grid.toml").write_text(GRID)
    words = ("sweep", crawl, "--directory", DIRECTORY, "--grid", tmp_path / "grid.toml")
    folder = tmp_path / "killed"
    child = subprocess.Popen(
        command(*words, "-o", folder), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline and child.poll() is None:
        journal = folder / "journal.jsonl"
        if journal.exists() and journal.read_bytes().count(b"\n") >= 3:
            child.send_signal(signal.SIGKILL)
            break
        time.sleep(0.002)
    child.wait()
    assert child.returncode == -signal.SIGKILL
    before = [line for line in lines(folder) if line.endswith("\n")]
    assert 3 <= len(before) < 52
    marks = {path: path.stat().st_mtime_ns for path in (folder / "pages").iterdir()}
    again = subprocess.run(
        command(*words, "-o", folder), check=False, capture_output=True, text=True
    )
    assert again.returncode == 0, again.stderr
    assert lines(folder)[: len(before)] == before
    third = subprocess.run(
        command(*words, "-o", folder, "--json"), check=True, capture_output=True, text=True
    )
    told = json.loads(third.stdout)
    assert len(told["strategies"]) == len(lines(folder)) and told["failures"] == []
    assert told["report"] == str(folder / "report.html") and told["best"].startswith("# ")
    assert len(lines(folder)) == len(Grid.from_toml(GRID).with_presets().contenders)
    assert {path: path.stat().st_mtime_ns for path in (folder / "pages").iterdir()} == marks
    assert not [*folder.glob(".merge-*"), *folder.glob(".survey-*")]
    whole = swept_to(tmp_path / "whole", crawl)
    results = {line["key"]: line for line in map(json.loads, lines(folder))}
    for result in whole.results:
        kept = Result.from_json(json.dumps(results[result.contender.key]))
        assert kept.classes.pairs.tolist() == result.classes.pairs.tolist()
    table = pq.read_table(folder / "results.parquet")
    names = [each.contender.name for each in whole.results]
    assert table.column("name").to_pylist()[: len(names)] == names
    assert {*presets()} <= {*table.column("preset").to_pylist()}
    assert (folder / "best.toml").exists()
    assert (folder / "report.html").exists()


def test_torn_journal_line_is_computed_again(crawl: Path, tmp_path: Path) -> None:
    grid = "[[product]]\nwindow = { size = [0, 4, 8] }"
    first = swept_to(tmp_path, crawl, grid)
    whole = lines(tmp_path)
    (tmp_path / "journal.jsonl").write_text(whole[0] + whole[1][:100])
    second = swept_to(tmp_path, crawl, grid)
    assert [pairs(each) for each in second.results] == [pairs(each) for each in first.results]
    assert len(lines(tmp_path)) == 3


def test_larger_grid_reuses_results(crawl: Path, tmp_path: Path) -> None:
    swept_to(tmp_path, crawl, "[[product]]\nwindow = { size = [0, 4] }")
    before = lines(tmp_path)
    swept_to(tmp_path, crawl, "[[product]]\nwindow = { size = [4, 0, 8] }")
    assert lines(tmp_path)[:2] == before
    assert len(lines(tmp_path)) == 3


def test_folder_of_another_crawl_or_directory_is_rejected(crawl: Path, tmp_path: Path) -> None:
    swept_to(tmp_path / "out", crawl, "[[product]]")
    shutil.copy(crawl, tmp_path / "other.warc.gz")
    with pytest.raises(EngineError, match="a sweep with another crawl"):
        swept_to(tmp_path / "out", tmp_path / "other.warc.gz", "[[product]]")
    with pytest.raises(EngineError, match="a sweep with another directory"):
        GridJudge(tmp_path / "out", pagekin.Settings(threads=1), SilentProgress()).judge(
            [pagekin.Source(str(crawl))],
            pagekin.Directory.read(DIRECTORY, depth=2),
            Grid.from_toml("[[product]]"),
        )


def test_folder_is_locked_during_a_sweep(crawl: Path, tmp_path: Path) -> None:
    swept_to(tmp_path, crawl, "[[product]]")
    (tmp_path / ".merge-of-the-first").mkdir()
    with (tmp_path / "journal.jsonl").open("a+b") as journal:
        fcntl.flock(journal, fcntl.LOCK_EX)
        with pytest.raises(EngineError, match="another sweep is writing here"):
            swept_to(tmp_path, crawl, "[[product]]")
    assert (tmp_path / ".merge-of-the-first").exists()
    swept_to(tmp_path, crawl, "[[product]]")
    assert not (tmp_path / ".merge-of-the-first").exists()


def test_damaged_pages_are_reported(crawl: Path, tmp_path: Path) -> None:
    swept_to(tmp_path, crawl, "[[product]]")
    (page,) = (tmp_path / "pages").iterdir()
    data = bytearray(page.read_bytes())
    data[len(data) // 2] ^= 1
    page.write_bytes(data)
    with pytest.raises(EngineError, match=r"cannot be read back .*pages.json"):
        swept_to(tmp_path, crawl, "[[product]]\nwindow = { size = 1 }")
    (tmp_path / "pages.json").unlink()
    swept_to(tmp_path, crawl, "[[product]]\nwindow = { size = 1 }")


def test_bad_input_is_reported(
    capfd: pytest.CaptureFixture[str], crawl: Path, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "grid.toml").write_text("[[product]]\nwindow = { size = -3 }")
    (tmp_path / "html.txt").write_text("no archive")
    directory = ("--directory", DIRECTORY)
    for words, said in (
        ((crawl, *directory, "-o", tmp_path / "file" / "x"), "the sweep cannot go on"),
        (
            (crawl, *directory, "--grid", tmp_path / "grid.toml", "-o", tmp_path / "a"),
            "window.size",
        ),
        ((crawl, *directory, "--grid", "papr", "-o", tmp_path / "b"), "the grid cannot be read"),
        ((tmp_path / "html.txt", *directory, "-o", tmp_path / "c"), "html.txt"),
    ):
        ran = run(capfd, "sweep", *words)
        assert (ran.code, ran.out) == (2, "")
        assert said in ran.last


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_folder_without_permission_is_reported(crawl: Path, tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(EngineError, match="the sweep cannot go on"):
        swept_to(tmp_path, crawl, "[[product]]")


def test_own_pages_of_the_directory_are_left_out(crawl: Path, tmp_path: Path) -> None:
    """A page that lists a class side by side gives it away, unless it is left out."""
    urls = [line.split("\t")[0] for line in DIRECTORY.read_text().splitlines()]
    listed = "".join(f'<li><a href="{url}">xylograph</a>' for url in urls)
    spoiled = tmp_path / "spoiled.warc.gz"
    own = f"<title>Directory</title><ul>{listed}</ul>".encode()
    write_warc(spoiled, [*read_warc(crawl), Capture("http://d.example/", own, "utf-8", 1)])

    def judged(name: str, source: Path, *own_pages: str) -> Sweep:
        directory = replace(pagekin.Directory.read(DIRECTORY), own_pages=own_pages)
        judge = GridJudge(tmp_path / name, pagekin.Settings(threads=2), SilentProgress())
        return judge.judge([pagekin.Source(str(source))], directory, Grid.from_toml("[[product]]"))

    plain, biased = judged("plain", crawl), judged("biased", spoiled)
    clean = judged("clean", spoiled, "http://d.example/")
    assert pairs(clean.results[0]) == pairs(plain.results[0]) != pairs(biased.results[0])
    assert (plain.survey.left_out, clean.survey.left_out) == (0, 1)
    with pytest.raises(DirectoryError, match="no crawled page has a URL that begins with http://x"):
        judged("none", spoiled, "http://x.example/")
    with pytest.raises(EngineError, match="another directory"):
        judged("clean", spoiled)
