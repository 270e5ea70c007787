"""pagekin's pages beside a browser's, as `oracle` tells them: hand-written pages and real ones."""

from dataclasses import dataclass
from functools import cache

import pytest

from pagekin._core import parse_page
from tests.crawls import SHARED, read_warc
from tests.pages import oracle

URL = "http://a.example/d/p.html"
DATA_SETS = ("schools", "universities", "modern")
real_pages = pytest.mark.skipif(not SHARED.is_dir(), reason="no real pages: see docs/data.md")


def ours(url: str, body: bytes, charset: str | None) -> oracle.Reading:
    page = parse_page(url, body, charset)
    assert page is not None, url
    anchors = [
        (tuple(page.words[anchor.first : anchor.last]), anchor.target) for anchor in page.anchors
    ]
    return oracle.Reading(page.title, page.words, anchors)


@pytest.mark.parametrize(
    "html",
    [
        "<p><a href=x>one</p><p>two</a>three",
        "<ul><li><a href=x>one<li>two</ul>",
        "<a href=x>one<table><td><a href=y>two</a></table>three</a>",
        "<table>one<tr><td>two</td><a href=x>three</a></table>",
        "<b><p>one</b>two</p><i>three<b>four</i>five</b>",
        "<svg><title>one</title><a href=x>two</a><foreignObject><a href=y>three</a></svg>",
        "<noscript><a href=x>one</a></noscript><template>two</template>three",
        "<head><noscript><img alt=one></noscript><base href=/e/></head><a href=x>two</a>",
        "<select><option>one<a href=x>two</a></select>",
        "foot</b>ball foot\0ball foot<!-- -->ball foot&shy;ball",
        "<frameset><frame></frameset><noframes>one</noframes>",
        "<a href='//b.example/%7eann/../x y?q=é#f'>one</a><a href=mailto:x>two</a>",
        "<a href='http://bücher.example:80/%c3%a9'>one</a><a href='http://u:p@c.example'>two</a>",
        "日本語 web ไทย ﬁne Straße ΣΊΣΥΦΟΣ İI हिन्दी x²y ١٢٣",
        f"<p>{'a' * 300} {'é' * 300}",
    ],
)
def test_hard_markup_is_read_like_a_browser(html: str) -> None:
    assert ours(URL, html.encode(), "utf-8") == oracle.read(URL, html.encode(), "utf-8")


@pytest.mark.parametrize(
    ("body", "charset"),
    [
        (b"<meta charset=koi8-r>\xc1\xc2", None),
        (b"<meta charset=koi8-r>\xc3\xa9", "utf-8"),
        (b"\xef\xbb\xbf<meta charset=koi8-r>\xc3\xa9", "iso-8859-1"),
        (b"<!-- <meta charset=koi8-r> --><meta http-equiv=content-type content='a;charset=big5'>"
         b"\xa4\xa4\xa4\xe5", None),
        (b"<meta charset=utf-16>\xc3\xa9", None),
        (b"<script>" + b"x" * 2000 + b"</script><meta charset=koi8-r>\xc1", None),
        (b"\xff\xfea\x00b\x00", None),
        (b"\xc3\xa9", "no-such-label"),
        (b"caf\xe9", None),
        (b"\xc4\xe3\xba\xc3", "gb2312"),
        (b"\x82\xa0\x82\xa2", "Shift_JIS"),
    ],
)  # fmt: skip
def test_encodings_are_detected_like_a_browser(body: bytes, charset: str | None) -> None:
    assert ours(URL, body, charset) == oracle.read(URL, body, charset)


@dataclass(frozen=True, slots=True)
class Agreement:
    """The number of pages on which both agree."""

    pages: int
    words: int
    anchors: int
    titles: int


@cache
def agreement(data_set: str) -> Agreement:
    pages = words = anchors = titles = 0
    for capture in read_warc(SHARED / f"{data_set}.warc.gz"):
        mine = ours(capture.url, capture.body, capture.charset)
        browser = oracle.read(capture.url, capture.body, capture.charset)
        pages += 1
        words += mine.words == browser.words
        anchors += mine.anchors == browser.anchors
        titles += mine.title == browser.title
    return Agreement(pages, words, anchors, titles)


@pytest.mark.slow
@real_pages
@pytest.mark.parametrize("data_set", DATA_SETS)
def test_real_pages_are_read_like_a_browser(data_set: str) -> None:
    found = agreement(data_set)
    assert found.pages > 500
    assert found.words >= 0.995 * found.pages, found
    assert found.anchors >= 0.99 * found.pages, found
    assert found.titles >= 0.995 * found.pages, found


@pytest.mark.slow
@real_pages
def test_pages_of_all_data_sets_together_are_read_like_a_browser() -> None:
    found = [agreement(data_set) for data_set in DATA_SETS]
    pages = sum(one.pages for one in found)
    assert sum(one.words for one in found) >= 0.995 * pages, found
    assert sum(one.anchors for one in found) >= 0.99 * pages, found
