"""Records read back from every kind of archive, moved, replaced, damaged and remote."""

import gzip
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pytest

import pagekin
from pagekin import _core
from pagekin.crawl import remote
from pagekin.errors import ArchiveFault, PagekinError
from pagekin.query.captures.read_back import LIMITS, StoredRecord
from pagekin.work.settings import Limits
from tests.archives import FEW_PARTS, http, members, page, record, spawn
from tests.storage import bucket, storage

__all__ = ["bucket", "storage"]

NAMES = [f"p{number}" for number in range(40)]
PAGES = [page(name, f"text of {name} " * 200) for name in NAMES]


def body_of(name: str) -> bytes:
    return f"<title>{name}</title><p>{name} {f'text of {name} ' * 200}</p>".encode()


def arc(*records: bytes) -> bytes:
    """The responses of WARC records as an ARC."""
    version = b"1 0 t\nURL IP-address Archive-date Content-type Archive-length\n"
    parts = [b"filedesc://x.arc 0.0.0.0 20200102030405 text/plain %d\n" % len(version), version]
    for each in records:
        head, _, block = each.partition(b"\r\n\r\n")
        block = block.removesuffix(b"\r\n\r\n")
        url = head.partition(b"WARC-Target-URI: ")[2].partition(b"\r\n")[0]
        parts += [b"\n%s 1.2.3.4 20200102030405 text/html %d\n" % (url, len(block)), block]
    return b"".join(parts)


def zstd(*records: bytes) -> bytes:
    return b"".join(pa.compress(each, codec="zstd", asbytes=True) for each in records)


def wacz(path: Path, stored: bytes, method: int) -> None:
    with zipfile.ZipFile(path, "w", method) as file:
        file.writestr("archive/odd#name.warc.gz", stored)
        file.writestr("pages/pages.jsonl", "{}\n")


FORMATS: dict[str, Callable[[Path], object]] = {
    "members": lambda path: path.write_bytes(members(*PAGES)),
    "whole": lambda path: path.write_bytes(gzip.compress(b"".join(PAGES))),
    "pairs": lambda path: path.write_bytes(
        members(*(one + other for one, other in zip(PAGES[::2], PAGES[1::2], strict=True)))
    ),
    "plain": lambda path: path.write_bytes(b"".join(PAGES)),
    "zstd": lambda path: path.write_bytes(zstd(*PAGES)),
    "arc": lambda path: path.write_bytes(arc(*PAGES)),
    "arc members": lambda path: path.write_bytes(
        gzip.compress(arc()) + members(*(arc(each).partition(b"length\n\n")[2] for each in PAGES))
    ),
    "wacz": lambda path: wacz(path, members(*PAGES), zipfile.ZIP_STORED),
    "deflated wacz": lambda path: wacz(path, members(*PAGES), zipfile.ZIP_DEFLATED),
    "plain in a wacz": lambda path: wacz(path, b"".join(PAGES), zipfile.ZIP_DEFLATED),
}


@pytest.mark.parametrize("kind", FORMATS)
def test_each_page_comes_back(tmp_path: Path, kind: str) -> None:
    FORMATS[kind](tmp_path / "crawl")
    assert pagekin.build(tmp_path / "crawl", tmp_path / "index").pages == len(NAMES)
    index = pagekin.open(tmp_path / "index")
    for name in (NAMES[0], NAMES[17], NAMES[-1]):
        found = index.capture(f"http://{name}.example/")
        assert found.body == body_of(name)
        assert found.text == body_of(name).decode()
        assert found.status_line == "HTTP/1.1 200 OK"
        assert found.headers == [("Content-Type", "text/html; charset=utf-8")]


def test_page_of_a_folder_comes_back(tmp_path: Path) -> None:
    for name in ("index.html", "sub/index.html", "sub/the 100% é?.htm"):
        (tmp_path / "site" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "site" / name).write_text(f"<title>{name}</title><p>some words")
    source = pagekin.Source(str(tmp_path / "site"), "https://d.example/x/")
    pagekin.build(source, tmp_path / "index")
    index = pagekin.open(tmp_path / "index")
    for url in ("", "sub/", "sub/the%20100%25%20%C3%A9%3F.htm"):
        found = index.capture(f"https://d.example/x/{url}")
        assert (found.capture.kind, found.headers) == ("file", [])
        assert b"some words" in found.body


