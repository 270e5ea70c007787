"""Captures over HTTP: listed, given as text that does nothing, linked to a web archive."""

from collections.abc import Iterator
from pathlib import Path

import pytest

import pagekin
from tests.archives import http, members, page, record
from tests.serve.running import Running, error_of

HOME = "http://a.example/"
SCRIPT = b"<script>alert(1)</script>"
LINK = f"https://replay.example/20200102030405/{HOME}"


@pytest.fixture(scope="module")
def archives(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("archives")
    records = [
        record(http(b"<title>a</title><p>shared words " + SCRIPT), HOME),
        page("a", "shared words", WARC_Date="2018-05-06T00:00:00Z"),
        page("b", "shared words"),
        record(http(SCRIPT, kind="image/svg+xml"), "http://a.example/i.svg"),
        record(http(b"\x89PNG", kind="image/png"), "http://a.example/i.png"),
        record(b"", "http://lost.example/", "revisit", WARC_Payload_Digest="sha1:NONE"),
    ]
    (folder / "a.warc.gz").write_bytes(members(*records))
    pagekin.build(folder / "a.warc.gz", folder / "index")
    (folder / "moved").mkdir()
    (folder / "a.warc.gz").rename(folder / "moved" / "a.warc.gz")
    return folder


@pytest.fixture(scope="module")
def serving(archives: Path) -> Iterator[Running]:
    replay = "--replay", "https://replay.example/{timestamp}/{url}"
    root = "--source-root", str(archives / "moved")
    with Running(archives / "index", *replay, *root) as service:
        yield service


@pytest.mark.parametrize("url", [HOME, "http://a.example/i.svg"])
def test_archived_page_is_text_in_a_sandbox(serving: Running, url: str) -> None:
    answer = serving.client.get("/api/capture", params={"url": url})
    assert answer.status_code == 200
    assert SCRIPT in answer.content
    assert answer.headers["content-type"] == "text/plain; charset=utf-8"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "sandbox; default-src 'none'" in answer.headers["content-security-policy"]


def test_other_media_are_files_to_save(serving: Running) -> None:
    answer = serving.client.get("/api/capture", params={"url": "http://a.example/i.png"})
    assert answer.content == b"\x89PNG"
    assert answer.headers["content-type"] == "application/octet-stream"
    assert answer.headers["content-disposition"] == "attachment"


def test_capture_of_a_date_is_given(serving: Running) -> None:
    answer = serving.client.get("/api/capture", params={"url": HOME, "date": "2018"})
    assert answer.text == "<title>a</title><p>a shared words</p>"


@pytest.mark.parametrize(
    ("parameters", "status", "code"),
    [
        ({"url": "http://unknown.example/"}, 404, "unknown_page"),
        ({"url": "http://lost.example/"}, 404, "unknown_page"),
        ({"url": HOME, "date": "soon"}, 422, "bad_parameter"),
        ({"url": "nonsense"}, 400, "malformed_url"),
        ({}, 422, "bad_parameter"),
    ],
)
def test_capture_that_cannot_be_read_is_an_error(
    serving: Running, parameters: dict[str, str], status: int, code: str
) -> None:
    answer = serving.client.get("/api/capture", params=parameters)
    assert error_of(answer) == (status, code)


def test_captures_are_listed_in_parts(serving: Running) -> None:
    first = serving.answer("/api/captures", url=HOME, k=1)
    rest = serving.answer("/api/captures", url=HOME, offset=first["paging"]["next"])
    assert [each["date"][:4] for each in first["captures"] + rest["captures"]] == ["2018", "2020"]
    assert (first["found"], rest["paging"]["next"]) == (2, None)


def test_hits_link_to_the_web_archive(serving: Running) -> None:
    (hit,) = serving.answer("/api/related", url="http://b.example/")["hits"]
    assert (hit["date"], hit["replay"]) == ("2020-01-02T03:04:05Z", LINK)
    shown = serving.client.get("/related", params={"url": "http://b.example/"}).text
    assert f'href="{LINK}"' in shown


def test_card_has_a_calendar(serving: Running) -> None:
    shown = serving.client.get("/related", params={"url": HOME}).text
    assert "2 captures, 2018 to 2020" in shown
    assert shown.count('<th scope="row">20') == 2
    assert "api/capture?url=http%3A%2F%2Fa.example%2F&amp;date=2018-05-06T00%3A00%3A00Z" in shown


def test_path_of_a_lost_archive_is_not_told(archives: Path) -> None:
    with Running(archives / "index") as service:
        answer = service.client.get("/api/capture", params={"url": HOME})
        assert error_of(answer) == (503, "archive_fault")
        assert str(archives) not in answer.text
        assert "a.warc.gz: cannot be found" in service.log
