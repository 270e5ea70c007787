"""SURT keys as the Wayback Machine and pywb have them: those of the library `surt` 0.3."""

import pytest

from pagekin import _core
from pagekin.query.captures.surt import surt

SESSION = "0123456789abcdef0123456789abcdef"


@pytest.mark.parametrize(
    ("url", "key"),
    [
        ("http://a.example/", "example,a)/"),
        ("https://www2.A.example:443/B/", "example,a)/b"),
        ("http://a.example:8080/?", "example,a:8080)/"),
        ("http://a.example/?b=2&A=1&a", "example,a)/?a&a=1&b=2"),
        ("http://a.example/b//./c/../D", "example,a)/b/d"),
        ("http://a.example/%2541%20é", "example,a)/a%20%c3%a9"),
        (f"http://a.example/?x=1&PHPSESSID={SESSION}&y", "example,a)/?x=1&y"),
        (f"http://a.example/?jsessionid={SESSION}", "example,a)/"),
        ("http://a.example/(S(lit3py55t21z5v55vlm25s55))/x.aspx", "example,a)/x.aspx"),
        ("http://1.2.3.4/", "4,3,2,1)/"),
        ("http://[2001:db8::1]:81/", "2001:db8::1:81)/"),
        ("http://bücher.example/", "example,xn--bcher-kva)/"),
    ],
)
def test_key_is_the_known_one(url: str, key: str) -> None:
    canonical = _core.canonical(url)
    assert canonical is not None
    assert surt(canonical) == key
