"""`parse_page` on single pages, with positions worked out by hand."""

import pytest

from pagekin._core import Page, parse_page

PARAGRAPH, CELL, LIST_ITEM, NAVIGATION, SENTENCE_BREAK, HEADING, LIST_END, TABLE_END = (
    1 << bit for bit in range(8)
)


def page(
    html: str | bytes, charset: str | None = "utf-8", url: str = "http://a.example/d/p"
) -> Page:
    body = html.encode() if isinstance(html, str) else html
    found = parse_page(url, body, charset)
    assert found is not None
    return found


def anchors(found: Page) -> list[tuple[int, int, str]]:
    return [(anchor.first, anchor.last, anchor.target) for anchor in found.anchors]


def breaks(found: Page) -> list[tuple[int, int]]:
    return [(each.position, each.kinds) for each in found.breaks]


def test_page_has_url_title_words_anchors_and_breaks() -> None:
    found = page(
        "<!DOCTYPE html><html><head><title> A \n garden </title></head>"
        "<body><p>See the <a href='roses.html#red'>Red Roses</a>, <b>now</b>.</p></body></html>",
        url="HTTP://A.example:80/d/p#top",
    )
    assert found.url == "http://a.example/d/p"
    assert found.title == "A garden"
    assert found.words == ["see", "the", "red", "roses", "now"]
    assert anchors(found) == [(2, 4, "http://a.example/d/roses.html")]
    assert breaks(found) == [(0, PARAGRAPH), (5, PARAGRAPH)]


@pytest.mark.parametrize("url", ["ftp://a.example/", "mailto:ann@a.example", "garden.html", ""])
def test_url_that_is_not_http_has_no_page(url: str) -> None:
    assert parse_page(url, b"<p>one") is None


def test_only_first_title_counts_and_titles_are_not_words() -> None:
    found = page("<title>one &amp; two</title><svg><title>three</title></svg><title>four</title>")
    assert found.title == "one & two"
    assert found.words == ["three"]


def test_alternative_texts_are_words_in_place() -> None:
    found = page("one <a href=x><img alt='two three'></a> four <input type=image alt=five>")
    assert found.words == ["one", "two", "three", "four", "five"]
    assert anchors(found) == [(1, 3, "http://a.example/d/x")]


def test_image_map_areas_are_links() -> None:
    found = page("one <map><area href=x alt='two'><area href=y><area alt=three></map>")
    assert found.words == ["one", "two", "three"]
    assert anchors(found) == [(1, 2, "http://a.example/d/x"), (2, 2, "http://a.example/d/y")]


def targets(html: str) -> list[str]:
    return [anchor.target for anchor in page(html).anchors]


@pytest.mark.parametrize(
    ("reference", "target"),
    [
        ("x", "http://a.example/d/x"),
        ("../x?q#f", "http://a.example/x?q"),
        ("//b.example", "http://b.example/"),
        ("#f", "http://a.example/d/p"),
        ("", "http://a.example/d/p"),
        ("http://bücher.example/é", "http://xn--bcher-kva.example/%C3%A9"),
        ("http://ann:secret@b.example:80/%7Eann/%c3%a9", "http://b.example/~ann/%C3%A9"),
        ("HTTPS:\\\\B.EXAMPLE\\x", "https://b.example/x"),
        (" \n x\ty ", "http://a.example/d/xy"),
        ("///b.example/x^y?^", "http://b.example/x%5Ey?^"),
        ("a&amp;b=&lt;", "http://a.example/d/a&b=%3C"),
    ],
)
def test_references_are_resolved(reference: str, target: str) -> None:
    assert targets(f"<a href='{reference}'>one</a>") == [target]


@pytest.mark.parametrize(
    "reference", ["mailto:x@y", "javascript:x()", "ftp://b/", "http://[", "tel:1"]
)
def test_references_that_are_not_http_are_ignored(reference: str) -> None:
    assert targets(f"<a href='{reference}'>one</a>") == []


def test_first_base_counts_wherever_it_stands() -> None:
    assert targets("<a href=x>one</a><base target=t><base href=/e/><base href=/f/>") == [
        "http://a.example/e/x"
    ]
    links = "<a href=y>one</a><a href=//b.example>two</a>"
    unfit = ["http://a.example/d/y", "http://b.example/"]
    assert targets(f"<base href='data:x'>{links}") == unfit
    assert targets(f"<base href='http://['>{links}") == unfit


