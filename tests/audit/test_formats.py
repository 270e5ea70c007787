"""Formats keep every finding, and escape what pages say."""

import csv
import io
import json
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from pagekin.audit import Audit, Finding, read_audit, render
from pagekin.errors import InputError

HOSTILE = Finding(
    "missing-link",
    "http://t.example/?a=1&b=<x>",
    "<script>alert(1)</script>",
    "names a page",
    target="http://t.example/`@all`",
    target_title='=HYPERLINK("x")',
    score=0.25,
    words="a <b>, `code` | @all\nnext",
)
AUDIT = Audit("t.example", 2, 1, 0, [HOSTILE], 1.0)


def test_json_reads_back(tmp_path: Path) -> None:
    (tmp_path / "audit.json").write_text(render(AUDIT, "json"), encoding="utf-8")
    assert read_audit(tmp_path / "audit.json") == AUDIT


def test_json_lines_are_findings() -> None:
    both = replace(AUDIT, findings=[HOSTILE, replace(HOSTILE, kind="orphan")])
    lines = render(both, "jsonl").splitlines()
    assert [json.loads(line) for line in lines] == [asdict(each) for each in both.findings]


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"counts": {}, "findings": [1]}', "null"])
def test_other_files_are_not_audits(tmp_path: Path, text: str) -> None:
    (tmp_path / "other.json").write_text(text)
    with pytest.raises(InputError, match="not an audit"):
        read_audit(tmp_path / "other.json")
    with pytest.raises(InputError, match="cannot be read"):
        read_audit(tmp_path / "missing.json")


def test_csv_has_a_row_for_each_finding_and_no_formula() -> None:
    (row,) = csv.DictReader(io.StringIO(render(AUDIT, "csv")))
    assert row["kind"] == "missing-link" and row["words"] == HOSTILE.words
    assert row["target_title"] == '\'=HYPERLINK("x")'


def test_html_and_markdown_escape_what_pages_say() -> None:
    page = render(AUDIT, "html")
    assert "<script>" not in page and "&lt;script&gt;" in page
    assert 'href="http://t.example/?a=1&amp;b=&lt;x&gt;"' in page
    (bullet,) = (line for line in render(AUDIT, "markdown").splitlines() if line.startswith("- "))
    assert bullet.count("`") == 6


def test_sarif_names_the_page() -> None:
    (result,) = json.loads(render(AUDIT, "sarif"))["runs"][0]["results"]
    place = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert place == HOSTILE.url


def test_unknown_format_is_an_error() -> None:
    with pytest.raises(InputError, match="one of text, csv"):
        render(AUDIT, "pdf")
