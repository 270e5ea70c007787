"""The scoreboard of benchmarks: what it says of wins and losses, and runs that are stopped."""

import json
import subprocess
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

import pagekin
from bench.quality import runs, scoreboard
from bench.quality.judge import GroupedRatio, Judged
from bench.quality.judge import main as judge_main
from bench.quality.pages import read_texts
from bench.quality.rivals import FittedRival, Rival
from bench.quality.runs import Cost, judge_missing, read_cost, read_result
from bench.quality.shared_phrases import KnownPhrases, SharedPhrases
from bench.quality.systems import RivalSystem, open_system
from bench.quality.truths import crawls
from bench.quality.truths.crawl_truths import CrawlTruths
from bench.quality.truths.crawls import SharedCrawl
from bench.tables import put_table
from pagekin.evaluation.truths.matching import MatchedPages
from pagekin.sample.pack import write_sample
from pagekin.strategy import DEFAULT, Strategy
from tests.evaluation import reference

DIRECTORY = Path(pagekin.__file__).parent / "sample" / "directory.tsv"
COST = Cost("state", 812.4, 1560.0, 1)


def judged(**values: float) -> Judged:
    """A system that has nearly the same value for every query, so that intervals are narrow."""
    measures = {
        name.replace("_", " "): GroupedRatio(
            [value + (-1) ** place / 1000 for place in range(50)], ONES
        )
        for name, value in values.items()
    }
    return Judged(1.5, measures)


ONES = [1.0] * 50
BOARD = {
    "first": {
        DEFAULT: judged(P=0.5, R=0.5, links_R=0.5),
        "content": judged(P=0.4, R=0.6, links_R=0.5),
        "tf-idf": judged(P=0.4, R=0.4, links_R=0.4),
        "LSA 50": judged(P=0.7, R=0.4, links_R=0.4),
        "LSA 50, without templates": judged(P=0.8, R=0.4, links_R=0.4),
    },
    "second": {DEFAULT: judged(P=0.5), "tf-idf": judged(P=0.4)},
}


