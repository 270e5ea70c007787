"""Replay links and CDXJ against a real pywb: the page comes back."""

import json
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

import pagekin
from tests.archives import http, members, record

COMMANDS = Path(sys.prefix) / "pywb" / "bin"
pytestmark = pytest.mark.skipif(
    not (COMMANDS / "pywb").exists(), reason="pywb is not installed: make pywb"
)
PATIENCE = 60.0
HOME = "http://www.a.example/"
ODD = "http://www.a.example/Path/?b=2&a=1&q=%C3%A9"
OTHERS = [
    f"http://h{number}.example/a/{'x' * number}.html?b={number}&A={number % 3}"
    for number in range(40)
]


def capture(url: str, text: str, date: str = "2020-01-02T03:04:05Z", **fields: str) -> bytes:
    own = " ".join(f"{text.replace(' ', '')}x{number}" for number in range(30))
    body = f"<title>{text}</title><p>{text} with shared words for all</p><p>{own}".encode()
    return record(http(body), url, WARC_Date=date, **fields)


REVISIT = {
    "WARC_Profile": "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest",
    "WARC_Payload_Digest": "sha1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
    "WARC_Date": "2022-01-01T00:00:00Z",
    "WARC_Refers_To_Target_URI": HOME,
    "WARC_Refers_To_Date": "2020-01-02T03:04:05Z",
}
RECORDS = [
    capture(HOME, "first", WARC_Payload_Digest=REVISIT["WARC_Payload_Digest"]),
    capture(HOME, "second", "2021-05-06T07:08:09Z"),
    record(http(b""), HOME, "revisit", **REVISIT),
    capture(ODD, "odd"),
    *(capture(url, f"number {number}") for number, url in enumerate(OTHERS)),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An index, and two collections of pywb: one indexed by pywb, one by our CDXJ."""
    folder = tmp_path_factory.mktemp("pywb")
    archive = folder / "crawl.warc.gz"
    archive.write_bytes(members(*RECORDS))
    pagekin.build(archive, folder / "index")
    for name in ("theirs", "ours"):
        _run("wb-manager", "init", name, cwd=folder)
    _run("wb-manager", "add", "theirs", str(archive), cwd=folder)
    collection = folder / "collections" / "ours"
    shutil.copy(archive, collection / "archive")
    pagekin.open(folder / "index").write_cdxj(collection / "indexes" / "index.cdxj")
    return folder


@pytest.fixture(scope="module")
def served(folder: Path) -> Iterator[str]:
    """The address of pywb."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    words = [str(COMMANDS / "pywb"), "--port", str(port), "--bind", "127.0.0.1"]
    with (folder / "pywb.log").open("wb") as log:
        child = subprocess.Popen(words, cwd=folder, stdout=log, stderr=log)
    try:
        _wait_for(f"http://127.0.0.1:{port}/")
        yield f"http://127.0.0.1:{port}"
    finally:
        child.terminate()
        child.wait(PATIENCE)


def _run(name: str, *words: str, cwd: Path) -> str:
    command = [str(COMMANDS / name), *words]
    ran = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def _wait_for(address: str) -> None:
    end = time.monotonic() + PATIENCE
    while True:
        try:
            httpx.get(address)
        except httpx.TransportError:
            assert time.monotonic() < end, "pywb did not start"
            time.sleep(0.2)
        else:
            return


@pytest.mark.parametrize("collection", ["theirs", "ours"])
def test_replay_links_open_the_page(folder: Path, served: str, collection: str) -> None:
    index = pagekin.open(folder / "index", replay=f"{served}/{collection}/{{timestamp}}mp_/{{url}}")
    hits = index.related(OTHERS[0], k=50).hits
    assert {HOME, ODD} <= {hit.url for hit in hits}
    for hit in [*hits[:5], *(hit for hit in hits if hit.url in (HOME, ODD))]:
        assert hit.replay is not None
        answer = httpx.get(hit.replay)
        assert answer.status_code == 200, hit.replay
        assert f"<p>{hit.title} with shared words" in answer.text


@pytest.mark.parametrize("collection", ["theirs", "ours"])
def test_every_capture_is_replayed(folder: Path, served: str, collection: str) -> None:
    index = pagekin.open(folder / "index", replay=f"{served}/{collection}/{{timestamp}}mp_/{{url}}")
    for each, text in zip(index.captures(HOME), ("first", "second", "first"), strict=True):
        assert each.replay is not None
        assert f"<p>{text} with" in httpx.get(each.replay).text
        assert f"<p>{text} with".encode() in index.capture(HOME, each.date).body


def test_cdxj_is_that_of_pywb(folder: Path) -> None:
    ours = (folder / "collections" / "ours" / "indexes" / "index.cdxj").read_text()
    theirs = _run("cdx-indexer", "-j", "-s", str(folder / "crawl.warc.gz"), cwd=folder)
    assert _lines(ours) == _lines(theirs)
    assert ours.splitlines() == sorted(ours.splitlines())


def _lines(text: str) -> list[tuple[str, dict[str, str]]]:
    """Key and fields of each line. pywb gives no status of a revisit."""
    found = []
    for line in text.splitlines():
        key, _, fields = line.partition(" {")
        known = json.loads("{" + fields)
        if known["mime"] == "warc/revisit":
            known.pop("status", None)
        found.append((key, known))
    return found
