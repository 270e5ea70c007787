"""Damaged indexes, and output that cannot be printed unchanged."""

import json
import random
from pathlib import Path

import pytest

import pagekin
from tests.archives import http, record, run, spawn

Capture = pytest.CaptureFixture[str]
GOOD = "http://good.example/"


@pytest.fixture
def built(tmp_path: Path, one_page: Path) -> Path:
    pagekin.build(one_page, tmp_path / "built")
    return tmp_path / "built"


@pytest.mark.parametrize(
    ("url", "code", "said"),
    [
        ("http://unknown.example/", 1, "no page or link of the crawl has this URL; ask for"),
        ("not a url", 2, "not a url: not a valid URL; give an http or https URL"),
        ("", 2, "not a valid URL"),
        ("\udcff", 2, "not a valid URL"),
        ("http://a.example/" + "x" * (1 << 20), 2, "not a valid URL"),
    ],
)
def test_show_reports_unknown_and_invalid_urls(
    capfd: Capture, built: Path, url: str, code: int, said: str
) -> None:
    ran = run(capfd, "show", built, url)
    assert (ran.code, ran.out) == (code, "")
    assert said in ran.last


@pytest.mark.parametrize("terms", ["0", "-1", "x"])
def test_show_rejects_bad_number_of_terms(capfd: Capture, built: Path, terms: str) -> None:
    ran = run(capfd, "show", built, GOOD, "--terms", terms)
    assert ran.code == 2
    assert "--terms" in ran.last


@pytest.mark.parametrize(
    ("place", "said"),
    [
        ("none", "no such folder"),
        ("crawl.warc", "is a file, but an index is a folder"),
        (".", "contains no index"),
    ],
)
def test_show_reports_a_missing_index(
    capfd: Capture, tmp_path: Path, one_page: Path, place: str, said: str
) -> None:
    assert one_page.exists()
    ran = run(capfd, "show", tmp_path / place, GOOD)
    assert ran.code == 2
    assert f"{tmp_path / place}: {said}; build an index with pagekin index" in ran.last


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b"\xff\x00garbage", "the manifest cannot be read"),
        (b"", "the manifest cannot be read"),
        (b"[" * 100_000, "the manifest cannot be read"),
        (b"null", "a field of the manifest is missing"),
        (b"{}", "a field of the manifest is missing"),
    ],
)
def test_show_reports_a_manifest_that_is_not_json(
    capfd: Capture, built: Path, text: bytes, said: str
) -> None:
    (built / "manifest.json").write_bytes(text)
    ran = run(capfd, "show", built, GOOD)
    assert ran.code == 2
    assert f"{built}/manifest.json: {said}" in ran.last
    assert ran.last.endswith("build the index again")


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("format", 99, "index format 99, expected 7; build the index again, or use the version"),
        ("folder", "../elsewhere", "a field of the manifest is"),
        ("folder", 5, "a field of the manifest is"),
        ("files", [], "a field of the manifest is"),
        ("files", {"../pages-00000.arrow": {"bytes": 1, "xxh3": ""}}, "a field of the manifest is"),
        ("files", {"pages-00000.arrow": None}, "a field of the manifest is"),
        ("shards", "one", "a field of the manifest is"),
        ("news", 1, "a field of the manifest is"),
    ],
)
def test_show_reports_a_manifest_with_wrong_fields(
    capfd: Capture, built: Path, field: str, value: object, said: str
) -> None:
    raw = json.loads((built / "manifest.json").read_text()) | {field: value}
    (built / "manifest.json").write_text(json.dumps(raw))
    ran = run(capfd, "show", built, GOOD)
    assert ran.code == 2
    assert said in ran.last


@pytest.mark.parametrize("table", ["pages", "bags", "lexicon", "links"])
@pytest.mark.parametrize("harm", ["missing", "cut", "empty", "zeroed", "swapped"])
def test_show_reports_a_damaged_table(capfd: Capture, built: Path, table: str, harm: str) -> None:
    folder = built / pagekin.open(built).reader.manifest.folder
    path = folder / f"{table}-00000.arrow"
    content = path.read_bytes()
    if harm == "missing":
        path.unlink()
    else:
        other = (folder / "texts-00000.arrow").read_bytes()
        size = len(content)
        path.write_bytes(
            {"cut": content[:-9], "empty": b"", "zeroed": bytes(size), "swapped": other}[harm]
        )
    ran = run(capfd, "show", built, GOOD)
    assert ran.code == 2
    assert f"{path}: the table " in ran.last
    assert ran.last.endswith("build the index again")


@pytest.mark.parametrize("table", ["pages", "bags", "lexicon"])
def test_show_reports_flipped_bytes(built: Path, table: str) -> None:
    path = built / pagekin.open(built).reader.manifest.folder / f"{table}-00000.arrow"
    content = bytearray(path.read_bytes())
    flips = random.Random(table)
    for _ in range(30):
        content[flips.randrange(len(content))] ^= 0xFF
    path.write_bytes(content)
    ran = spawn("show", built, GOOD)
    assert ran.code == 2
    assert ran.last.endswith("build the index again")


def test_control_characters_of_a_title_are_not_printed(capfd: Capture, tmp_path: Path) -> None:
    (tmp_path / "x.warc").write_bytes(record(http(b"<title>red \x1b[31m \xc2\x9b</title>words")))
    pagekin.build(tmp_path / "x.warc", tmp_path / "index")
    ran = run(capfd, "show", tmp_path / "index", "http://a.example/")
    assert ran.out.startswith("red ")
    assert "\x1b" not in ran.out and "\x9b" not in ran.out


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
def test_unwritable_standard_output_is_reported(built: Path) -> None:
    with Path("/dev/full").open("wb") as full:
        ran = spawn("show", built, GOOD, stdout=full.fileno())
    assert ran.code == 2
    assert ran.last == (
        "pagekin: standard output cannot be written ([Errno 28] No space left on device); "
        "fix the cause and try again"
    )


def test_characters_outside_the_output_encoding_are_escaped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "x.warc").write_bytes(record(http("<title>庭</title>".encode())))
    pagekin.build(tmp_path / "x.warc", tmp_path / "index")
    monkeypatch.setenv("PYTHONIOENCODING", "ascii")
    ran = spawn("show", tmp_path / "index", "http://a.example/")
    assert (ran.code, ran.out.splitlines()[0]) == (0, "\\u5ead")