def rows_of(text: str, first: str) -> list[list[str]]:
    """The rows of tables that begin with a cell."""
    lines = [line for line in text.splitlines() if line.startswith(f"| {first} |")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def test_wins_and_losses_are_counted_by_the_interval_of_the_difference() -> None:
    text = scoreboard.markdown(BOARD, COST)
    assert rows_of(text, "content")[0] == ["content", "1 / 1 / 1", "-"]
    assert rows_of(text, "tf-idf")[0] == ["tf-idf", "3 / 0 / 0", "1 / 0 / 0"]
    assert rows_of(text, "LSA 50")[0] == ["LSA 50", "2 / 0 / 1", "-"]


def test_losses_name_who_is_better_the_best_first() -> None:
    text = scoreboard.markdown(BOARD, COST)
    assert rows_of(text, "first")[-2:] == [
        ["first", "P", "0.500", "LSA 50, without templates 0.800, LSA 50 0.700", ""],
        ["first", "R", "0.500", "", "content 0.600"],
    ]


def test_what_the_run_took_is_told() -> None:
    assert "812 s by the clock, 1560 s on the cores, in one go" in scoreboard.markdown(BOARD, COST)
    stopped = Cost("state", 812.4, 1560.0, 3)
    assert "in 3 starts" in scoreboard.markdown(BOARD, stopped)


def test_readme_has_losses_to_other_tools_alone() -> None:
    text = scoreboard.in_short(BOARD)
    assert "first, P: 0.50, LSA 50, without templates 0.80." in text
    assert "content" not in text
    won = {"second": BOARD["second"]}
    assert "It loses to none of these tools by any measure." in scoreboard.in_short(won)


def test_table_replaces_the_one_between_its_marks(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("before\n<!-- begin: python -m x --write -->\nold\n<!-- end -->\nafter\n")
    put_table("x", "new", page)
    put_table("x", "newer", page)
    text = "before\n<!-- begin: python -m x --write -->\nnewer\n<!-- end -->\nafter\n"
    assert page.read_text() == text
    with pytest.raises(RuntimeError, match="no place for y"):
        put_table("y", "new", page)


@pytest.fixture(name="crawl")
def sample_crawl(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> SharedCrawl:
    """The sample as a shared crawl, with folders of its own."""
    monkeypatch.setattr(crawls, "DATA", tmp_path)
    monkeypatch.setattr(crawls, "FOLDER", tmp_path / "out")
    monkeypatch.setattr(runs, "_COST", tmp_path / "out" / "cost.json")
    write_sample(tmp_path / "sample.warc.gz")
    return SharedCrawl("sample", directory=DIRECTORY)


def test_systems_are_judged_by_every_truth_of_a_crawl(
    crawl: SharedCrawl, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(crawls.CRAWLS, crawl.name, crawl)
    assert judge_main([crawl.name, DEFAULT, "links"]) == 0
    default, links = map(json.loads, capsys.readouterr().out.splitlines())
    by_directory = ["sibling Γ", "unrelated Γ", "P@10"]
    by_links = ["links R@10", "links R@10 strict"]
    by_texts = ["title RR@10", "sentence RR@10", "passage RR@10", "paragraph P@10"]
    assert [*default["measures"]] == [*by_directory, *by_links, *by_texts]
    assert [*links["measures"]] == [*by_directory, *by_links]
    title = default["measures"]["title RR@10"]
    assert sum(title["sums"]) > 0.8 * sum(title["counts"])


def test_stopped_run_goes_on_with_what_is_missing(
    crawl: SharedCrawl, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[list[str]] = []

    class Child:
        """Judges two systems, then ends."""

        def __init__(self, command: list[str], **_: object) -> None:
            systems = command[command.index(crawl.name) + 1 :]
            started.append(systems)
            line = json.dumps(asdict(judged(P=0.5))) + "\n"
            self.stdout = [line] * min(len(systems), 2)
            self.returncode = int(len(systems) > 2)

        def __enter__(self) -> "Child":
            return self

        def __exit__(self, *error: object) -> None:
            pass

    monkeypatch.setattr(subprocess, "Popen", Child)
    names = [DEFAULT, "tf-idf", "LSA 50", "BM25"]
    with pytest.raises(RuntimeError, match="ended with 1"):
        judge_missing([crawl], names)
    assert read_result(crawl, "LSA 50") == judged(P=0.5)
    assert read_result(crawl, "BM25") is None
    judge_missing([crawl], names)
    judge_missing([crawl], names)
    assert started == [[DEFAULT], ["tf-idf", "LSA 50", "BM25"], ["BM25"]]
    assert read_cost().starts == 2


def test_result_of_another_state_does_not_count(
    crawl: SharedCrawl, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = crawl.folder / "results" / f"{DEFAULT}.json"
    path.parent.mkdir(parents=True)
    path.write_text(f"{runs._state_of(crawl)}\n{json.dumps(asdict(judged(P=0.5)))}")
    assert read_result(crawl, DEFAULT) is not None
    monkeypatch.setattr(runs, "_state_of", lambda _: "other")
    assert read_result(crawl, DEFAULT) is None


def test_indexes_that_share_phrases_mark_pages_as_others_do(
    crawl: SharedCrawl, tmp_path: Path
) -> None:
    known: KnownPhrases = defaultdict(dict)
    paths = [tmp_path / name for name in ("content", "links")]
    for path in paths:
        pagekin.build(crawl.archive, path, strategy=Strategy.load(path.name))
    plain = pagekin.open(paths[0]).reader
    phrases = ["old roses", "of the", "qqqq zzzz"]
    rows = np.arange(sum(plain.searcher.rows()))
    expected = plain.phrases(rows, phrases)
    assert expected.any() and not expected.all()
    for path, some in zip(paths, (rows[::3], rows), strict=True):
        found = SharedPhrases(path, known).phrases(some, phrases)
        assert found.tolist() == expected[some].tolist()
    assert len(known[tuple(phrases)]) == len(rows)
    assert SharedPhrases(paths[0], known).phrases(rows[:0], phrases).shape == (0, 3)


class DrawnScores:
    """Similarities that were drawn, some of them equal or 0."""

    def __init__(self, matrix: NDArray[np.float32]) -> None:
        self.matrix = matrix

    def of_pages(self, rows: Sequence[int], most: int | None = None) -> NDArray[np.float32]:
        del most
        return self.matrix[[*rows]]

    def of_texts(self, texts: Sequence[str], most: int | None = None) -> NDArray[np.float32]:
        del most
        return self.matrix[[*map(int, texts)]]


def test_rivals_are_judged_like_a_plain_comparison_of_all_pages(crawl: SharedCrawl) -> None:
    pages = read_texts(crawl, templates=True)
    size = len(pages.ids)
    drawn = np.random.default_rng(1).integers(0, 40, (size, size)) / np.float32(40)
    rival = Rival("drawn", lambda *_: FittedRival(DrawnScores(drawn.astype(np.float32)), 0.0))
    system = RivalSystem(crawl, rival)
    open_system(crawl, DEFAULT)
    matched = CrawlTruths(crawl).directory
    assert matched is not None
    rows = np.searchsorted(pages.ids, matched.ids)
    paths = [[matched.classes[number] for number in numbers] for numbers in classes_of(matched)]
    expected = np.zeros(3, dtype=np.int64)
    for query, row in enumerate(rows):
        found = reference.outcomes(query, drawn[row][rows].tolist(), paths)["sibling"]
        expected += (found.concordant, found.discordant, found.tied)
    assert system.order(matched).all().pairs[0, 0].tolist() == expected.tolist()
    answers = system.related(matched.ids).answers
    for row, hits in zip(rows.tolist(), answers, strict=True):
        others = [other for other in range(size) if other != row and drawn[row, other] > 0]
        best = sorted(others, key=lambda other: (-drawn[row, other], other))[:10]
        assert hits.tolist() == pages.ids[best].tolist()
    (first,) = system.search(["3"], 5)
    assert len(first) == 5 and drawn[3].max() == drawn[3][np.searchsorted(pages.ids, first[0])]


def classes_of(matched: MatchedPages) -> list[list[int]]:
    """The numbers of the classes of each page."""
    numbers: list[list[int]] = [[] for _ in matched.ids]
    pairs = zip(matched.pages_of_pairs.tolist(), matched.classes_of_pairs.tolist(), strict=True)
    for page, number in pairs:
        numbers[page].append(number)
    return numbers
