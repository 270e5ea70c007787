"""Templates: what a site repeats is no evidence, by pages small enough to read."""

from dataclasses import replace
from pathlib import Path

import pytest

import pagekin
from pagekin.strategy import Frequency, Kinds, Strategy, Template, Window
from tests.crawls import build_pages, rows, words_of

PLAIN = Strategy(Kinds(anchor=0), Window(distance=False), frequency=Frequency("none"))
TREES = ["oak", "elm", "ash", "fir", "yew"]
MENU = "<ul><li><a href=oak.html>Nursery garden</a><li>Harvest moon</ul>"
URL = "http://t.example"


def site(menu: str = MENU) -> dict[str, str]:
    """Five pages with a menu, each about a tree; every page but the first links to the next."""
    link = "<p>next to the <a href={}.html>tree called {}</a></p>"
    texts = [f"<p>{tree} leaves</p>" for tree in TREES]
    links = [link.format(tree, tree) for tree in [*TREES[1:], TREES[1]]]
    return {tree: menu + text + link for tree, text, link in zip(TREES, texts, links, strict=True)}


def words(folder: Path, strategy: Strategy, page: str = "oak.html") -> set[str]:
    return {*words_of(build_pages(folder, site(), strategy), page)}


def test_words_of_a_menu_are_not_evidence(tmp_path: Path) -> None:
    menu = {"nursery", "garden", "harvest", "moon"}
    assert menu <= words(tmp_path / "all", PLAIN)
    kept = words(tmp_path / "own", replace(PLAIN, template=Template(5)))
    assert kept == words(tmp_path / "all", PLAIN) - menu


def test_text_on_fewer_pages_is_evidence(tmp_path: Path) -> None:
    strategy = replace(PLAIN, template=Template(3))
    index = build_pages(
        tmp_path, site() | {"oak": "<p>oak leaves", "elm": "<p>elm leaves"}, strategy
    )
    assert {*words_of(index, "ash.html")} >= {"ash", "leaves"}
    assert "harvest" not in words_of(index, "ash.html"), "on three pages"


@pytest.mark.parametrize(
    ("crawled", "pages"), [(1, 3), (59, 3), (100, 5), (199, 9), (200, 10), (10**9, 10)]
)
def test_fewer_pages_make_a_template_in_a_small_crawl(crawled: int, pages: int) -> None:
    assert Template(10).min_pages(crawled) == pages
    assert Template(0).min_pages(crawled) == 0


def test_page_of_nothing_but_templates_keeps_its_words(tmp_path: Path) -> None:
    pages = {f"p{number}": "<p>roses and lilies</p>" for number in range(4)}
    index = build_pages(tmp_path, pages, replace(PLAIN, template=Template(3)))
    assert {*words_of(index, "p0.html")} == {"roses", "lilies"}
    answer = pagekin.open(index).related(f"{URL}/p0.html")
    assert (answer.hits, len(answer.copies_of_query)) == ([], 3)


def test_menu_names_its_targets_once_and_author_links_keep_their_windows(tmp_path: Path) -> None:
    anchors = Strategy(Kinds(content=0), Window(distance=False), frequency=Frequency("none"))
    index = build_pages(tmp_path, site(), replace(anchors, template=Template(5)))
    bag = words_of(index, "oak.html")
    # The menus of four other pages say "nursery garden".
    assert {*bag} == {"nursery", "garden"}
    beside = words_of(index, "ash.html")
    assert "elm" in beside and "leaves" in beside
    assert not {"nursery", "garden", "harvest", "moon"} & {*beside}
    links = rows(index, "links")
    assert {link["template"] for link in links} == {0, 1}
    assert sum(link["template"] for link in links) == 4


def test_reasons_quote_no_menu(tmp_path: Path) -> None:
    menu = "<ul><li><a href=oak.html>Nursery</a><li><a href=elm.html>Harvest</a></ul>"
    index = pagekin.open(build_pages(tmp_path, site(menu), Strategy(template=Template(5))))
    found = index.related(f"{URL}/oak.html")
    assert [hit.url for hit in found]
    assert all(not hit.why.cited_together_by for hit in found if hit.url.endswith("elm.html"))
    everything = pagekin.open(build_pages(tmp_path / "all", site(menu), Strategy()))
    quoted = {hit.url for hit in everything.related(f"{URL}/oak.html") if hit.why.cited_together_by}
    assert f"{URL}/elm.html" in quoted
