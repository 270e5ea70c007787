"""Tuning: reproducible, unbiased, and never worse than its start on the tuned half."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import pagekin
from pagekin.cli.judged_text import verdict
from pagekin.errors import DirectoryError, EngineError
from pagekin.evaluation.counts import Counts, PooledCounts
from pagekin.evaluation.measures import Gamma, Orthogonality, Precision
from pagekin.evaluation.selection import tune as module
from pagekin.evaluation.selection.page_store import Survey, parse_pages, survey
from pagekin.evaluation.selection.space import as_parameters, weights, whole
from pagekin.evaluation.selection.trials import (
    StrategyComparison,
    Workbench,
    choose_by_band,
    compare_strategies,
)
from pagekin.evaluation.selection.tune import Search, search_best
from pagekin.evaluation.truths.matching import Coverage, MatchedPages, split
from pagekin.sample.pack import write_sample
from pagekin.strategy import DEFAULT, Strategy, presets
from pagekin.work.progress import SilentProgress
from tests.archives import run

DIRECTORY = Path(pagekin.__file__).parent / "sample" / "directory.tsv"


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Survey, Path]]:
    folder = tmp_path_factory.mktemp("tune")
    write_sample(folder / "sample.warc.gz")
    source = pagekin.Source(str(folder / "sample.warc.gz"))
    kept = parse_pages([source], folder, pagekin.Settings(threads=2), SilentProgress())
    yield survey(kept, folder, pagekin.Directory.read(DIRECTORY), 2), folder


def matched_of(classes: Sequence[tuple[str, ...]], pairs: list[tuple[int, int]]) -> MatchedPages:
    pages = max(page for page, _ in pairs) + 1
    return MatchedPages(
        np.arange(pages, dtype=np.uint64),
        np.zeros(pages, dtype=np.int64),
        tuple(classes),
        np.array([page for page, _ in pairs]),
        np.array([number for _, number in pairs]),
        Coverage(pages, 0, 0, 0),
    )


def test_halves_share_no_class_and_both_have_siblings() -> None:
    classes = [("x", str(number)) for number in range(6)] + [("y", "0"), ("y", "1")]
    pairs = [(page, page % 8) for page in range(80)] + [(80, number) for number in range(8)]
    for seed in range(20):
        halves = split(matched_of(classes, pairs), seed)
        one, two = {*halves.tuning.classes}, {*halves.held_back.classes}
        assert one | two == {*classes} and not one & two
        assert len(one) == len(two) == 4
        assert {path[0] for path in one} == {path[0] for path in two} == {"x", "y"}
        assert not {*halves.tuning.ids.tolist()} & {*halves.held_back.ids.tolist()}
        assert halves.left_out == 1
    assert split(matched_of(classes, pairs), 1).tuning.classes == (
        split(matched_of(classes, pairs), 1).tuning.classes
    )
    assert len({split(matched_of(classes, pairs), seed).tuning.classes for seed in range(20)}) > 1


def test_too_few_classes_are_rejected() -> None:
    with pytest.raises(DirectoryError, match="2 classes are too few to be split"):
        split(matched_of([("x",), ("y",)], [(page, page % 2) for page in range(10)]), 0)


class FixedTrial:
    """A trial that suggests given values."""

    def __init__(self, values: dict[str, object]) -> None:
        self.values = values

    def suggest_float(self, name: str, low: float, high: float, *, log: bool = False) -> float:
        value = self.values[name]
        assert isinstance(value, float) and low <= value <= high and log in (True, False)
        return value

    def suggest_int(self, name: str, low: int, high: int) -> int:
        value = self.values[name]
        assert isinstance(value, int) and low <= value <= high
        return value

    def suggest_categorical(self, name: str, choices: list[object]) -> object:
        assert self.values[name] in choices
        return self.values[name]


@pytest.mark.parametrize("name", [DEFAULT, "paper-best", "balanced"])
def test_starting_strategies_are_in_the_search_space(name: str) -> None:
    strategy = presets()[name]
    assert whole(FixedTrial(as_parameters(strategy))) == strategy
    linked = replace(strategy, kinds=replace(strategy.kinds, link=0.5))
    assert whole(FixedTrial(as_parameters(linked))) == linked
    assert weights(FixedTrial(as_parameters(linked)), linked) == linked


def test_search_is_repeatable_and_not_worse_than_its_start(
    seen: tuple[Survey, Path],
) -> None:
    found, folder = seen
    halves = split(found.matched, 3)
    search = Search(Gamma(), trials=12, seed=3)
    results = []
    for _ in range(2):
        with Workbench(found, folder, 2) as bench:
            results.append(search_best(bench, halves, search, SilentProgress()))
    assert results[0] == results[1]
    with Workbench(found, folder, 1) as bench:
        begun = bench.counts(presets()[DEFAULT], halves.tuning).all().measure(Gamma())[0]
        assert results[0].tuned_on >= begun
        held = bench.counts(results[0].strategy, halves.held_back).all().measure(Gamma())[0]
        default = bench.counts(presets()[DEFAULT], halves.held_back).all().measure(Gamma())[0]
    assert results[0].held_back.value == pytest.approx(held)
    assert results[0].default == pytest.approx(default)
    assert results[0].held_back.gain == pytest.approx(held - default)
    assert not [*folder.glob(".merge-*")]


def test_half_is_evaluated_like_an_index_of_its_pages(
    seen: tuple[Survey, Path], tmp_path: Path
) -> None:
    found, folder = seen
    halves = split(found.matched, 0)
    kept = {*halves.tuning.ids.tolist()}
    rows = [
        line
        for line in DIRECTORY.read_text().splitlines(keepends=True)
        if pagekin._core.url_id(line.split("\t")[0]) in kept
    ]
    (tmp_path / "part.tsv").write_text("".join(rows))
    pagekin.build(folder / "sample.warc.gz", tmp_path / "index")
    expected = pagekin.evaluate(tmp_path / "index", tmp_path / "part.tsv")
    with Workbench(found, folder, 1) as bench:
        counts = bench.counts(presets()[DEFAULT], halves.tuning)
    assert counts.all().pairs.tolist() == expected.counts.all().pairs.tolist()


def counts_of(rights: list[int]) -> Counts:
    pairs = np.zeros((len(rights), 3, 3))
    pairs[:, 0, 0] = rights
    pairs[:, 0, 1] = 10 - np.array(rights)
    ones = np.ones(len(rights))
    return Counts(
        PooledCounts(pairs, ones, ones * 0, {10: ones}, ones), np.arange(len(rights)), len(rights)
    )


class FixedWorkbench(Workbench):
    """A workbench with given counts for every strategy."""

    known: dict[Strategy, Counts]

    def counts(self, strategy: Strategy, part: MatchedPages) -> Counts:
        found = self.known[strategy]
        assert len(part.ids) == len(found.group)
        return found


def test_strategies_by_band_are_kept_only_if_they_win(seen: tuple[Survey, Path]) -> None:
    one, two = presets()["paper-best"], presets()["balanced"]
    few, many = [9, 8, 9, 8, 9, 8], [2, 3, 2, 3, 2, 3]
    classes = [("x", str(number)) for number in range(12)]
    part = replace(
        matched_of(classes, [(page, page) for page in range(12)]),
        inlinks=np.array([1] * 6 + [99] * 6),
    )
    halves = replace(split(seen[0].matched, 0), tuning=part, held_back=part)
    bench = FixedWorkbench(*seen)
    bench.known = {one: counts_of(few + many), two: counts_of(many + few)}
    choice = choose_by_band(bench, halves, bench.known, one, Gamma())
    assert choice.strategies["0-3"] == one
    assert choice.strategies["16+"] == two
    assert choice.wins
    assert choice.held_back.gain == pytest.approx(0.6)
    bench.known[two] = counts_of(many + many)
    assert not choose_by_band(bench, halves, bench.known, one, Gamma()).wins


def test_comparison_with_itself_is_no_win() -> None:
    same = counts_of([3, 8, 5]).by_class()
    found = compare_strategies(same, same, Precision(10))
    assert not found.wins and not found.loses
    assert (found.gain, found.gain_interval, found.wins) == (0, (0, 0), False)


def test_unusable_measure_and_missing_optuna_are_reported(
    seen: tuple[Survey, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    halves = split(seen[0].matched, 0)
    with pytest.raises(EngineError, match="nothing to tune by"):
        search_best(Workbench(*seen), halves, Search(Orthogonality()), SilentProgress())
    monkeypatch.setattr(module, "find_spec", lambda _: None)
    with pytest.raises(EngineError, match=r"pip install 'pagekin\[evaluation\]'"):
        search_best(Workbench(*seen), halves, Search(Gamma()), SilentProgress())


def test_tune_command_writes_a_strategy_that_index_accepts(
    capfd: pytest.CaptureFixture[str], seen: tuple[Survey, Path], tmp_path: Path
) -> None:
    crawl = seen[1] / "sample.warc.gz"
    words = (crawl, "--directory", DIRECTORY, "--trials", "6", "--measure", "P@10")
    ran = run(capfd, "tune", *words, "-o", tmp_path / "best.toml")
    assert ran.code == 0, ran.err
    assert "P@10 where it was tuned" in ran.out
    assert "on classes held back; seed 0, 6 trials" in (tmp_path / "best.toml").read_text()
    ran = run(capfd, "index", crawl, "-o", tmp_path / "index", "--strategy", tmp_path / "best.toml")
    assert ran.code == 0
    assert pagekin.open(tmp_path / "index").strategy == Strategy.load(tmp_path / "best.toml")
    assert {path.name for path in tmp_path.iterdir()} >= {"best.toml", "index"}
    assert not [*tmp_path.glob(".tune-*")]


def test_bad_arguments_are_reported(
    capfd: pytest.CaptureFixture[str], seen: tuple[Survey, Path], tmp_path: Path
) -> None:
    words = (seen[1] / "sample.warc.gz", "--directory", DIRECTORY, "-o")
    for more, said in (
        ((tmp_path / "x.toml", "--measure", "gama"), "measure = 'gama' is not possible"),
        ((tmp_path / "no" / "x.toml",), "the strategy cannot be written"),
        ((tmp_path / "x.toml", "--trials", "0"), "not a whole number of at least 1"),
    ):
        ran = run(capfd, "tune", *words, *more)
        assert (ran.code, ran.out) == (2, "")
        assert said in ran.err


@pytest.mark.parametrize(
    ("interval", "said"),
    [
        ((0.01, 0.05), "better than the default"),
        ((-0.01, 0.05), "no sure gain over the default"),
        ((-0.05, -0.01), "worse than the default: keep that"),
    ],
)
def test_verdict_compares_with_the_default(interval: tuple[float, float], said: str) -> None:
    assert verdict(StrategyComparison(0.6, (0.5, 0.7), sum(interval) / 2, interval)) == said
