"""Each kind of window on tiny pages, with the integers worked out by hand.

The bags are of /t, which is linked to and never fetched, so that nothing but windows is in them.
Where every word weighs the same, n words have 65535 / n each: 3 words 21845, 5 words 13107.
"""

from pathlib import Path
from typing import Literal

import pytest

from pagekin.strategy import Frequency, Kinds, Strategy, Window, Words
from tests.crawls import build_pages, rows, words_of

Kind = Literal["basic", "syntactic", "topical"]
THIRD, FIFTH = 21845, 13107


def anchors_only(kind: Kind = "basic", size: int = 32, distance: bool = False) -> Strategy:
    window = Window(kind, size, distance)
    words = Words(stop_words=("the", "of", "and"))
    return Strategy(Kinds(content=0), window, words, Frequency("none"))


def bag(folder: Path, page: str, strategy: Strategy) -> dict[str, int]:
    return words_of(build_pages(folder, {"": page}, strategy), "t")


@pytest.mark.parametrize(
    ("size", "expected"),
    [
        (0, {"elm": 65535}),
        (1, {"ash": THIRD, "elm": THIRD, "fir": THIRD}),
        (2, dict.fromkeys(("oak", "ash", "elm", "fir", "yew"), FIFTH)),
        (32, dict.fromkeys(("oak", "ash", "elm", "fir", "yew"), FIFTH)),
    ],
)
def test_basic_window_holds_size_words_on_each_side(
    size: int, expected: dict[str, int], tmp_path: Path
) -> None:
    page = "oak ash <a href=t>elm</a> fir yew"
    assert bag(tmp_path, page, anchors_only(size=size)) == expected


def test_stop_words_do_not_count_towards_window_size(tmp_path: Path) -> None:
    page = "ash oak the of <a href=t>the elm</a> and and and fir yew"
    expected = {"oak": THIRD, "elm": THIRD, "fir": THIRD}
    assert bag(tmp_path, page, anchors_only(size=1)) == expected


def test_basic_window_ignores_breaks(tmp_path: Path) -> None:
    page = "<h2>oak</h2><p>ash<ul><li><a href=t>elm</a></ul>fir.<br>yew"
    assert len(bag(tmp_path, page, anchors_only())) == 5


CUT_LEFT = {"elm": THIRD, "fir": THIRD, "yew": THIRD}
CUT_RIGHT = {"oak": THIRD, "ash": THIRD, "elm": THIRD}
UNCUT = dict.fromkeys(("oak", "ash", "elm", "fir", "yew"), FIFTH)
CASES = [
    # what stands between the words, what syntactic and what topical windows then hold
    ("oak ash<p><a href=t>elm</a> fir yew", CUT_LEFT, UNCUT),
    ("<div>oak ash <a href=t>elm</a></div>fir yew", CUT_RIGHT, UNCUT),
    ("<table><td>oak ash<td><a href=t>elm</a> fir yew", CUT_LEFT, UNCUT),
    ("<ul><li>oak ash <a href=t>elm</a><li>fir yew", CUT_RIGHT, UNCUT),
    ("oak ash.<br><a href=t>elm</a> fir yew", CUT_LEFT, UNCUT),
    ("oak ash<br><a href=t>elm</a> fir yew", UNCUT, UNCUT),
    ("oak ash <a href=t>elm</a>!<br> fir yew", CUT_RIGHT, UNCUT),
    ("oak ash. <a href=t>elm</a> fir yew", UNCUT, UNCUT),
    ("<i>oak ash</i><b><a href=t>elm</a></b> fir yew", UNCUT, UNCUT),
    ("oak ash<h3><a href=t>elm</a> fir yew</h3>", CUT_LEFT, CUT_LEFT),
    ("oak ash <a href=t>elm</a><h3>fir yew</h3>", CUT_RIGHT, CUT_RIGHT),
    ("<h3>oak ash</h3><a href=t>elm</a> fir yew", CUT_LEFT, UNCUT),
    ("<ul><li>oak ash</ul><a href=t>elm</a> fir yew", CUT_LEFT, CUT_LEFT),
    ("<ul><li>oak ash <a href=t>elm</a></ul>fir yew", CUT_RIGHT, CUT_RIGHT),
    ("<table><td>oak ash</table><a href=t>elm</a> fir yew", CUT_LEFT, CUT_LEFT),
    ("<table><td>oak ash <a href=t>elm</a></table>fir yew", CUT_RIGHT, CUT_RIGHT),
]


