"""`--json` of commands that write files or serve: one document, and nothing else."""

import json
import subprocess
from pathlib import Path

import pytest

import pagekin
from tests.archives import command, run


def test_precompute_tells_rows_and_file(
    index: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "answers.parquet"
    told = json.loads(run(capfd, "precompute", index, "-o", file, "-k", "2", "--json").out)
    assert told["file"] == str(file) and told["rows"] > 100


def test_export_tells_what_it_wrote(
    index: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    told = json.loads(run(capfd, "export", index, "-o", tmp_path, "--json").out)
    assert told["data"] is None
    assert told["site"] == {"pages": told["site"]["pages"], "demo": str(tmp_path / "demo.html")}


def test_serve_tells_its_address(index: Path) -> None:
    words = command("serve", index, "--port", "0", "--json")
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as child:
        line = child.stdout.readline() if child.stdout else b""
        child.terminate()
    assert json.loads(line)["address"].startswith("http://127.0.0.1:")


def test_an_audit_without_findings_has_no_json_lines(
    index: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    site = "www.hedgerow.example"
    found = pagekin.open(index).audit(site).findings
    ran = run(capfd, "audit", index, "--site", site, "--format", "jsonl")
    assert len(ran.out.splitlines()) == len(found)
