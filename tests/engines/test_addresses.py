"""One page, one address: what was fetched decides which addresses are one page."""

import gzip
from collections.abc import Iterable
from pathlib import Path

import pytest

import pagekin
from pagekin.crawl import Source
from pagekin.index import check
from pagekin.work.settings import Settings
from tests.crawls import rows, write_warc
from tests.engines.test_random import Cut
from tests.reference import Capture


def page(text: str, *, canonical: str | None = None, links: Iterable[str] = ()) -> bytes:
    head = f"<link rel=canonical href='{canonical}'>" if canonical else ""
    anchors = "".join(f"<p>see <a href='{url}'>the {text} guide</a> here</p>" for url in links)
    return f"<title>{text}</title>{head}<h1>{text}</h1>{anchors}".encode()


def built(folder: Path, pages: dict[str, bytes], settings: Settings | None = None) -> Path:
    captures = [Capture(url, body, None, 0) for url, body in pages.items()]
    write_warc(folder / "crawl.warc.gz", captures)
    pagekin.build(folder / "crawl.warc.gz", folder / "index", settings=settings or Settings())
    with pagekin.open(folder / "index") as index:
        check(index.reader)
    return folder / "index"


def addresses(index: Path) -> dict[str, list[str]]:
    """The crawled pages, each with its other addresses."""
    return {row["url"]: row["variants"] for row in rows(index, "pages") if row["crawled"]}


def alone(pages: Iterable[str]) -> dict[str, list[str]]:
    """Pages without other addresses."""
    return {url: [] for url in pages}


def test_variants_of_the_same_bytes_are_one_page_with_all_their_links(tmp_path: Path) -> None:
    frogs = page("frogs")
    pages = {
        "http://a.example/frogs": frogs,
        "https://a.example/frogs/": frogs,
        "http://www.a.example/frogs/index.html": frogs,
        "http://b.example/1": page("heron", links=["http://a.example/frogs"]),
        "http://b.example/2": page("otter", links=["https://a.example/frogs/"]),
        "http://b.example/3": page("kingfisher", links=["http://www.a.example/frogs/index.html"]),
    }
    index = built(tmp_path, pages)
    assert addresses(index)["https://a.example/frogs/"] == [
        "http://a.example/frogs",
        "http://www.a.example/frogs/index.html",
    ]
    assert len(rows(index, "pages")) == 4
    inlinks = {row["url"]: row["inlinks"] for row in rows(index, "pages")}
    assert inlinks["https://a.example/frogs/"] == 3
    with pagekin.open(index) as opened:
        cards = [opened.show(url) for url in list(pages)[:3]]
        assert {card.url for card in cards} == {"https://a.example/frogs/"}
        assert cards[0].variants == addresses(index)["https://a.example/frogs/"]
        assert {"heron", "otter", "kingfisher"} <= {term.term for term in cards[0].terms}
        hits = [[hit.url for hit in opened.related(url).hits] for url in list(pages)[:3]]
        assert hits[0] == hits[1] == hits[2]


def test_variants_of_other_bytes_stay_apart(tmp_path: Path) -> None:
    pages = {
        "http://a.example/frogs": page("frogs"),
        "http://a.example/frogs/": page("toads"),
        "https://a.example/": page("news", links=["http://a.example/frogs/index.html"]),
    }
    index = built(tmp_path, pages)
    assert addresses(index) == alone(pages)
    urls = [row["url"] for row in rows(index, "pages")]
    assert "http://a.example/frogs/index.html" in urls, "an address that was only linked to"


def test_canonical_address_names_the_page_if_the_bytes_are_the_same(tmp_path: Path) -> None:
    frogs = page("frogs", canonical="https://a.example/frogs")
    pages = {
        "https://a.example/item?id=5": frogs,
        "https://a.example/frogs": frogs,
        "https://a.example/item?id=6": page("toads", canonical="https://a.example/frogs"),
    }
    assert addresses(built(tmp_path, pages)) == {
        "https://a.example/frogs": ["https://a.example/item?id=5"],
        "https://a.example/item?id=6": [],
    }


def test_canonical_address_that_was_not_fetched_is_another_address_of_the_page(
    tmp_path: Path,
) -> None:
    pages = {
        "https://a.example/item?id=5": page("frogs", canonical="/frogs"),
        "https://a.example/": page("news", links=["/frogs"]),
    }
    index = built(tmp_path, pages)
    assert addresses(index)["https://a.example/item?id=5"] == ["https://a.example/frogs"]
    assert len(rows(index, "pages")) == 2
    # Two pages that claim an address have it both or none.
    (tmp_path / "two").mkdir()
    pages["https://a.example/item?id=6"] = page("toads", canonical="/frogs")
    index = built(tmp_path / "two", pages)
    assert set(map(tuple, addresses(index).values())) == {()}
    assert len(rows(index, "pages")) == 4