def test_encodings_are_removed(tmp_path: Path) -> None:
    text = "größe".encode("latin-1")
    packed = gzip.compress(text)
    chunked = b"%x\r\n%s\r\n0\r\n\r\n" % (len(packed), packed)
    headers = ("Content-Encoding: gzip", "Transfer-Encoding: chunked")
    block = http(chunked, *headers, kind="text/html; charset=latin-1")
    (tmp_path / "a.warc").write_bytes(record(block))
    pagekin.build(tmp_path / "a.warc", tmp_path / "index")
    found = pagekin.open(tmp_path / "index").capture("http://a.example/")
    assert (found.body, found.text, found.encoded) == (text, "größe", False)


def test_body_that_cannot_be_decoded_is_as_archived(tmp_path: Path) -> None:
    odd = record(http(b"odd bytes", "Content-Encoding: x-odd"), "http://odd.example/")
    (tmp_path / "a.warc").write_bytes(page("a") + odd)
    pagekin.build(tmp_path / "a.warc", tmp_path / "index")
    found = pagekin.open(tmp_path / "index").capture("http://odd.example/")
    assert (found.body, found.text, found.encoded) == (b"odd bytes", None, True)


@pytest.fixture
def moved(tmp_path: Path) -> Path:
    """An index and its archive, built elsewhere and moved here together."""
    there = tmp_path / "there"
    (there / "crawls" / "2020").mkdir(parents=True)
    (there / "crawls" / "2020" / "a.warc.gz").write_bytes(members(*PAGES))
    pagekin.build(there / "crawls" / "2020" / "a.warc.gz", there / "indexes" / "index")
    there.rename(tmp_path / "here")
    return tmp_path / "here"


def test_index_and_archive_can_be_moved_together(moved: Path) -> None:
    found = pagekin.open(moved / "indexes" / "index").capture("http://p1.example/")
    assert found.body == body_of("p1")
    assert Path(found.source) == moved / "crawls" / "2020" / "a.warc.gz"


def test_source_root_says_where_an_archive_is(moved: Path, tmp_path: Path) -> None:
    (moved / "crawls").rename(tmp_path / "elsewhere")
    index = pagekin.open(moved / "indexes" / "index")
    with pytest.raises(ArchiveFault, match=r"a\.warc\.gz: cannot be found; .*--source-root"):
        index.capture("http://p1.example/")
    for root in (tmp_path / "elsewhere", tmp_path / "elsewhere" / "2020", f"{tmp_path}/elsewhere/"):
        assert index.capture("http://p1.example/", source_root=root).body == body_of("p1")


def test_other_file_of_the_same_name_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.warc.gz"
    path.write_bytes(members(*PAGES))
    pagekin.build(path, tmp_path / "index")
    index = pagekin.open(tmp_path / "index")
    place = index.captures("http://p1.example/").captures[0]
    path.write_bytes(members(PAGES[0]))
    with pytest.raises(ArchiveFault, match="has no record there"):
        index.capture("http://p1.example/")
    path.write_bytes(path.read_bytes()[:10] + bytes(place.offset - 10) + members(PAGES[2]))
    with pytest.raises(ArchiveFault, match="another URL"):
        index.capture("http://p1.example/")
    other = page("p1", WARC_Date="2024-01-01T00:00:00Z")
    path.write_bytes(bytes(place.offset) + members(other))
    with pytest.raises(ArchiveFault, match="another date"):
        index.capture("http://p1.example/")


def test_right_file_is_found_among_others_of_its_name(moved: Path) -> None:
    wrong = moved / "indexes" / "a.warc.gz"
    wrong.write_bytes(members(*reversed(PAGES)))
    index = pagekin.open(moved / "indexes" / "index")
    assert index.capture("http://p1.example/").body == body_of("p1")


