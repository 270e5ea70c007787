"""`pagekin capture`, `show --captures` and `--replay`: what is printed, and exit codes."""

import json
from pathlib import Path

import pytest

import pagekin
from tests.archives import http, members, page, record, run, spawn

HOME = "http://a.example/"
TEMPLATE = "https://web.archive.org/web/{timestamp}/{url}"
LINK = f"https://web.archive.org/web/20200102030405/{HOME}"
ESCAPE = "\x1b[2J"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("capture")
    hostile = record(http(f"<p>bytes {ESCAPE}".encode(), f"X: {ESCAPE}"), "http://odd.example/")
    lost = record(b"", "http://lost.example/", "revisit", WARC_Payload_Digest="sha1:NONE")
    linking = page("a", f"<a href='http://never.example/'>never</a> shared words {ESCAPE}")
    records = (linking, page("b", "shared words"), hostile, lost)
    (folder / "a.warc.gz").write_bytes(members(*records))
    pagekin.build(folder / "a.warc.gz", folder / "index")
    return folder / "index"


def test_body_is_printed_as_bytes(built: Path) -> None:
    ran = spawn("capture", built, "http://odd.example/")
    assert (ran.code, ran.out, ran.err) == (0, f"<p>bytes {ESCAPE}", "")


def test_headers_have_no_control_characters(built: Path, capfd: pytest.CaptureFixture[str]) -> None:
    ran = run(capfd, "capture", built, "http://odd.example/", "--headers")
    assert ran.out.splitlines() == [
        "HTTP/1.1 200 OK",
        "Content-Type: text/html; charset=utf-8",
        "X: �[2J",
    ]


def test_json_has_metadata_and_text(built: Path, capfd: pytest.CaptureFixture[str]) -> None:
    ran = run(capfd, "capture", built, HOME, "--json", "--replay", TEMPLATE)
    found = json.loads(ran.out)
    assert (found["url"], found["status"], found["kind"]) == (HOME, 200, "response")
    assert found["date"] == "2020-01-02T03:04:05Z"
    assert found["replay"] == LINK
    assert found["text"].startswith("<title>a</title>")
    assert found["headers"] == [["Content-Type", "text/html; charset=utf-8"]]


@pytest.mark.parametrize(
    ("url", "code", "said"),
    [
        ("http://unknown.example/", 1, "no page or link of the crawl"),
        ("http://never.example/", 1, "was linked to, and not crawled"),
        ("http://lost.example/", 1, "the body is that of another capture"),
        ("no url", 2, "not a valid URL"),
    ],
)
def test_missing_response_is_an_error(
    built: Path, capfd: pytest.CaptureFixture[str], url: str, code: int, said: str
) -> None:
    ran = run(capfd, "capture", built, url)
    assert (ran.code, ran.out) == (code, "")
    assert said in ran.last


def test_wrong_date_and_template_are_refused(
    built: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    ran = run(capfd, "capture", built, HOME, "--date", "soon")
    assert ran.code == 2 and "'soon' is not a date such as 2024" in ran.last
    for command, asked in (("related", HOME), ("search", "words"), ("show", HOME)):
        ran = run(capfd, command, built, asked, "--replay", "https://a.example/{uri}")
        assert ran.code == 2
        assert "{uri} is unknown" in ran.last and TEMPLATE in ran.last


def test_captures_are_shown_with_their_places(
    built: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    ran = run(capfd, "show", built, HOME, "--captures")
    place = f"{built.parent / 'a.warc.gz'} at 0  (indexed)"
    line = f"2020-01-02T03:04:05Z  200  response  text/html  {place}"
    assert ran.out.splitlines()[-1] == line
    found = json.loads(run(capfd, "show", built, HOME, "--captures", "--json").out)
    assert [each["indexed"] for each in found["captures"]] == [True]
    none = run(capfd, "show", built, "http://never.example/", "--captures")
    assert none.out.splitlines()[-1].startswith("no capture")


def test_hits_have_date_and_replay_link(built: Path, capfd: pytest.CaptureFixture[str]) -> None:
    for command, asked in (("related", "http://b.example/"), ("search", "shared")):
        for template, link in (([], None), (["--replay", TEMPLATE], LINK)):
            found = json.loads(run(capfd, command, built, asked, "--json", *template).out)
            hit = next(hit for hit in found["hits"] if hit["url"] == HOME)
            assert (hit["date"], hit["replay"]) == ("2020-01-02T03:04:05Z", link)
    shown = json.loads(run(capfd, "show", built, HOME, "--json", "--replay", TEMPLATE).out)
    assert shown["replay"] == LINK


def test_moved_archive_is_an_error(built: Path, capfd: pytest.CaptureFixture[str]) -> None:
    archive = built.parent / "a.warc.gz"
    moved = built.parent / "elsewhere"
    moved.mkdir()
    archive.rename(moved / archive.name)
    try:
        ran = run(capfd, "capture", built, HOME)
        assert ran.code == 2
        assert f"{archive}: cannot be found; if it moved, name its folder" in ran.last
        ran = run(capfd, "capture", built, HOME, "--source-root", moved)
        assert ran.code == 0 and ran.out.startswith("<title>a</title>")
    finally:
        (moved / archive.name).rename(archive)


def test_as_of_leaves_out_later_captures(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    dates = ["2019-12-31T23:59:59Z", "2020-12-31T23:59:59Z", "2021-01-01T00:00:00Z", "3021", ""]
    texts = [f"of {date or 'no date'}" for date in dates]
    records = [page("a", text, WARC_Date=date) for text, date in zip(texts, dates, strict=True)]
    revisit = record(b"", HOME, "revisit", WARC_Date="2022-01-01T00:00:00Z")
    (tmp_path / "a.warc.gz").write_bytes(members(*records, revisit))
    ran = run(capfd, "index", tmp_path / "a.warc.gz", "-o", tmp_path / "index", "--as-of", "2020")
    assert ran.code == 0 and "3 fetched later" in ran.out
    index = pagekin.open(tmp_path / "index")
    assert b"of 2020" in index.capture(HOME).body
    assert [(each.date or "none")[:4] for each in index.captures(HOME)] == ["none", "2019", "2020"]
    ran = run(capfd, "index", tmp_path / "a.warc.gz", "-o", tmp_path / "index", "--as-of", "soon")
    assert ran.code == 2 and "'soon' is not a date" in ran.last


def test_dump_writes_cdxj_and_says_what_it_leaves_out(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.warc.gz").write_bytes(members(page("b"), page("a"), page("c", WARC_Date="")))
    pagekin.build(tmp_path / "a.warc.gz", tmp_path / "index")
    words = "dump", tmp_path / "index", "captures", "--format", "cdxj", "-o"
    ran = run(capfd, *words, tmp_path / "out.cdxj")
    assert ran.out == f"2 captures in {tmp_path / 'out.cdxj'}; left out: 1 without a date\n"
    told = json.loads(run(capfd, *words, tmp_path / "out.cdxj", "--json").out)
    file = str(tmp_path / "out.cdxj")
    assert told == {"captures": 2, "left_out": {"without a date": 1}, "file": file}
    lines = (tmp_path / "out.cdxj").read_text().splitlines()
    assert [line[:26] for line in lines] == [
        "example,a)/ 20200102030405",
        "example,b)/ 20200102030405",
    ]
    assert json.loads(lines[1][27:])["filename"] == "a.warc.gz"
    ran = run(capfd, *words, tmp_path)
    assert ran.code == 2 and "it is a folder" in ran.last
