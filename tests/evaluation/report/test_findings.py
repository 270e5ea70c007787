"""The paper's claims and statements, and the verdicts on them."""

from pathlib import Path

import numpy as np
import pytest

import pagekin
from pagekin.evaluation.measures import Gamma, Orthogonality
from pagekin.evaluation.report import report
from pagekin.evaluation.report.claims import (
    Claim,
    JudgedClaim,
    claims,
    findings,
    orthogonality_claims,
)
from pagekin.evaluation.report.figures import anchor, content, links
from pagekin.evaluation.report.statements import agreement, statements, window_gaps
from pagekin.evaluation.report.windows import window_sizes
from pagekin.evaluation.selection import Contender, Grid, Sweep
from pagekin.evaluation.selection.sweep import GridJudge
from pagekin.strategy import Strategy, Window
from pagekin.work.progress import SilentProgress
from tests.crawls import rows
from tests.evaluation.report.made import result

DIRECTORY = Path(pagekin.__file__).parent / "sample" / "directory.tsv"


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


def test_claims_of_the_paper_are_in_its_grid() -> None:
    known = {each.key for each in Grid.load("paper").contenders}
    every = [*claims(), *orthogonality_claims()]
    assert len([*claims()]) == 30
    assert len(every) == 38
    assert all({claim.better.key, claim.worse.key} <= known for claim in every)
    assert len({claim.sentence for claim in every}) == len(every)


def test_interval_that_touches_zero_cannot_tell() -> None:
    claim = Claim("x", Contender(None, "a"), Contender(None, "b"))
    assert JudgedClaim(claim, 0.1, 0.0, 0.2).verdict == "cannot tell"
    assert JudgedClaim(claim, -0.1, -0.2, 0.0).verdict == "cannot tell"


@pytest.mark.parametrize(
    ("low", "high", "verdict"),
    [
        (-0.04, 0.03, "holds"),
        (0.06, 0.09, "does not hold"),
        (-0.2, -0.06, "does not hold"),
        (-0.01, 0.08, "cannot tell"),
    ],
)
def test_equality_is_judged_by_a_margin(low: float, high: float, verdict: str) -> None:
    claim = Claim("x", Contender(None, "a"), Contender(None, "b"), equal=True)
    assert JudgedClaim(claim, (low + high) / 2, low, high).verdict == verdict


def test_agreement_counts_pairs_of_strategies_that_every_gamma_orders_alike() -> None:
    results = [result([right] * 3, Contender(Strategy(), str(right))) for right in (1, 2, 3)]
    for place, each in enumerate(results):
        each.classes.pairs[:, 1] = each.classes.pairs[:, 0]
        # Unrelated pairs like the third strategy least.
        each.classes.pairs[:, 2] = results[(0, 1, 0)[place]].classes.pairs[:, 0]
    # First and second agree; second and third do not; first and third are tied by one.
    assert agreement(results) == pytest.approx(2 / 3)
    assert np.isnan(agreement(results[:1]))


def test_fewer_orthogonal_pairs_are_better() -> None:
    claim = next(orthogonality_claims())
    few, many = result([5] * 4, claim.better), result([5] * 4, claim.worse)
    few.classes.orthogonal[:] = 0.25
    many.classes.orthogonal[:] = 0.75
    known = {claim.better.key: few, claim.worse.key: many}
    (found,) = findings(known, Orthogonality(), orthogonality_claims())
    assert found.difference == pytest.approx(0.5)
    assert found.verdict == "holds"


def test_statements_have_verdicts() -> None:
    """Links of which most pairs are orthogonal, and Γ that disagree on one pair of strategies."""
    linked, other = links(), content()
    results = {linked.key: result([2, 3, 2], linked), other.key: result([7, 8, 7], other)}
    results[linked.key].classes.orthogonal[:] = [0.8, 0.9, 0.7]
    for each in results.values():
        each.classes.pairs[:, 1] = each.classes.pairs[:, 0]
        each.classes.pairs[:, 2] = each.classes.pairs[:, 0][:, [1, 0, 2]]
    assert {told.sentence: told.verdict for told in statements(results, Gamma())} == {
        "the three partial Γ order strategies alike, with very few exceptions": "does not hold",
        "by links, most pairs of a class have no term in common": "holds",
        "by content, most pairs of a class have no term in common": "does not hold",
    }


def test_stemming_that_varies_more_by_class_is_noticed() -> None:
    near = Window()
    stem, stopstem, nostem = (anchor(near, "nmdf", name) for name in ("stem", "stopstem", "nostem"))
    results = {
        stem.key: result([9, 3, 9, 3], stem),
        stopstem.key: result([5, 5, 5, 5], stopstem),
        nostem.key: result([4, 4, 4, 4], nostem),
    }
    told = {each.sentence: each.verdict for each in statements(results, Gamma())}
    assert told["what stemming gains over stopping by stem varies more than what that gains"] == (
        "holds"
    )


def test_average_windows_are_those_of_the_links(crawl: Path, tmp_path: Path) -> None:
    grid = "[[product]]\nkinds = { content = 0 }\nwindow = { distance = false, %s }\n" * 2
    windows = "kind = ['syntactic', 'topical']", "size = [0, 32]"
    toml = (grid % windows) + "[product.frequency]\nweight = 'none'\n"
    toml = toml.replace("}\n[[product]]", "}\nfrequency = { weight = 'none' }\n[[product]]")
    swept = GridJudge(tmp_path / "sweep", pagekin.Settings(threads=2), SilentProgress()).judge(
        [pagekin.Source(str(crawl))], pagekin.Directory.read(DIRECTORY), Grid.from_toml(toml)
    )
    sizes = {
        size.name: size
        for size in window_sizes(swept, {each.contender.key: each for each in swept.results})
    }
    assert [*sizes] == ["W = 0", "W = 32", "syntactic", "topical"]
    assert (sizes["W = 0"].before, sizes["W = 0"].after) == (0, 0)
    strategy = sizes["syntactic"].result.contender.strategy
    pagekin.build(crawl, tmp_path / "index", strategy=strategy)
    links_of = rows(tmp_path / "index", "links")
    assert sizes["syntactic"].links == len(links_of)
    expected = sum(link["first"] - link["from"] for link in links_of) / len(links_of)
    assert sizes["syntactic"].before == pytest.approx(expected)
    assert sizes["syntactic"].before < sizes["topical"].before <= sizes["W = 32"].before
    assert "Average sizes of windows" in report.write_report(swept).read_text()


def test_gap_of_windows_is_measured_within_bands(swept: Sweep) -> None:
    assert window_gaps({each.contender.key: each for each in swept.results}, Gamma()) == []
    keys = [claim for claim in claims() if claim.sentence == "topical windows beat syntactic ones"]
    syntactic = keys[0].worse
    (basic,) = {
        claim.better
        for claim in claims()
        if claim.sentence == "windows of 32 words beat topical ones"
    }
    known = {basic.key: result([9] * 5, basic), syntactic.key: result([7, 7, 8, 8, 9], syntactic)}
    gaps = window_gaps(known, Gamma())
    assert [gap.basic - gap.syntactic for gap in gaps] == pytest.approx([0.4, 0.4, 0.2, 0.2, 0])