@pytest.mark.parametrize("kind", ["members", "plain", "zstd", "wacz"])
def test_every_cut_of_a_file_is_told(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "crawl"
    FORMATS[kind](path)
    pagekin.build(path, tmp_path / "index")
    index = pagekin.open(tmp_path / "index")
    (place,) = index.captures("http://p39.example/")
    stored = path.read_bytes()
    for length in (0, 1, place.offset, place.offset + 1, place.offset + (place.length or 0) // 2):
        path.write_bytes(stored[:length])
        with pytest.raises(ArchiveFault):
            index.capture("http://p39.example/")


def test_flipped_bytes_never_give_another_page(tmp_path: Path) -> None:
    path = tmp_path / "crawl"
    path.write_bytes(members(*PAGES))
    pagekin.build(path, tmp_path / "index")
    index = pagekin.open(tmp_path / "index")
    (place,) = index.captures("http://p5.example/")
    stored = path.read_bytes()
    for at in range(place.offset, place.offset + (place.length or 0)):
        damaged = bytearray(stored)
        damaged[at] ^= 0x55
        path.write_bytes(damaged)
        try:
            assert index.capture("http://p5.example/").body == body_of("p5")
        except ArchiveFault:
            continue


@pytest.mark.parametrize(
    "name", ["secret", "secret.html", "sub.html/secret.html", "index.html", "page.html"]
)
def test_only_a_file_with_the_name_of_the_page_is_read(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    path.write_text("a secret")
    stored = StoredRecord(str(path), 0, None, page_url="https://d.example/x/other.html")
    found = _core.read_record(stored, LIMITS)
    assert isinstance(found, _core.SourceFailure)
    assert "name of the page" in found.reason
    for url in ("https://d.example/", "https://d.example/page.html?q"):
        found = _core.read_record(StoredRecord(str(path), 0, None, page_url=url), LIMITS)
        known = {"https://d.example/": "index.html", "https://d.example/page.html?q": "page.html"}
        assert isinstance(found, _core.ArchivedRecord) == (name == known[url])


def test_record_above_the_limit_is_refused(tmp_path: Path) -> None:
    body = gzip.compress(bytes(10 << 20))
    (tmp_path / "a.warc.gz").write_bytes(
        members(record(http(body, "Content-Encoding: gzip"), "http://bomb.example/"))
    )
    for limits in (Limits(100, 100), Limits(1 << 20, 1 << 20)):
        found = _core.read_record(StoredRecord(str(tmp_path / "a.warc.gz"), 0, None), limits)
        assert isinstance(found, _core.SourceFailure)
        assert "too large" in found.reason or "no record" in found.reason


def test_stream_has_no_way_back(tmp_path: Path) -> None:
    stored = members(*PAGES)
    ran = spawn("index", "-", "-o", tmp_path / "index", *FEW_PARTS, stdin=[stored])
    assert ran.code == 0, ran.err
    index = pagekin.open(tmp_path / "index")
    with pytest.raises(ArchiveFault, match="standard input: was read from a stream"):
        index.capture("http://p1.example/")
    (tmp_path / "-").write_bytes(stored)
    assert index.capture("http://p1.example/", source_root=tmp_path).body == body_of("p1")


def test_revisit_has_the_body_of_the_capture_it_refers_to(tmp_path: Path) -> None:
    refers = {
        "WARC_Refers_To_Target_URI": "http://p0.example/",
        "WARC_Refers_To_Date": "2020-01-02T03:04:05Z",
        "WARC_Date": "2021-01-01T00:00:00Z",
    }
    revisit = record(http(b"", "X: again"), "http://p1.example/", "revisit", **refers)
    lost = refers | {"WARC_Refers_To_Target_URI": "http://lost.example/"}
    nowhere = record(http(b""), "http://p2.example/", "revisit", **lost)
    (tmp_path / "a.warc.gz").write_bytes(members(*PAGES[:3], revisit, nowhere))
    pagekin.build(tmp_path / "a.warc.gz", tmp_path / "index")
    index = pagekin.open(tmp_path / "index")
    found = index.capture("http://p1.example/", "2021")
    assert (found.body, found.note) == (body_of("p0"), None)
    assert ("X", "again") in found.headers
    missing = index.capture("http://p2.example/", "2021")
    assert missing.body == b""
    assert missing.note and "http://lost.example/" in missing.note


@pytest.mark.parametrize("kind", ["members", "zstd", "plain"])
def test_record_of_a_remote_file_is_read_alone(tmp_path: Path, bucket: str, kind: str) -> None:
    FORMATS[kind](tmp_path / "crawl")
    uri = f"{bucket}/crawls/crawl"
    remote.upload(tmp_path / "crawl", uri)
    pagekin.build(uri, tmp_path / "index")
    index = pagekin.open(tmp_path / "index")
    for name in (NAMES[0], NAMES[-1]):
        assert index.capture(f"http://{name}.example/").body == body_of(name)
    (tmp_path / "copy").mkdir()
    shutil.copy(tmp_path / "crawl", tmp_path / "copy" / "crawl")
    remote.remove(uri)
    with pytest.raises(PagekinError, match=r"--source-root|cannot be reached"):
        index.capture("http://p1.example/")
    found = index.capture("http://p1.example/", source_root=tmp_path / "copy")
    assert found.body == body_of("p1")


def test_remote_file_compressed_as_a_whole_is_refused(tmp_path: Path, bucket: str) -> None:
    FORMATS["whole"](tmp_path / "crawl")
    remote.upload(tmp_path / "crawl", f"{bucket}/whole")
    pagekin.build(f"{bucket}/whole", tmp_path / "index")
    with pytest.raises(ArchiveFault, match="download the file"):
        pagekin.open(tmp_path / "index").capture("http://p30.example/")
