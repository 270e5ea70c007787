"""The report: self-contained, with findings, and with escaped titles."""

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import pagekin
from pagekin.evaluation.measures import Gamma
from pagekin.evaluation.report import drawing, html_parts, report
from pagekin.evaluation.report.by_class import class_rows, dominating_class, pair_shares
from pagekin.evaluation.report.figures import FigureData, figures
from pagekin.evaluation.selection import Contender, Sweep, difference
from pagekin.evaluation.selection.results import best, rank_results
from pagekin.evaluation.selection.results_table import ranking, read_report, write_best
from pagekin.evaluation.truths.matching import Coverage, MatchedPages
from pagekin.strategy import DEFAULT, Strategy, presets
from tests.archives import run
from tests.evaluation.report.conftest import GRID
from tests.evaluation.report.made import result

DIRECTORY = Path(pagekin.__file__).parent / "sample" / "directory.tsv"
DEFAULT_CONTENDER = Contender(presets()[DEFAULT], "jaccard")


def test_report_is_self_contained_and_escapes_titles(swept: Sweep) -> None:
    page = report.write_report(swept).read_text()
    assert not re.search(
        r"""(src|href|url)\s*[=(]\s*["']?(https?:|//|[\w./-]+\.(svg|png|css|js))""", page
    )
    assert "<script" not in page
    assert "&lt;script&gt;alert(1)" in page
    for heading in (
        "Figure 2:",
        "Figure 3:",
        "Figure 4:",
        "Figure 6:",
        "Figure 8:",
        "All strategies",
    ):
        assert heading in page
    # Nothing to compare: only one stemming is in the grid.
    assert "Figure 9:" not in page
    names = {path.name for path in (swept.folder / "figures").iterdir()}
    drawn = range(3, 9)
    assert names == {f"figure-{number}.{kind}" for number in drawn for kind in ("svg", "png")}
    assert page.count("<svg") == len(drawn)


def test_table_by_class_has_every_class_and_names_one_that_dominates(swept: Sweep) -> None:
    page = report.write_report(swept).read_text()
    by_class = page[page.index("<h2>By class") :]
    for path in swept.survey.matched.classes:
        assert f"<td>{'/'.join(path)}</td>" in by_class
    assert "dominate" in by_class


def test_dominating_class_has_a_quarter_of_the_pairs() -> None:
    matched = matched_classes(["few", "many"])
    found = result([9, 1], Contender(Strategy(), "jaccard"))
    found.classes.pairs[1] *= 9
    assert pair_shares(found.classes, Gamma()).tolist() == pytest.approx([0.1, 0.9])
    said = dominating_class(found, matched, Gamma())
    assert said == "many dominates with 90% of the pairs; without it Γ is 0.800."
    even = result([9] * 5, Contender(Strategy(), "jaccard"))
    said = dominating_class(even, matched_classes([*"abcde"]), Gamma())
    assert said == "No class dominates: the largest share is 20%, of a."
    rows = [*class_rows([found], matched, Gamma())]
    assert rows == [("many", "1", "90.0%", "-0.800"), ("few", "1", "10.0%", "0.800")]


def matched_classes(names: list[str]) -> MatchedPages:
    numbers = np.arange(len(names))
    return MatchedPages(
        numbers.astype(np.uint64),
        numbers,
        tuple((name,) for name in names),
        numbers,
        numbers,
        Coverage(len(names), 0, 0, 0),
    )


def test_columns_of_numbers_are_right_aligned_with_their_heads() -> None:
    found = html_parts.table(
        ("name", "Γ", "interval", "mixed"),
        [("3D", "-0.100", "-0.200 to 0.100", "1"), ("x", "-", "-", "one")],
    )
    assert '<th>name</th><th class="n">Γ</th><th class="n">interval</th><th>mixed</th>' in found
    assert '<td>3D</td><td class="n">-0.100</td>' in found


def test_negative_bars_are_drawn_with_their_labels_below() -> None:
    contenders = [Contender(Strategy(), "jaccard"), Contender(Strategy(), "cosine")]
    results = [result([1, 2, 1], contenders[0]), result([8, 9, 8], contenders[1])]
    canvas = drawing.bars(FigureData(figures(Gamma())[0], ["bad", "good"], results))
    (axes,) = canvas.axes
    below, above = (text.get_position()[1] for text in axes.texts)
    assert below <= -11 / 15 and above >= 2 / 3
    assert axes.get_ylim()[0] < below


