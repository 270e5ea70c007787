"""The table of captures, compared with warcio, and the choice among captures of a URL."""

import base64
import gzip
import hashlib
import io
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from warcio.archiveiterator import ArchiveIterator

import pagekin
from pagekin.errors import InputError, NotCaptured, UnknownPage
from tests.archives import http, members, page, record
from tests.crawls import rows

HOME = "http://a.example/"
FIRST, SECOND = "2020-01-02T03:04:05Z", "2021-05-06T07:08:09Z"


def digest(name: str) -> dict[str, str]:
    return {"WARC_Payload_Digest": f"sha1:{name}"}


RECORDS = [
    page("a", "the first text", **digest("ONE")),
    page("a", "the second <a href='http://never.example/'>never fetched</a>", WARC_Date=SECOND),
    record(b"", "http://a.example/", "revisit", WARC_Date="2022-01-01T00:00:00Z", **digest("ONE")),
    record(http(b"gone", status="404 Not Found"), "http://a.example/gone"),
    record(http(b"", "Location: /", status="302 Found"), "http://a.example/moved"),
    record(http(b"\x89PNG", kind="image/png"), "http://a.example/i.png"),
    record(b"a resource", "http://a.example/r", "resource", Content_Type="text/plain"),
    record(b"not of the web", "dns:a.example", "resource"),
    record(http(b"<p>undated"), "http://a.example/undated", WARC_Date=""),
    record(b"GET / HTTP/1.1\r\n\r\n", "http://a.example/", "request"),
]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> pagekin.Index:
    folder = tmp_path_factory.mktemp("captures")
    (folder / "crawl.warc.gz").write_bytes(members(*RECORDS))
    pagekin.build(folder / "crawl.warc.gz", folder / "index")
    return pagekin.open(folder / "index")


def test_every_capture_is_listed(built: pagekin.Index) -> None:
    listed = {(row["url"], row["kind"], row["status"]) for row in rows(built.path, "captures")}
    assert listed == {
        (HOME, "response", 200),
        (HOME, "revisit", None),
        (f"{HOME}gone", "response", 404),
        (f"{HOME}moved", "redirect", 302),
        (f"{HOME}i.png", "response", 200),
        (f"{HOME}r", "resource", None),
        (f"{HOME}undated", "response", 200),
    }
    built.check()


def test_captures_are_in_order_of_their_dates(built: pagekin.Index) -> None:
    found = built.captures(HOME)
    dates = [(each.date, each.kind, each.indexed) for each in found]
    assert dates == [
        (FIRST, "response", False),
        (SECOND, "response", True),
        ("2022-01-01T00:00:00Z", "revisit", False),
    ]
    assert found.to_arrow().num_rows == 3


@pytest.mark.parametrize("name", ["gone", "moved", "i.png", "r", "undated"])
def test_url_that_is_no_page_has_captures(built: pagekin.Index, name: str) -> None:
    assert len(built.captures(f"{HOME}{name}")) == 1


def test_url_that_was_only_linked_to_has_none(built: pagekin.Index) -> None:
    assert len(built.captures("http://never.example/")) == 0
    with pytest.raises(NotCaptured):
        built.capture("http://never.example/")
    for ask in (built.captures, built.capture):
        with pytest.raises(UnknownPage):
            ask("http://unknown.example/")


@pytest.mark.parametrize(
    ("date", "expected"),
    [
        (None, SECOND),
        ("2019", FIRST),
        ("2020", FIRST),
        ("2020-01-02T03:04:05Z", FIRST),
        ("20200102030405", FIRST),
        ("2020-06", FIRST),
        ("2021-01", SECOND),
        ("2021", SECOND),
        ("2030", "2022-01-01T00:00:00Z"),
    ],
)
def test_capture_nearest_to_a_date_is_chosen(
    built: pagekin.Index, date: str | None, expected: str
) -> None:
    assert built.capture(HOME, date).capture.date == expected


@pytest.mark.parametrize("date", ["yesterday", "", "2020-13", "20201332", "²⁰²⁰"])
def test_wrong_date_is_refused(built: pagekin.Index, date: str) -> None:
    with pytest.raises(InputError, match="is not a date"):
        built.capture(HOME, date)


def test_undated_capture_is_the_last_choice(built: pagekin.Index) -> None:
    assert built.capture(f"{HOME}undated", "2020").capture.date is None


@pytest.mark.parametrize("compressed", [True, False])
def test_places_and_digests_are_those_of_warcio(tmp_path: Path, compressed: bool) -> None:
    stored = members(*RECORDS) if compressed else b"".join(RECORDS)
    (tmp_path / "crawl.warc").write_bytes(stored)
    pagekin.build(tmp_path / "crawl.warc", tmp_path / "index")
    found = {row["offset"]: row for row in rows(tmp_path / "index", "captures")}
    iterator = ArchiveIterator(io.BytesIO(stored))
    seen = 0
    for each in iterator:
        offset = iterator.get_record_offset()
        length = iterator.get_record_length()
        url = each.rec_headers.get_header("WARC-Target-URI") or ""
        if each.rec_type == "request" or not url.startswith("http"):
            assert offset not in found
            continue
        seen += 1
        assert found[offset]["url"] == url
        assert found[offset]["length"] == length
        named = each.rec_headers.get_header("WARC-Payload-Digest")
        assert named is None or found[offset]["digest"] == named
    assert seen == len(found) == 8


def test_computed_digest_is_that_of_other_tools(built: pagekin.Index) -> None:
    (found,) = built.captures(f"{HOME}gone")
    expected = base64.b32encode(hashlib.sha1(b"gone").digest()).decode()
    assert found.digest == f"sha1:{expected}"


def test_file_compressed_as_a_whole_has_no_lengths(tmp_path: Path) -> None:
    for times in (1, 2000):
        (tmp_path / "whole.warc.gz").write_bytes(gzip.compress(b"".join(RECORDS * times), 1))
        pagekin.build(tmp_path / "whole.warc.gz", tmp_path / "index")
        assert {row["length"] for row in rows(tmp_path / "index", "captures")} == {None}


@settings(max_examples=5)
@given(st.permutations(range(4)))
def test_order_of_sources_does_not_matter(
    tmp_path_factory: pytest.TempPathFactory, order: list[int]
) -> None:
    folder = tmp_path_factory.mktemp("order")
    paths = [folder / f"{number}.warc.gz" for number in range(4)]
    for number, path in enumerate(paths):
        path.write_bytes(members(*RECORDS[number::4]))
    tables = []
    for name, chosen in (("one", paths), ("other", [paths[at] for at in order])):
        pagekin.build(chosen, folder / name)
        (table,) = (folder / name).glob("tables-*/captures-00000.arrow")
        tables.append(table.read_bytes())
    assert tables[0] == tables[1]
