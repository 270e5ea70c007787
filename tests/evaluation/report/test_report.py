"""The report: self-contained, with findings, and with escaped titles."""

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import pagekin
from pagekin.evaluation.counts import PooledCounts
from pagekin.evaluation.measures import Gamma
from pagekin.evaluation.report import report
from pagekin.evaluation.report.figures import Claim, Finding, claims, findings
from pagekin.evaluation.selection import Contender, Grid, Result, Sweep, difference
from pagekin.evaluation.selection.results import best, rank_results
from pagekin.evaluation.selection.results_table import write_best
from pagekin.evaluation.selection.sweep import GridJudge
from pagekin.strategy import Strategy
from pagekin.work.progress import SilentProgress

DIRECTORY = Path(pagekin.__file__).parent / "sample" / "directory.tsv"
GRID = """
[[product]]
kinds = { content = 0 }
window = { size = [0, 4, 8, 16, 32], distance = [true, false] }
frequency = { weight = ["none", "nmdf"] }
[[product]]
"""


@pytest.fixture(scope="module")
def swept(crawl: Path, tmp_path_factory: pytest.TempPathFactory) -> Sweep:
    folder = tmp_path_factory.mktemp("report")
    found = GridJudge(folder / "sweep", pagekin.Settings(threads=2), SilentProgress()).judge(
        [pagekin.Source(str(crawl))], pagekin.Directory.read(DIRECTORY), Grid.from_toml(GRID)
    )
    found.survey.names.titles[:] = ["<script>alert(1)</script>"] * len(found.survey.names.titles)
    return found


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


def result(rights: list[int], contender: Contender) -> Result:
    """A result whose classes have ten sibling pairs each, of which `rights` are right."""
    pairs = np.zeros((len(rights), 3, 3))
    pairs[:, 0, 0] = rights
    pairs[:, 0, 1] = 10 - np.array(rights)
    ones = np.ones(len(rights))
    pooled = PooledCounts(pairs, ones, ones * 0, {10: ones}, ones)
    return Result(contender, pooled, pooled, 0.0)


def test_verdict_follows_from_the_interval_of_the_difference() -> None:
    claim = next(iter(claims()))
    good = [7, 8, 9, 8, 7, 9, 8, 7, 9, 8]
    bad = [right - 3 for right in good]
    mixed = [right + (1 if place % 2 else -1) for place, right in enumerate(good)]
    for other, verdict in ((bad, "holds"), (mixed, "cannot tell")):
        known = {
            claim.better.key: result(good, claim.better),
            claim.worse.key: result(other, claim.worse),
        }
        (found,) = findings(known, Gamma())
        assert found.verdict == verdict
    known = {
        claim.better.key: result(bad, claim.better),
        claim.worse.key: result(good, claim.worse),
    }
    assert findings(known, Gamma())[0].verdict == "does not hold"


def test_difference_uses_the_same_resamples_for_both() -> None:
    one = result([9, 1, 5, 8, 2], Contender(Strategy(), "jaccard"))
    other = result([8, 0, 4, 7, 1], Contender(Strategy(), "cosine"))
    # Every class is better by one pair of ten, so every resample is better by exactly that.
    found, low, high = difference(one, other, Gamma())
    assert [found, low, high] == pytest.approx([0.2, 0.2, 0.2])


def test_claims_of_the_paper_are_in_its_grid() -> None:
    known = {each.key for each in Grid.load("paper").contenders}
    every = [*claims()]
    assert len(every) == 20
    assert all({claim.better.key, claim.worse.key} <= known for claim in every)
    assert len({claim.sentence for claim in every}) == len(every)


def test_interval_that_touches_zero_cannot_tell() -> None:
    claim = Claim("x", Contender(None, "a"), Contender(None, "b"))
    assert Finding(claim, 0.1, 0.0, 0.2).verdict == "cannot tell"
    assert Finding(claim, -0.1, -0.2, 0.0).verdict == "cannot tell"


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
    write_best(tmp_path, jaccard, Gamma())
    assert Strategy.load(tmp_path / "best.toml") == Strategy()
