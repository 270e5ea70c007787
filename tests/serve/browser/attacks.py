"""A crawl of attacks: every text and URL of its pages tries to run something.

Each attack would set `window.ran` or load from `evil.example`, were it ever more than text.
"""

import html
from collections.abc import Iterator

from tests.reference import Capture

TITLES = [
    "<script>window.ran = 1</script>",
    '"><img src=x onerror="window.ran = 2">',
    "'><svg/onload=window.ran=3>",
    "</title><script src=//evil.example/x.js></script>",
    "--><script>window.ran = 4</script><!--",
    "{{ 7 * 7 }} {% include '/etc/passwd' %} ${7*7} $examples",
    '</script><script>window.ran = 5</script>"]}',
    "<a href=javascript:window.ran=6>click</a>",
    "<style>body { display: none }</style><base href=//evil.example/>",
    "\u202egnp.eht ni \u2066 lla \u2069 \u200f right to left",
    '<iframe srcdoc="<script>parent.ran = 7</script>"></iframe><meta http-equiv=refresh content=0>',
    "&lt;script&gt;window.ran = 8&lt;/script&gt; &amp;amp; &#x3c;b&#x3e;",
    "unbroken" * 120,
]
"""The titles as they must appear, letter by letter."""

PATHS = [
    "",
    "%22%3E%3Cscript%3Ewindow.ran=9%3C/script%3E",
    "'onmouseover='window.ran=10'",
    "a?q=%3Cimg%20src=x%20onerror=window.ran%3D11%3E&b=1&amp;c=%22",
    "?next=javascript:window.ran=12",
    "%0d%0aSet-Cookie:%20a=b",
    "..%2f..%2f..%2fetc%2fpasswd",
    "%E2%80%AEgnp.html",
    "CON.json",
    "a%00b",
    "p/" * 300,
    "%",
    "%%34%31;x=%zz",
]
LINKS = [
    "javascript:window.ran=13",
    "JaVaScRiPt:window.ran=14",
    "data:text/html,<script>window.ran=15</script>",
    "vbscript:window.ran=16",
    "http://known.example/'\"><script>window.ran=17</script>",
    "https://user:secret@known.example/<img src=x onerror=window.ran=18>",
]
HOST = "http://attack.example/"


def attacks() -> Iterator[Capture]:
    """Pages that share words, so that each is related to others, and link to each other."""
    places = [HOST + path for path in PATHS]
    links = "".join(_link(place, number) for number, place in enumerate([*places, *LINKS]))
    for place, title in zip(places, TITLES, strict=True):
        written = title.replace("&", "&amp;").replace("</title>", "&lt;/title>")
        body = (
            f"<!doctype html><title>{written}</title><p>roses garden pruning thorns "
            f"<img alt='{html.escape(title)}' src=x> hellebores {links}"
        )
        yield Capture(place, body.encode(), "utf-8", 1_000_000_000)


def _link(place: str, number: int) -> str:
    title = html.escape(TITLES[number % len(TITLES)])
    return f'<p>before <a href="{html.escape(place)}">{title} roses</a> after</p>'
