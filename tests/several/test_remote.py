"""Indexes at an address: S3, and HTTP with range requests, through the cache of tables."""

import os
import shutil
import threading
from collections.abc import Iterator
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

import pagekin
from pagekin.crawl import remote
from pagekin.errors import IndexCorrupt, IndexFault, InputError, NotAnIndex
from pagekin.index import Manifest
from pagekin.index.remote import TableCache
from tests.archives import members, page, run
from tests.several.parts import Cut, plain
from tests.storage import bucket, storage

__all__ = ["bucket", "storage"]

ROSE = "http://rose.example/"


class FileServer:
    """A server of a folder that answers range requests, and breaks off what `torn` names."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.torn: set[str] = set()
        self.asked: list[str] = []
        self.ranges = 0
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                server.answer(self)

            def log_message(self, *_: object) -> None:
                pass

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._http.serve_forever)
        self._thread.start()
        self.address = f"http://127.0.0.1:{self._http.server_port}"

    def answer(self, to: BaseHTTPRequestHandler) -> None:
        path = self.folder / to.path.lstrip("/")
        self.asked.append(path.name)
        if not path.is_file():
            to.send_error(HTTPStatus.NOT_FOUND)
            return
        content, status = path.read_bytes(), HTTPStatus.OK
        if (wanted := to.headers.get("Range")) is not None:
            self.ranges += 1
            content = content[int(wanted.removeprefix("bytes=").rstrip("-")) :]
            status = HTTPStatus.PARTIAL_CONTENT
        to.send_response(status)
        to.send_header("Content-Length", str(len(content)))
        to.end_headers()
        if path.name in self.torn:
            self.torn.remove(path.name)
            content = content[: len(content) // 2]
        to.wfile.write(content)

    def stop(self) -> None:
        self._http.shutdown()
        self._thread.join()
        self._http.server_close()


@pytest.fixture
def served(tmp_path: Path) -> Iterator[FileServer]:
    (tmp_path / "served").mkdir()
    server = FileServer(tmp_path / "served")
    yield server
    server.stop()


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PAGEKIN_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def rose(folder: Path, text: str, name: str = "index") -> Path:
    """An index of a page about roses."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "rose.warc.gz").write_bytes(members(page("rose", text), page("tree", text)))
    pagekin.build(folder / "rose.warc.gz", folder / name)
    return folder / name


def text_at(address: str) -> str:
    return pagekin.open(address).text(ROSE).text


def test_index_on_a_web_server_answers_like_a_local_one(content: Cut, served: FileServer) -> None:
    for part in content.parts[:2]:
        shutil.copytree(part, served.folder / part.name)
    addresses = [f"{served.address}/{part.name}" for part in content.parts[:2]]
    here, there = pagekin.open(content.parts[:2]), pagekin.open(addresses)
    for words in ("garden", "roses"):
        assert plain(there.search(words)) == plain(here.search(words))
    there.check()
    served.asked.clear()
    assert plain(pagekin.open(addresses[0]).search("garden")) == plain(
        pagekin.open(content.parts[0]).search("garden")
    )
    assert served.asked == ["manifest.json"]


def test_index_on_s3_answers_like_a_local_one(
    content: Cut, bucket: str, capfd: pytest.CaptureFixture[str]
) -> None:
    part = content.parts[0]
    for path in part.rglob("*"):
        if path.is_file():
            remote.upload(path, f"{bucket}/index/{path.relative_to(part)}")
    there = pagekin.open(f"{bucket}/index/")
    assert plain(there.search("garden")) == plain(pagekin.open(part).search("garden"))
    assert run(capfd, "search", f"{bucket}/index", "garden").code == 0
    ran = run(capfd, "search", f"{bucket}/nowhere", "garden")
    assert (ran.code, f"{bucket}/nowhere" in ran.last) == (2, True)


def test_broken_transfer_goes_on_where_it_stopped(served: FileServer) -> None:
    index = rose(served.folder, "roses need sun")
    tables = sorted(path.name for path in (index / Manifest.read(index).folder).iterdir())
    served.torn |= {"manifest.json", *tables[:3]}
    assert "sun" in text_at(f"{served.address}/index")
    assert served.ranges == 4
    assert not served.torn


