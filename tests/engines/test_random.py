"""Random small crawls, built in random ways, against the reference."""

import tempfile
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

import pagekin
from pagekin.strategy import Frequency, Kinds, Mix, Strategy, Template, Window, Words
from pagekin.work.settings import Settings
from tests.crawls import write_warc
from tests.parity import assert_same
from tests.reference import Capture, parse, tables

WindowKind = Literal["basic", "syntactic", "topical"]
URLS = [f"http://{host}.example/{path}" for host in "ab" for path in ("", "one", "two")]
NEVER_FETCHED = "http://c.example/only-linked-to"
# Words that share a stem, stop words, other scripts, and whatever cuts a window or an anchor.
PIECES = [
    *("garden", "gardens", "gardening", "rose", "roses", "lightning", "the", "of", "and"),
    *("été", "Сад", "花园", "x", "Rose's", "end. <br>", "<br>", "<br><br>", "<p>", "</p>"),
    *("<h2>", "</h2>", "<ul><li>", "<li>", "</ul>", "<table><tr><td>", "<td>", "</table>", "</a>"),
    "<img alt='a picture of roses'>",
]
LINKS = some.sampled_from([*URLS, NEVER_FETCHED, "one#part", "./two", "", "mailto:me@a.example"])
PIECE = some.sampled_from(PIECES) | LINKS.map(lambda url: f"<a href='{url}'>")
BODIES = some.builds(
    lambda title, pieces: (f"<title>{title}</title>" + " ".join(pieces)).encode(),
    some.sampled_from(["", "Roses", "The garden of roses", "Gardens &amp; lightning"]),
    some.lists(PIECE, max_size=40),
)
CAPTURES = some.builds(
    Capture,
    some.sampled_from([*URLS, "HTTP://A.example:80/one#top"]),
    BODIES,
    some.just("utf-8"),
    some.sampled_from([None, 0, 1_000_000_000, 1_000_000_001]),
)
KINDS = (
    some.tuples(*[some.sampled_from([0.0, 0.25, 1.0, 3.0])] * 3)
    .filter(any)
    .map(lambda weights: Kinds(*weights))
)
WORDS = some.sampled_from(
    [Words(), Words("nostem"), Words("stopstem"), Words(stop_words="none"), Words(stemmer="french")]
)
FREQUENCIES = some.sampled_from(
    [Frequency("none"), Frequency("log"), Frequency("sqrt"), Frequency("nmdf", 0.4, 0.3)]
)


@some.composite
def random_strategies(draw: some.DrawFn) -> Strategy:
    kinds = draw(KINDS)
    kinds_of_window: list[WindowKind] = ["basic", "syntactic", "topical"]
    distance = kinds.anchor > 0 and draw(some.booleans())
    size = draw(some.sampled_from([0, 1, 3, 32]))
    window = Window(draw(some.sampled_from(kinds_of_window)), size, distance)
    strategy = Strategy(kinds, window, draw(WORDS), draw(FREQUENCIES), Mix(draw(some.booleans())))
    return replace(strategy, template=Template(draw(some.sampled_from([0, 2, 3]))))


@dataclass(frozen=True)
class Cut(Settings):
    """Settings that cut a build as finely as a large crawl would be cut."""

    run: int = 4 << 20
    bits: int = 3

    @property
    def run_bytes(self) -> int:
        return self.run

    def partition_bits(self, source_bytes: int, max_bits: int = 12, finest: int = 0) -> int:
        del source_bytes, max_bits, finest
        return self.bits


CUTS = some.builds(
    Cut,
    threads=some.integers(1, 3),
    shard_urls=some.sampled_from([1, 3, 1 << 20]),
    run=some.sampled_from([1, 1000, 1 << 20]),
    bits=some.sampled_from([0, 1, 3, 6]),
)


CRAWLS = some.lists(some.lists(CAPTURES, max_size=6), min_size=1)


@settings(max_examples=20)
@given(CRAWLS, random_strategies(), CUTS)
def test_tables_of_a_random_crawl_match_the_reference(
    files: list[list[Capture]], strategy: Strategy, cut: Cut
) -> None:
    check(files, strategy, cut)


@pytest.mark.slow
@settings(max_examples=300)
@given(CRAWLS, random_strategies(), CUTS)
def test_tables_of_many_random_crawls_match_the_reference(
    files: list[list[Capture]], strategy: Strategy, cut: Cut
) -> None:
    check(files, strategy, cut)


def check(files: list[list[Capture]], strategy: Strategy, cut: Cut) -> None:
    with tempfile.TemporaryDirectory() as folder:
        paths, captures = [], []
        # One page at the least: a crawl without any is an error.
        for number, file in enumerate([[Capture(URLS[0], b"<p>here")], *files]):
            path = Path(folder) / f"{number}.warc.gz"
            captures += write_warc(path, file)
            paths += [path] if file else []
        pages = [page for page in map(parse, captures) if page]
        index = Path(folder) / "index"
        summary = pagekin.build(paths, index, strategy=strategy, settings=cut)
        expected = tables(pages, strategy)
        assert_same(index, expected)
        assert summary.superseded == len(pages) - len(expected.pages)
