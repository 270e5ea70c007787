"""Tuning: reproducible, unbiased, and never worse than its start on the tuned half."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import pagekin
from pagekin.cli.judged_text import verdict
from pagekin.errors import DirectoryError, EngineError
from pagekin.evaluation.counts import Counts, PooledCounts
from pagekin.evaluation.measures import Gamma, Orthogonality, Precision, measure
from pagekin.evaluation.selection import search as module
from pagekin.evaluation.selection.page_store import Survey, parse_pages, survey
from pagekin.evaluation.selection.search import Search, SearchCrawl, SearchResult, search_best
from pagekin.evaluation.selection.space import as_parameters, weights, whole
from pagekin.evaluation.selection.trials import (
    StrategyComparison,
    Workbench,
    choose_by_band,
    compare_strategies,
    count_by_band,
)
from pagekin.evaluation.truths.matching import Coverage, MatchedPages, split, split_folds
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


def test_each_class_is_held_back_in_one_fold() -> None:
    classes = [("x", str(number)) for number in range(7)] + [("y", str(n)) for n in range(5)]
    matched = matched_of(classes, [(page, page % 12) for page in range(60)])
    folds = split_folds(matched, 3, 5)
    assert sorted(path for fold in folds for path in fold.held_back.classes) == sorted(classes)
    for fold in folds:
        assert len(fold.held_back.classes) == 4
        assert not {*fold.tuning.classes} & {*fold.held_back.classes}
        assert {path[0] for path in fold.held_back.classes} == {"x", "y"}
    with pytest.raises(DirectoryError, match="12 classes are too few to be split in 7 folds"):
        split_folds(matched, 7, 5)


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


@pytest.mark.parametrize("name", presets())
def test_presets_are_in_the_search_space(name: str) -> None:
    strategy = presets()[name]
    assert whole(FixedTrial(as_parameters(strategy))) == strategy
    link = 0.5 if strategy.needs.content or strategy.needs.anchor else 1.0
    linked = replace(strategy, kinds=replace(strategy.kinds, link=link))
    assert whole(FixedTrial(as_parameters(linked))) == linked
    assert weights(FixedTrial(as_parameters(linked)), linked) == linked


@pytest.mark.parametrize("weight", ["none", "log", "sqrt"])
def test_search_space_has_every_frequency_weight_without_content(weight: str) -> None:
    strategy = Strategy.from_tables(
        {"kinds": {"content": 0, "link": 0.3}, "frequency": {"weight": weight}}
    )
    assert whole(FixedTrial(as_parameters(strategy))) == strategy


def searched(bench: Workbench, search: Search) -> SearchResult:
    crawl = SearchCrawl(bench, search.split(bench.survey.matched))
    return search_best([crawl], search, SilentProgress())


def test_search_is_repeatable_and_not_worse_than_its_start(
    seen: tuple[Survey, Path],
) -> None:
    found, folder = seen
    halves = split(found.matched, 3)
    search = Search(Gamma(), trials=12, seed=3)
    results = []
    for _ in range(2):
        with Workbench(found, folder, 2) as bench:
            crawl = SearchCrawl(bench, (halves,))
            results.append(search_best([crawl], search, SilentProgress()))
    assert results[0] == results[1]
    assert results[0].trials >= len(presets())
    with Workbench(found, folder, 1) as bench:
        begun = bench.counts(presets()[DEFAULT], halves.tuning).all().measure(Gamma())[0]
        assert results[0].tuned_on >= begun
        held = bench.counts(results[0].best, halves.held_back).all().measure(Gamma())[0]
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
    pairs = np.zeros((len(rights), 4, 3))
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
    bench = FixedWorkbench(*seen)
    bench.known = {one: counts_of(few + many), two: counts_of(many + few)}
    tried = {strategy: [counts] for strategy, counts in bench.known.items()}
    choice = choose_by_band([part], tried, one, Gamma())
    assert (choice["0-3"], choice["4-15"], choice["16+"]) == (one, one, two)

    def gain() -> StrategyComparison:
        banded = count_by_band(bench, part, choice)
        return compare_strategies([banded], [bench.known[one].by_class()], Gamma())

    assert gain().wins
    assert gain().gain == pytest.approx(0.6)
    bench.known[two] = counts_of(many + many)
    assert not gain().wins


def test_comparison_with_itself_is_no_win() -> None:
    same = counts_of([3, 8, 5]).by_class()
    found = compare_strategies([same, same], [same, same], Precision(10))
    assert not found.wins and not found.loses
    assert (found.gain, found.gain_interval, found.wins) == (0, (0, 0), False)


def test_crawls_count_the_same() -> None:
    good, bad, even = (counts_of(rights).by_class() for rights in ([9, 9], [5] * 9, [5, 5]))
    found = compare_strategies([good, bad], [even, bad], Gamma())
    assert found.value == pytest.approx((0.8 + 0) / 2)
    assert found.gain == pytest.approx(0.4)
    assert found.gain_interval == pytest.approx((0.4, 0.4))


def test_folds_judge_every_class_and_two_equal_crawls_like_one(seen: tuple[Survey, Path]) -> None:
    found, folder = seen
    search = Search(measure("sibling=2,P@5=1"), trials=10, seed=1, folds=2)
    with Workbench(found, folder, 2, search.ks) as bench:
        one = searched(bench, search)
        crawl = SearchCrawl(bench, search.split(found.matched))
        two = search_best([crawl, crawl], search, SilentProgress())
    classes = [path for fold in one.folds[0] for path in fold.held_back.classes]
    assert sorted(classes) == sorted(found.matched.classes)
    assert two.held_back.value == pytest.approx(sum(held.value for held in two.by_crawl) / 2)
    assert two.by_crawl[0] == two.by_crawl[1]
    assert one.by_crawl == (one.held_back,)


def test_default_is_handed_out_if_the_best_is_worse_on_classes_held_back(
    seen: tuple[Survey, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    found, folder = seen
    # The opposite of the measure: the search likes what is bad.
    monkeypatch.setattr(module._Trials, "best", property(lambda _: presets()["paper-worst"]))
    with Workbench(found, folder, 2) as bench:
        result = searched(bench, Search(trials=1))
    assert result.best == presets()["paper-worst"]
    assert result.held_back.gain < 0
    assert result.strategy == presets()[DEFAULT]


def test_unusable_measure_and_missing_optuna_are_reported(
    seen: tuple[Survey, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(EngineError, match="nothing to tune by"):
        searched(Workbench(*seen), Search(Orthogonality()))
    monkeypatch.setattr(module, "find_spec", lambda _: None)
    with pytest.raises(EngineError, match=r"pip install 'pagekin\[evaluation\]'"):
        searched(Workbench(*seen), Search(Gamma()))


def test_tune_command_writes_a_strategy_that_index_accepts(
    capfd: pytest.CaptureFixture[str], seen: tuple[Survey, Path], tmp_path: Path
) -> None:
    crawl = seen[1] / "sample.warc.gz"
    words = (crawl, "--directory", DIRECTORY, "--trials", "6", "--measure", "P@10")
    ran = run(capfd, "tune", *words, "-o", tmp_path / "best.toml")
    assert ran.code == 0, ran.err
    assert "P@10 where it was tuned" in ran.out
    assert "on classes held back; " in (tmp_path / "best.toml").read_text()
    ran = run(capfd, "index", crawl, "-o", tmp_path / "index", "--strategy", tmp_path / "best.toml")
    assert ran.code == 0
    assert pagekin.open(tmp_path / "index").strategy == Strategy.load(tmp_path / "best.toml")
    assert {path.name for path in tmp_path.iterdir()} >= {"best.toml", "index"}
    assert not [*tmp_path.glob(".tune-*")]


def test_tune_command_takes_several_crawls(
    capfd: pytest.CaptureFixture[str], seen: tuple[Survey, Path], tmp_path: Path
) -> None:
    crawl = seen[1] / "sample.warc.gz"
    words = (crawl, "--directory", DIRECTORY, "--trials", "1", "--measure", "whole=1,P@5=3")
    more = ("--crawl", crawl, DIRECTORY, "--folds", "2")
    ran = run(capfd, "tune", *words, *more, "-o", tmp_path / "best.toml")
    assert ran.code == 0, ran.err
    assert ran.out.count("tuned and judged in 2 folds") == 2
    told = json.loads(run(capfd, "tune", *words, *more, "-o", tmp_path / "2.toml", "--json").out)
    assert told["written"][0] == str(tmp_path / "2.toml") and told["trials"] > 0
    assert told["measure"] == "whole-gamma=1,P@5=3" and len(told["by_crawl"]) == 2
    assert told["strategy"] == Strategy.load(tmp_path / "best.toml").as_dict()
    assert told["held_back"]["interval"][0] <= told["held_back"]["value"]
    assert "whole-gamma=1,P@5=3 where it was tuned" in ran.out
    assert "  crawl 2: " in ran.out


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
        ((-0.05, -0.01), "worse than the default"),
    ],
)
def test_verdict_compares_with_the_default(interval: tuple[float, float], said: str) -> None:
    assert verdict(StrategyComparison(0.6, (0.5, 0.7), sum(interval) / 2, interval)) == said