def test_report_without_matplotlib_says_how_to_install_it(
    swept: Sweep, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(report, "can_draw", lambda: False)
    page = report.write_report(swept).read_text()
    assert "<svg" not in page
    assert "pip install &#x27;pagekin[evaluation]&#x27;" in page
    assert "Figure 3:" in page


def test_same_results_give_the_same_report(swept: Sweep) -> None:
    first = report.write_report(swept).read_bytes()
    assert report.write_report(swept).read_bytes() == first


def test_difference_uses_the_same_resamples_for_both() -> None:
    one = result([9, 1, 5, 8, 2], Contender(Strategy(), "jaccard"))
    other = result([8, 0, 4, 7, 1], Contender(Strategy(), "cosine"))
    # Every class is better by one pair of ten, so every resample is better by exactly that.
    found, low, high = difference(one, other, Gamma())
    assert [found, low, high] == pytest.approx([0.2, 0.2, 0.2])


def test_best_is_a_strategy_that_an_index_can_use(tmp_path: Path) -> None:
    cosine = result([9, 9], Contender(Strategy(), "cosine"))
    jaccard = result([8, 8], Contender(Strategy(), "jaccard"))
    baseline = result([9, 8], Contender(None, "cocitation"))
    nothing = replace(
        result([0], Contender(Strategy(), "jaccard")),
        classes=cosine.classes.summed(np.zeros((1, 2))),
    )
    assert best([cosine, baseline, nothing, jaccard], Gamma()) == jaccard
    assert rank_results([nothing, jaccard, cosine], Gamma()) == [cosine, jaccard, nothing]
    assert best([baseline], Gamma()) is None
    equal, worse = (result([right] * 2, DEFAULT_CONTENDER) for right in (8, 7))
    assert best([cosine, jaccard, equal], Gamma()) is equal
    assert best([cosine, jaccard, worse], Gamma()) is jaccard
    write_best(tmp_path, jaccard, Gamma())
    assert Strategy.load(tmp_path / "best.toml") == Strategy()


def test_flat_directory_is_ranked_by_the_nearest_classes_that_it_has(
    capfd: pytest.CaptureFixture[str], crawl: Path, tmp_path: Path
) -> None:
    """At depth 1 no class has a sibling or a cousin."""
    (tmp_path / "grid.toml").write_text(GRID)
    words = ("--directory", DIRECTORY, "--depth", "1", "--grid", tmp_path / "grid.toml")
    ran = run(capfd, "sweep", crawl, *words, "-o", tmp_path / "sweep")
    assert ran.code == 0, ran.err
    said = "No two classes are siblings, so strategies are ranked by unrelated-Γ."
    page = (tmp_path / "sweep" / "report.html").read_text()
    for text in (ran.out, page):
        assert said in text
        assert "nan" not in text.replace("finan", "")
    assert "unrelated-Γ of the best" in page
    found = ranking(read_report(str(tmp_path / "sweep")))
    values = [each.unrelated.strict or 0 for each in found.strategies]
    assert values == sorted(values, reverse=True)
    assert f"unrelated-gamma {values[0]:.3f}" in (found.best or "")
    assert {each.sibling.strict for each in found.strategies} == {None}


def test_command_tells_the_default_and_what_is_left_out(
    capfd: pytest.CaptureFixture[str], crawl: Path, tmp_path: Path
) -> None:
    rows = DIRECTORY.read_text() + "not a URL\tarts/music/theory\nhttp://a.example/\tarts\n"
    (tmp_path / "directory.tsv").write_text(rows)
    (tmp_path / "grid.toml").write_text("[[product]]")
    words = ("--directory", tmp_path / "directory.tsv", "--deep-only")
    ran = run(
        *(capfd, "sweep", crawl, *words, "--grid", tmp_path / "grid.toml"),
        *("-o", tmp_path / "sweep"),
    )
    for said in (
        "Classes are cut at depth 3; pages above it are left out, as in the paper.",
        "Skipped: 1 rows, not a valid URL.",
        "Skipped: 1 rows, above depth 3.",
        "the default",
    ):
        assert said in ran.out
    tuned = run(capfd, "tune", crawl, *words, "--trials", "1", "-o", tmp_path / "best.toml")
    assert "Skipped: 1 rows, above depth 3." in tuned.out
