"""URLs as people read them, and what must never be decoded."""

import unicodedata
from urllib.parse import quote, unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagekin.serve.pages.addresses import readable, readable_host


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("http://a.example/plain/path?x=1#y", "http://a.example/plain/path?x=1#y"),
        ("http://a.example/%C3%A9t%C3%A9", "http://a.example/\u00e9t\u00e9"),
        ("http://a.example/%e6%9d%b1%e4%ba%ac", "http://a.example/\u6771\u4eac"),
        ("http://a.example/?q=stra%C3%9Fe%26x", "http://a.example/?q=stra\u00dfe%26x"),
        ("http://a.example/a%20b%2Fc%3Fd%23e%25f", "http://a.example/a%20b%2Fc%3Fd%23e%25f"),
        ("http://a.example/%E2%80%AEgnp.html", "http://a.example/%E2%80%AEgnp.html"),
        ("http://a.example/%00%0D%0A%7F", "http://a.example/%00%0D%0A%7F"),
        ("http://a.example/%FF%C3", "http://a.example/%FF%C3"),
        ("http://a.example/%CC%B8", "http://a.example/%CC%B8"),
        ("http://a.example/%E2%81%84%E3%80%80", "http://a.example/%E2%81%84%E3%80%80"),
        ("http://a.example/%41%zz%", "http://a.example/%41%zz%"),
        ("a%C3%A9", "a\u00e9"),
    ],
)
def test_only_letters_are_decoded(url: str, shown: str) -> None:
    assert readable(url) == shown


@pytest.mark.parametrize(
    ("host", "shown"),
    [
        ("xn--mnchen-3ya.example", "m\u00fcnchen.example"),
        ("xn--fsqu00a.xn--0zwm56d", "\u4f8b\u5b50.\u6d4b\u8bd5"),
        ("www.xn--r8jz45g.jp", "www.\u4f8b\u3048.jp"),
        ("xn--80ak6aa92e.example", "xn--80ak6aa92e.example"),
        ("xn--pple-43d.example", "xn--pple-43d.example"),
        ("xn--abc", "xn--abc"),
        ("xn--", "xn--"),
        ("xn--zz--9999999999", "xn--zz--9999999999"),
        ("xn--\u00e9", "xn--\u00e9"),
        ("a.example:8080", "a.example:8080"),
    ],
)
def test_names_in_letters_that_look_like_others_stay_as_they_are(host: str, shown: str) -> None:
    assert readable_host(host) == shown


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=20))
def test_what_is_shown_is_the_same_address(text: str) -> None:
    url = f"http://a.example/{quote(text)}"
    shown = readable(url)
    assert unquote(shown) == unquote(url)
    kinds = {unicodedata.category(letter)[0] for letter in shown if letter > "\x7f"}
    assert kinds <= {"L", "M", "N"}
