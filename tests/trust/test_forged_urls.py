"""Two URLs with one 64-bit hash, found by Pollard's rho: neither passes for the other.

Whatever the order and memory, the URL that was captured first stays; the other is left out and
told.
"""

import itertools
from pathlib import Path

import pytest

import pagekin
from pagekin import _core
from pagekin.errors import UnknownPage
from pagekin.strategy import Strategy
from pagekin.work.settings import Settings
from tests.archives import run
from tests.crawls import manifest, write_warc
from tests.reference import Capture

VICTIM = "http://victim.example/ijenjnajckabhfdj"
FORGED = "http://forged.example/jeibdombidkdpifh"
OTHER = "http://other.example/"
DAY = 86_400

HONEST = Capture(VICTIM, b"<title>Honest</title><p>apples and pears from the orchard", date=DAY)
FORGERY = Capture(FORGED, b"<title>Forgery</title><p>casino casino casino", date=2 * DAY)
FAR_APART = "<p>nothing of interest stands between</p>" * 50
LINKS = Capture(
    OTHER,
    f"<a href='{VICTIM}'>the orchard</a>{FAR_APART}<a href='{FORGED}'>the casino</a>".encode(),
    date=3 * DAY,
)


def test_hashes_of_the_two_urls_are_equal() -> None:
    assert _core.canonical(VICTIM) == VICTIM
    assert _core.canonical(FORGED) == FORGED
    assert _core.url_id(VICTIM) == _core.url_id(FORGED)


def build(folder: Path, captures: list[Capture], threads: int = 1) -> pagekin.Index:
    files = []
    for number, capture in enumerate(captures):
        files.append(folder / f"{number}.warc.gz")
        write_warc(files[-1], [capture])
    pagekin.build(files, folder / "index", strategy=Strategy(), settings=Settings(threads=threads))
    return pagekin.Index(folder / "index")


@pytest.mark.parametrize("order", [*itertools.permutations(range(3))])
def test_page_that_was_there_first_stays(order: tuple[int, ...], tmp_path: Path) -> None:
    captures = [[HONEST, FORGERY, LINKS][place] for place in order]
    index = build(tmp_path, captures, threads=1 + order[0])
    assert index.show(VICTIM).title == "Honest"
    assert [link.url for link in index.show(VICTIM).linked_from] == [OTHER]
    assert "casino" not in {term.term for term in index.show(VICTIM).terms}
    with pytest.raises(UnknownPage):
        index.show(FORGED)
    with pytest.raises(UnknownPage):
        index.related(FORGED)
    index.check()


def test_every_way_to_build_gives_the_same_bytes(tmp_path: Path) -> None:
    ways = [Settings(threads=1), Settings(threads=2), Settings(memory=1_000_000)]
    files = []
    for number, capture in enumerate([FORGERY, LINKS, HONEST]):
        files.append(tmp_path / f"{number}.warc.gz")
        write_warc(files[-1], [capture])
    built = []
    for number, way in enumerate(ways):
        target = tmp_path / f"index{number}"
        sources = files if number else files[::-1]
        pagekin.build(sources, target, strategy=Strategy(), settings=way)
        built.append(manifest(target))
    assert built[0] == built[1] == built[2]


def test_urls_that_were_only_linked_to_are_not_mixed(tmp_path: Path) -> None:
    index = build(tmp_path, [LINKS])
    # Of two that were not crawled the first in the alphabet stays.
    assert {term.term for term in index.show(FORGED).terms} >= {"casino"}
    assert "orchard" not in {term.term for term in index.show(FORGED).terms}
    with pytest.raises(UnknownPage):
        index.show(VICTIM)


def test_urls_left_out_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_warc(tmp_path / "a.warc.gz", [HONEST, FORGERY, LINKS])
    ran = run(capsys, "index", tmp_path / "a.warc.gz", "-o", tmp_path / "index")
    assert ran.code == 0
    assert "\n1 URL left out: the hash is that of another URL\n" in ran.out
