"""What a page marks as navigation: landmarks, and links to its neighbours in a sequence."""

import pytest

from pagekin._core import parse_page

URL = "http://a.example/d/p.html"
HEAD = """<head><link rel="prev" href="o.html" title="5. Hedges">
<link rel="next" href="/d/q.html" title="7. Ponds"></head>"""


def content(html: str) -> str:
    found = parse_page(URL, html.encode(), "utf-8")
    assert found is not None
    return " ".join(found.content_words)


@pytest.mark.parametrize(
    "html",
    [
        "<nav>home <ul><li>more</ul></nav><p>roses",
        "<p>roses<footer>made by us</footer>",
        '<div role="navigation">home <div>more</div></div>roses',
        "<div role='CONTENTINFO other'>us</div><main>roses</main>",
        "<table role=search><tr><td>find</table>roses",
        "<nav>one</nav>roses<nav>two</nav>",
        "<nav>one<nav>inner</nav>two</nav><p>roses",
    ],
)
def test_landmarks_are_navigation(html: str) -> None:
    assert content(html) == "roses"


@pytest.mark.parametrize(
    "html",
    [
        "<article>roses <footer>by Ann</footer></article>",
        "<div role=note>roses <span role=navigation>by</span></div>Ann",
        "<nav>roses <p>by Ann",
        "<nav>roses <main>by Ann</main></nav>",
        "<aside>roses</aside><header>by</header>Ann",
        "<nav>roses by</nav><nav>Ann</nav>",
    ],
)
def test_other_parts_and_landmarks_without_an_end_are_content(html: str) -> None:
    assert content(html) == "roses by ann"


@pytest.mark.parametrize(
    "html",
    [
        "<td><a href=o.html>back</a><td>Up<td><a href=q.html>on</a>",
        "<li>Hedges<li>up<li>Ponds",
        "<p><a href='q.html#top'>on</a> <a href=o.html>back</a><p>up",
    ],
)
def test_links_to_neighbours_and_their_titles_are_navigation(html: str) -> None:
    table = f"<table><tr>{html}</table>" if html.startswith("<td>") else html
    assert content(f"{HEAD}<p>roses</p>{table}") == "roses up"


def test_a_sentence_with_a_link_to_a_neighbour_is_content() -> None:
    page = f"{HEAD}<p>see <a href=q.html>ponds</a> too</p><p>about hedges and ponds"
    assert content(page) == "see ponds too about hedges and ponds"
    assert content("<p>roses<p><a rel='nofollow NEXT' href=x.html>on</a>") == "roses"
    assert content("<p>roses<p><a rel=author href=x.html>on</a>") == "roses on"


def test_both_readers_find_the_same_navigation() -> None:
    html = "<div role=navigation>home</div><p>roses <b>are <i>red</b> here</i></p><nav>more</nav>"
    assert content(html) == "roses are red here"
    needs_tree = f"<p><table>moved<tr><td>cell</table>{html}"
    assert content(needs_tree) == "moved cell roses are red here"
