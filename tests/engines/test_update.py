"""Random sequences of add, remove, compact and merge against fresh builds of the same captures."""

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

import pagekin
from pagekin.index import Manifest
from pagekin.strategy import Kinds, Strategy, Template
from pagekin.work.settings import Settings
from tests.archives import http, record
from tests.engines.test_random import CUTS, PIECES, Cut

ADDRESSES = [
    *("http://a.example/one", "https://a.example/one/", "http://www.a.example/one/index.html"),
    *("http://a.example/two", "http://b.example/", "http://b.example/three"),
]
STRATEGY = Strategy(Kinds(content=1.0, anchor=1.0, link=1.0), template=Template(2))
LONG_TITLE = "long titles are cut but their words count " * 40 + "pelican"


@dataclass(frozen=True)
class Fetched:
    """A record of a crawl: a page, or a redirect to a variant of its URL."""

    url: str
    date: str
    body: bytes | None
    gone: bool = False

    def record(self) -> bytes:
        """The record; of what is gone one of another type, as long, so that offsets stay."""
        fields = {"WARC_Date": self.date, "kind": "metadata" if self.gone else "response"}
        if self.body is None:
            status = "301 Moved Permanently"
            block = http(b"", f"Location: {variant(self.url)}", status=status)
            return record(block, self.url, **fields)
        return record(http(self.body), self.url, **fields)


def variant(url: str) -> str:
    """Another address that differs in the scheme alone."""
    return url.replace("https://", "x://").replace("http://", "https://").replace("x://", "http://")


def body(title: str, canonical: str | None, pieces: Sequence[str], links: Sequence[str]) -> bytes:
    head = f"<link rel=canonical href='{canonical}'>" if canonical else ""
    menu = "<ul><li>all of our<li>gardens</ul>"
    anchors = "".join(f"<p>see <a href='{url}'>that guide</a>" for url in links)
    return f"<title>{title}</title>{head}{menu}{' '.join(pieces)}{anchors}".encode()


BODIES = some.builds(
    body,
    some.sampled_from(["", "Roses", LONG_TITLE]),
    some.sampled_from([None, None, *ADDRESSES]),
    some.lists(some.sampled_from(PIECES), max_size=12),
    some.lists(some.sampled_from([*ADDRESSES, "http://c.example/", "#here"]), max_size=4),
)
# Few bodies, so that addresses have the same one.
FETCHES = some.builds(
    Fetched,
    some.sampled_from(ADDRESSES),
    some.sampled_from([f"200{year}-01-01T00:00:00Z" for year in range(4)]),
    some.sampled_from([body("One", None, [], ADDRESSES[:2]), body("Two", None, ["x"], [])])
    | BODIES
    | some.none(),
)
FEW_CUTS = some.builds(
    Cut,
    threads=some.just(2),
    shard_urls=some.sampled_from([1, 3, 1 << 20]),
    run=some.sampled_from([1, 1 << 20]),
    bits=some.sampled_from([0, 1]),
)
# The index is never empty.
FIRST = Fetched("http://z.example/", "2000-01-01T00:00:00Z", b"<title>Z</title>here and there")
ADD = some.lists(FETCHES, min_size=1, max_size=5)
STEP = ADD | some.sampled_from([*ADDRESSES, "compact", "merge"])


@settings(max_examples=10)
@given(ADD, some.lists(STEP, max_size=4), FEW_CUTS)
def test_updated_index_is_that_of_a_fresh_build(
    first: list[Fetched], steps: list[list[Fetched] | str], cut: Settings
) -> None:
    check(first, steps, cut)


@pytest.mark.slow
@settings(max_examples=200)
@given(ADD, some.lists(STEP, max_size=8), CUTS)
def test_often_updated_index_is_that_of_a_fresh_build(
    first: list[Fetched], steps: list[list[Fetched] | str], cut: Settings
) -> None:
    check(first, steps, cut)


class Crawl:
    """WARC files, and an index that follows what is added to them and removed."""

    def __init__(self, folder: Path, cut: Settings) -> None:
        self.folder = folder
        self.cut = cut
        self.index = folder / "index"
        self.files: list[Path] = []
        self.records: list[list[Fetched]] = []

    def write(self, fetched: list[Fetched]) -> Path:
        path = self.folder / f"{len(self.files)}.warc"
        path.write_bytes(b"".join(one.record() for one in fetched))
        self.files.append(path)
        self.records.append(fetched)
        return path

    def build(self, sources: Sequence[Path], index: Path) -> None:
        pagekin.build(sources, index, strategy=STRATEGY, settings=self.cut)

    def do(self, step: list[Fetched] | str) -> None:
        if isinstance(step, list):
            pagekin.add(self.index, self.write(step), settings=self.cut)
        elif step == "compact":
            assert not pagekin.compact(self.index, settings=self.cut).changed
        elif step == "merge":
            other = self.folder / "other"
            self.build([self.write([FIRST])], other)
            pagekin.merge([self.index, other], self.index, settings=self.cut)
        else:
            self.remove(step)

    def remove(self, url: str) -> None:
        gone = self.addresses(url)
        live = [one.url for fetched in self.records for one in fetched if not one.gone]
        try:
            pagekin.remove(self.index, url, settings=self.cut)
        except pagekin.errors.NeverCaptured as error:
            assert error.urls == [url]
            assert url not in live
            return
        assert gone & {*live}
        for path, fetched in zip(self.files, self.records, strict=True):
            fetched[:] = [replace(one, gone=one.gone or one.url in gone) for one in fetched]
            path.write_bytes(b"".join(one.record() for one in fetched))

    def addresses(self, url: str) -> set[str]:
        """The addresses of the page at a URL, as it is shown."""
        with pagekin.open(self.index) as index:
            place = index.reader.find(url)
            row = place and index.reader.tables["pages"].find(index.reader.searcher.id(place))
        return {row["url"], *row["variants"]} if row and row["crawled"] else {url}

    def check(self) -> None:
        fresh = self.folder / "fresh"
        self.build(self.files, fresh)
        assert Manifest.read(self.index).folder == Manifest.read(fresh).folder


def check(first: list[Fetched], steps: list[list[Fetched] | str], cut: Settings) -> None:
    with tempfile.TemporaryDirectory() as folder:
        crawl = Crawl(Path(folder), cut)
        crawl.build([crawl.write([FIRST, *first])], crawl.index)
        for step in steps:
            crawl.do(step)
            crawl.check()