def test_relative_references_to_an_opaque_base_are_ignored() -> None:
    links = "<a href=y>one</a><a href='#f'>two</a><a href=http://b.example>three</a>"
    assert targets(f"<base href='mailto:x'>{links}") == ["http://b.example/"]


def test_unclosed_links_end_where_a_browser_ends_them() -> None:
    assert anchors(page("<a href=x>one<a href=y>two")) == [
        (0, 1, "http://a.example/d/x"),
        (1, 2, "http://a.example/d/y"),
    ]
    assert anchors(page("<p><a href=x>one</p><p>two</a> three")) == [
        (0, 1, "http://a.example/d/x"),
        (1, 2, "http://a.example/d/x"),
    ]


def test_character_references_are_decoded() -> None:
    assert page("&Eacute;t&#233; &amp;&#xFC;ber &thorn;ö &nosuch;ä &copy1").words == [
        "été", "über", "þö", "nosuch", "ä",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Don't stop_me 4ever", ["don", "t", "stop", "me", "ever"]),
        ("data\u00adbase zero\u200bwidth", ["database", "zero", "width"]),
        ("CAFE\u0301 Straße ΣΊΣΥΦΟΣ", ["café", "straße", "σίσυφος"]),
        ("日本語 水 web東京", ["日本", "本語", "水", "web", "東京"]),
        ("ภาษาไทย", ["ภา", "าษ", "ษา", "าไ", "ไท", "ทย"]),
        ("한국어 हिन्दी", ["한국어", "हिन्दी"]),
        ("x" * 200, ["x" * 128]),
    ],
)
def test_text_is_split_into_words(text: str, words: list[str]) -> None:
    assert page(text).words == words


def test_tags_separate_words_unless_a_browser_ignores_them() -> None:
    assert page("foot<b>ball</b>er foot</i>ball").words == ["foot", "ball", "er", "football"]


def test_invisible_elements_and_comments_are_ignored() -> None:
    mute = ("script", "style", "noscript", "template", "iframe", "noembed", "noframes")
    html = "".join(f"<{tag}>one <a href=x>two</a></{tag}>" for tag in mute)
    found = page(f"{html}<!-- three -->four")
    assert (found.words, found.anchors) == (["four"], [])


@pytest.mark.parametrize(
    ("body", "charset", "word"),
    [
        ("é".encode(), None, "é"),
        ("é".encode("utf-16"), "iso-8859-1", "é"),
        ("é".encode("latin-1"), "ISO-8859-1", "é"),
        (b"<meta charset=windows-1251>" + "да".encode("cp1251"), None, "да"),
        (b"<meta charset=windows-1251>" + "да".encode(), "utf-8", "да"),
        ("Съешь же ещё этих мягких французских булок".encode("koi8-r"), None, "французских"),
        ("これは日本語の文章です。文字コードの宣言はありません。".encode("euc-jp"), None, "日本"),
    ],
)
def test_declared_and_detected_encodings_are_decoded(
    body: bytes, charset: str | None, word: str
) -> None:
    assert word in page(body, charset).words


def test_each_kind_of_break_is_recorded() -> None:
    found = page(
        "<h1>one</h1><p>two three.<br>four<br><br>five</p>"
        "<ul><li>six</li><li>seven</li></ul>"
        "<table><tr><td>eight</td><td>nine</td></tr></table>ten"
    )
    assert len(found.words) == 10
    assert breaks(found) == [
        (0, HEADING),
        (1, PARAGRAPH),
        (3, SENTENCE_BREAK),
        (4, PARAGRAPH),
        (5, PARAGRAPH | LIST_ITEM),
        (6, LIST_ITEM),
        (7, LIST_ITEM | LIST_END | PARAGRAPH | CELL),
        (8, CELL),
        (9, CELL | TABLE_END),
    ]


@pytest.mark.parametrize(
    "unit", ["<div>", "<b>", "<table><td>", "<a href=x>", "<svg>", "<li>", "</p>"]
)
def test_deep_nesting_is_read_to_its_end(unit: str) -> None:
    assert page(unit * 50_000 + "end").words[-1] == "end"