@pytest.mark.parametrize("is_fetched", [True, False])
def test_page_cannot_claim_an_address_of_another_host(tmp_path: Path, is_fetched: bool) -> None:
    victim = "https://bank.example/"
    pages = {
        "https://evil.example/": page("frogs", canonical=victim),
        "https://news.example/": page("news", links=[victim]),
    }
    if is_fetched:
        pages[victim] = page("frogs", canonical=victim)
    index = built(tmp_path, pages)
    assert addresses(index) == alone(pages)
    assert {row["url"]: row["inlinks"] for row in rows(index, "pages")}[victim] == 1


def test_canonical_links_in_the_text_and_circles_of_them_do_not_count(tmp_path: Path) -> None:
    text = b"<p>hello</p><link rel=canonical href='/b'>"
    pages = {
        "https://a.example/a": text,
        "https://a.example/c": page("frogs", canonical="/d"),
        "https://a.example/d": page("toads", canonical="/e"),
        "https://a.example/e": page("newts", canonical="/c"),
    }
    assert addresses(built(tmp_path, pages)) == alone(pages)


def redirect(url: str, location: str) -> bytes:
    http = f"HTTP/1.1 301 Moved\r\nLocation: {location}\r\n\r\n"
    head = f"WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\n"
    record = f"{head}Content-Length: {len(http)}\r\n\r\n{http}\r\n\r\n"
    return gzip.compress(record.encode(), mtime=0)


def test_redirect_to_a_variant_makes_it_the_same_page(tmp_path: Path) -> None:
    crawl = tmp_path / "crawl.warc.gz"
    linking = page("news", links=["http://a.example/frogs", "http://a.example/old"])
    write_warc(
        crawl,
        [
            Capture("https://a.example/frogs/", page("frogs"), None, 0),
            Capture("https://b.example/", linking, None, 0),
        ],
    )
    with crawl.open("ab") as file:
        file.write(redirect("http://a.example/frogs", "https://a.example/frogs"))
        file.write(redirect("https://a.example/frogs", "/frogs/"))
        file.write(redirect("http://a.example/old", "https://a.example/frogs/"))
    pagekin.build(crawl, tmp_path / "index")
    assert addresses(tmp_path / "index")["https://a.example/frogs/"] == [
        "http://a.example/frogs",
        "https://a.example/frogs",
    ]
    inlinks = {row["url"]: row["inlinks"] for row in rows(tmp_path / "index", "pages")}
    assert inlinks == {
        "https://a.example/frogs/": 1,
        "https://b.example/": 0,
        "http://a.example/old": 1,
    }


def test_links_between_addresses_of_a_page_are_links_to_itself(tmp_path: Path) -> None:
    frogs = page("frogs", links=["http://a.example/frogs", "https://a.example/frogs"])
    pages = {"http://a.example/frogs": frogs, "https://a.example/frogs": frogs}
    assert not rows(built(tmp_path, pages), "links")


WAYS = {
    "one-partition": Cut(threads=1, run=1 << 30, bits=0),
    "many-partitions": Cut(threads=2, run=1, bits=5),
}


@pytest.mark.parametrize("way", WAYS)
def test_addresses_do_not_depend_on_how_a_crawl_is_cut(way: str, tmp_path: Path) -> None:
    captures = []
    for number in range(60):
        body = page(f"page{number}", links=[f"http://a.example/{n}/" for n in range(60)])
        schemes = ["http", "https"] if number % 3 else ["http"]
        slashes = ["", "/"] if number % 2 else ["/"]
        captures += [
            Capture(f"{scheme}://a.example/{number}{slash}", body, None, number)
            for scheme in schemes
            for slash in slashes
        ]
    write_warc(tmp_path / "one.warc.gz", captures)
    write_warc(tmp_path / "other.warc.gz", captures[::-1])
    pagekin.build(tmp_path / "one.warc.gz", tmp_path / "expected")
    write_warc(tmp_path / "one.warc.gz", captures[::-1])
    pagekin.build(tmp_path / "one.warc.gz", tmp_path / "index", settings=WAYS[way])
    found, expected = (
        {
            name: [without(row, "file", "offset") for row in rows(tmp_path / index, name)]
            for name in ("pages", "links", "bags", "aliases")
        }
        for index in ("index", "expected")
    )
    assert found == expected
    assert len(expected["aliases"]) > 60


def without(row: dict[str, object], *names: str) -> dict[str, object]:
    return {name: value for name, value in row.items() if name not in names}


def test_index_page_of_a_folder_is_the_folder_in_links_too(tmp_path: Path) -> None:
    site = tmp_path / "site"
    (site / "guide").mkdir(parents=True)
    (site / "guide" / "index.html").write_bytes(page("guide", links=["../index.html#top"]))
    (site / "index.html").write_bytes(page("home", links=["guide/index.html", "guide/"]))
    (site / "other.html").write_bytes(
        page("other", links=["guide/index.html?print", "https://b.example/index.html"])
    )
    pagekin.build(Source(str(site), "https://a.example/docs/"), tmp_path / "index")
    urls = {row["url"]: row["inlinks"] for row in rows(tmp_path / "index", "pages")}
    assert urls == {
        "https://a.example/docs/": 1,
        "https://a.example/docs/guide/": 1,
        "https://a.example/docs/other.html": 0,
        "https://a.example/docs/guide/index.html?print": 1,
        "https://b.example/index.html": 1,
    }