def test_what_is_open_stays_readable_while_a_new_one_is_published(served: FileServer) -> None:
    rose(served.folder, "roses need sun")
    address = f"{served.address}/index"
    before = pagekin.open(address)
    rose(served.folder, "roses need water")
    assert "water" in text_at(address)
    assert "sun" in before.text(ROSE).text
    before.check()
    assert before.related(ROSE).hits


def test_index_that_is_replaced_while_it_is_fetched_is_fetched_again(
    served: FileServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old, new = rose(tmp_path / "old", "roses need sun"), rose(tmp_path / "new", "roses need water")
    shutil.copytree(old, served.folder / "index")
    answer = served.answer

    def replacing(to: BaseHTTPRequestHandler) -> None:
        answer(to)
        if to.path.endswith("manifest.json") and served.asked.count("manifest.json") == 1:
            shutil.rmtree(served.folder / "index")
            shutil.copytree(new, served.folder / "index")

    monkeypatch.setattr(served, "answer", replacing)
    assert "water" in text_at(f"{served.address}/index")


def test_damage_on_the_server_is_found_and_leaves_nothing(served: FileServer, cache: Path) -> None:
    index = rose(served.folder, "roses need sun")
    (file,) = (index / Manifest.read(index).folder).glob("bags-*")
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 1
    file.write_bytes(content)
    with pytest.raises(IndexCorrupt, match="checksum") as raised:
        pagekin.open(f"{served.address}/index")
    assert raised.value.path.startswith(served.address)
    file.write_bytes(content[:-1])
    with pytest.raises(IndexFault, match="another size"):
        pagekin.open(f"{served.address}/index")
    assert not [path for path in cache.rglob("*") if path.is_file()]


def test_cache_is_bounded_and_evicts_what_was_used_first(
    served: FileServer, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes = []
    for name in ("one", "two", "three"):
        index = rose(served.folder, f"roses need sun {name}", name)
        sizes.append(sum(path.stat().st_size for path in index.rglob("*") if path.is_file()))
    most = sizes[0] + sizes[1] + sizes[2] // 2
    monkeypatch.setenv("PAGEKIN_CACHE_SIZE", str(most))
    addresses = [f"{served.address}/{name}" for name in ("one", "two", "three")]
    first = pagekin.open(addresses[0])
    for number, address in enumerate(addresses):
        pagekin.open(address)
        for place in cache.glob("*/*"):
            os.utime(place, (number + 1, number + 1)) if place.stat().st_mtime > 10 else None
    assert sum(path.stat().st_size for path in cache.rglob("*") if path.is_file()) <= most
    kept = {place.parent.name.rpartition("%2F")[2] for place in cache.glob("*/*")}
    assert kept == {"two", "three"}
    assert "one" in first.text(ROSE).text
    monkeypatch.setenv("PAGEKIN_CACHE_SIZE", "1000")
    with pytest.raises(IndexFault, match="PAGEKIN_CACHE_SIZE"):
        pagekin.open(addresses[0])


def test_strange_addresses_are_refused(served: FileServer) -> None:
    with pytest.raises(NotAnIndex, match="404"):
        pagekin.open(f"{served.address}/nowhere")
    with pytest.raises(InputError, match="secret"):
        pagekin.open("https://somebody:password@archive.example/index")
    (served.folder / "index").mkdir()
    (served.folder / "index" / "manifest.json").write_text("{}")
    with pytest.raises(IndexCorrupt) as raised:
        pagekin.open(f"{served.address}/index")
    assert raised.value.path == f"{served.address}/index"
    (served.folder / "index" / "manifest.json").write_text(" " * (17 << 20))
    with pytest.raises(IndexFault, match="more than"):
        pagekin.open(f"{served.address}/index")


def test_long_addresses_have_short_folders(tmp_path: Path, served: FileServer) -> None:
    rose(served.folder / ("x" * 200), "roses need sun")
    cache = TableCache(tmp_path / "other", 1 << 30)
    place = cache.copy_of(f"{served.address}/{'x' * 200}/index")
    assert len(place.parent.name) == 64
