"""Two sites whose names have one 64-bit hash, found by Pollard's rho: they stay two."""

from pathlib import Path

import pytest

import pagekin
from pagekin import _core
from pagekin.errors import IndexCorrupt
from pagekin.strategy import Strategy
from tests.crawls import rows, write_warc
from tests.index.forging import forge, with_values
from tests.reference import Capture

SITES = ["kphijhcgmphfpbln.example", "afkhnimbopmedhic.example"]


def captures() -> list[Capture]:
    """For each site a home page and two more of the same bytes; the forged one also has a third."""
    found = []
    for site, names in zip(SITES, (("a", "b"), ("a", "b", "c")), strict=True):
        links = "".join(f"<a href='{name}'>the page {name}</a>" for name in names)
        found.append(Capture(f"http://{site}/", f"<title>{site}</title>{links}".encode()))
        pages = (Capture(f"http://{site}/{name}", b"<p>gardens") for name in names)
        found.extend(pages)
    return found


def test_hashes_of_the_two_names_are_equal() -> None:
    assert len({_core.url_id(site) for site in SITES}) == 1


@pytest.fixture
def index(tmp_path: Path) -> Path:
    write_warc(tmp_path / "sites.warc.gz", captures())
    pagekin.build(tmp_path / "sites.warc.gz", tmp_path / "index", strategy=Strategy())
    return tmp_path / "index"


def test_each_has_its_own_pages_and_root(index: Path) -> None:
    found = {row["site"]: row for row in rows(index, "sites")}
    assert [*found] == sorted(SITES)
    assert [found[site]["pages"] for site in SITES] == [3, 4]
    assert [found[site]["root"] for site in SITES] == [
        _core.url_id(f"http://{site}/") for site in SITES
    ]
    opened = pagekin.open(index)
    opened.check()
    for site, pages in zip(SITES, (3, 4), strict=True):
        assert opened.audit(site).pages == pages


def test_page_of_one_is_no_other_address_of_a_page_of_the_other(index: Path) -> None:
    assert not rows(index, "aliases")
    assert len(rows(index, "texts")) == 7


def test_check_finds_pages_given_to_the_other_site(index: Path) -> None:
    def exchange(sites: list[int]) -> None:
        sites[:] = [1 - site for site in sites]

    forge(index, "ranks", with_values("site", exchange))
    with pytest.raises(IndexCorrupt, match="a page has the wrong site"):
        pagekin.open(index).check()
