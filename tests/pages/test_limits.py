"""Limits of one page, and its independence of neighbouring pages."""

from pathlib import Path

import pagekin
from pagekin import _core

URL = "http://a.example/x/page.html"


def page(html: str) -> _core.Page:
    parsed = _core.parse_page(URL, html.encode(), "utf-8")
    assert parsed is not None
    return parsed


def test_page_has_at_most_10_000_links_to_other_pages() -> None:
    own = '<a href="#top">top</a>' * 50
    html = own + "".join(f"<a href=p{number}.html>p</a>" for number in range(20_000))
    anchors = page(html).anchors
    assert len(anchors) == 10_050
    assert anchors[-1].target == "http://a.example/x/p9999.html"


def test_overlong_base_or_reference_is_ignored() -> None:
    long = "y" * 2_000_000
    parsed = page(f"<base href='http://b.example/{long}/'><a href=z>z</a><a href='/{long}'>q</a>")
    assert [anchor.target for anchor in parsed.anchors] == ["http://a.example/x/z"]


def test_references_relative_to_the_page_are_resolved_per_page(tmp_path: Path) -> None:
    for name in ("one", "two", "three"):
        (tmp_path / f"{name}.html").write_text(
            "<p>words <a href='http:'>here</a> <a href=''>too</a>"
        )
    source = pagekin.Source(str(tmp_path), "http://a.example/")
    summary = pagekin.build(source, tmp_path / "index")
    assert (summary.pages, summary.bags, summary.links) == (3, 3, 0)


def test_tree_that_would_explode_is_not_built() -> None:
    formatting = "".join(f"<b id=b{number}>" for number in range(400))
    parsed = page(f"{formatting}<a href=z>" + "<div>word</div>" * 5_000)
    assert len(parsed.words) == 5_000


def test_long_title_is_truncated() -> None:
    assert page(f"<title>{'宣' * 1000}</title>").title == "宣" * 333
    assert page(f"<title>{'word ' * 1000}</title>").title.startswith("word word")


def test_impossible_year_is_not_a_date(tmp_path: Path) -> None:
    body = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>words"
    crawl = tmp_path / "crawl.warc"
    crawl.write_bytes(
        b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.example/\r\n"
        b"WARC-Date: 0000-01-01T00:00:00Z\r\nContent-Type: application/http\r\n"
        b"Content-Length: %d\r\n\r\n%s\r\n\r\n" % (len(body), body)
    )
    pagekin.build(crawl, tmp_path / "index")
    assert pagekin.open(tmp_path / "index").show("http://a.example/").date is None