@pytest.mark.parametrize(("page", "syntactic", "topical"), CASES)
def test_breaks_end_syntactic_and_topical_windows(
    page: str, syntactic: dict[str, int], topical: dict[str, int], tmp_path: Path
) -> None:
    assert bag(tmp_path, page, anchors_only("syntactic")) == syntactic
    assert bag(tmp_path, page, anchors_only("topical")) == topical


def test_syntactic_window_respects_its_size(tmp_path: Path) -> None:
    page = "<p>yew oak <a href=t>elm</a> ash fir</p>"
    expected = {"oak": THIRD, "elm": THIRD, "ash": THIRD}
    assert bag(tmp_path, page, anchors_only("syntactic", 1)) == expected


def test_break_inside_an_anchor_does_not_end_the_window(tmp_path: Path) -> None:
    page = "oak <a href=t>ash<p>elm</a> fir yew"
    assert bag(tmp_path, page, anchors_only("syntactic"))["oak"] == FIFTH


def test_words_near_the_anchor_weigh_more(tmp_path: Path) -> None:
    """In units of 1/1024, with d the distance from the anchor.

    elm       d = 0  log2(32/1) = 5        5120   x 65535 / 20306 = 16524.14
    ash, fir  d = 1  log2(32/2) = 4        4096                     13219.31
    oak, yew  d = 2  log2(32/3) = 3.41504  3497                     11286.12
    sum                                   20306   down to           65534

    One is missing. Of the largest remainders, two equal ones, ash has the smaller term id.
    """
    page = "oak ash <a href=t>elm</a> fir yew"
    expected = {"elm": 16524, "ash": 13220, "fir": 13219, "oak": 11286, "yew": 11286}
    assert bag(tmp_path, page, anchors_only(distance=True)) == expected


def test_distance_skips_stop_words_and_is_zero_within_the_anchor(tmp_path: Path) -> None:
    """oak and fir have d = 1, both words of the anchor d = 0: 4096, 5120, 5120, 4096 of 18432.

    5120 x 65535 / 18432 = 18204.17 and 4096 x 65535 / 18432 = 14563.33: down to 65534, and one of
    oak and fir goes up, whose remainders are equal. oak has the smaller term id.
    """
    page = "oak the <a href=t>elm of ash</a> and fir"
    expected = {"elm": 18204, "ash": 18204, "oak": 14564, "fir": 14563}
    assert bag(tmp_path, page, anchors_only(distance=True)) == expected


def test_weight_is_zero_from_distance_31(tmp_path: Path) -> None:
    """log2(32/31) = 0.0458 at d = 30, log2(32/32) = 0 at d = 31 and below 0 after that."""
    side = [f"w{chr(97 + number // 26)}{chr(97 + number % 26)}q" for number in range(40)]
    page = f"<a href=t>elm</a> {' '.join(side)}"
    index = build_pages(tmp_path, {"": page}, anchors_only(size=1000, distance=True))
    assert set(words_of(index, "t")) == {"elm", *side[:30]}
    (link,) = rows(index, "links")
    assert (link["from"], link["first"], link["last"], link["to"]) == (0, 0, 1, 31)


def test_neighbours_of_an_empty_anchor_are_at_distance_one(tmp_path: Path) -> None:
    page = "oak <a href=t><img src=x></a> fir"
    # 4096 each: 65535 / 2 = 32767.5, and oak has the smaller term id.
    assert bag(tmp_path, page, anchors_only(distance=True)) == {"oak": 32768, "fir": 32767}


def test_windows_of_several_links_add_up(tmp_path: Path) -> None:
    """elm is in both windows of this page and ash in one of the other: 1 + 1 + 1 + 1 words.

    With W = 1 the first link has elm, fir and the second fir, elm: two each, and /other adds ash.
    65535 / 5 = 13107.
    """
    pages = {"": "<a href=t>elm</a> <a href=t>fir</a>", "other": "<a href=t>ash</a>"}
    index = build_pages(tmp_path, pages, anchors_only(size=1))
    assert words_of(index, "t") == {"elm": 26214, "fir": 26214, "ash": 13107}


def test_title_of_the_target_counts_once_as_anchor_words(tmp_path: Path) -> None:
    """elm 5120 from the title and 5120 from one of two links, fir 5120 from the other: 2 to 1."""
    pages = {
        "": "<a href=t.html>elm</a><p><a href=t.html>fir</a>",
        "t": "<title>the elm</title>oak <a href=t.html>self</a>",
    }
    index = build_pages(tmp_path, pages, anchors_only("syntactic", distance=True))
    assert words_of(index, "t.html") == {"elm": 43690, "fir": 21845}
