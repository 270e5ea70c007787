"""`pagekin audit` on the sample crawl: formats, files, exit codes."""

import json
from pathlib import Path

import pytest

import pagekin
from pagekin.audit import render
from tests.archives import run

SITE = "www.hedgerow.example"


def test_text_and_json_have_the_findings_of_python(
    capfd: pytest.CaptureFixture[str], index: Path
) -> None:
    audit = pagekin.open(index).audit(SITE)
    ran = run(capfd, "audit", index, "--site", SITE)
    assert ran.code == 0
    assert ran.out == render(audit, "text")
    told = json.loads(run(capfd, "audit", index, "--site", SITE, "--json").out)
    assert told["counts"] == audit.counts and told["site"] == SITE


def test_fail_on_and_baseline_decide_the_exit_code(
    capfd: pytest.CaptureFixture[str], index: Path, tmp_path: Path
) -> None:
    asked: list[str | Path] = ["audit", index, "--site", SITE, "--min-score", "0"]
    there, absent = "missing-link", "dead-end"
    assert run(capfd, *asked, "--fail-on", there).code == 1
    assert run(capfd, *asked, "--fail-on", absent).code == 0
    old = tmp_path / "old.json"
    assert run(capfd, *asked, "--json", "-o", old).code == 0
    assert run(capfd, *asked, "--fail-on", there, "--baseline", old).code == 0


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--site", "nowhere.example"], "no page of this site was crawled"),
        ([], "name one with --site"),
        (["--site", SITE, "--fail-on", "orphans"], 'did you mean "orphan"'),
        (["--site", SITE, "--baseline", "missing.json"], "cannot be read"),
        (["--site", SITE, "-o", "/nowhere/audit.csv"], "/nowhere"),
        (["--site", SITE, "--per-page", "-1"], "a whole number of at least 0"),
    ],
)
def test_bad_input_is_an_error_with_advice(
    capfd: pytest.CaptureFixture[str], index: Path, words: list[str], told: str
) -> None:
    ran = run(capfd, "audit", index, *words)
    assert ran.code == 2 and told in ran.err and not ran.out
