"""Kinds and frequency weights on tiny pages, with the integers worked out by hand."""

from pathlib import Path

import pytest

from pagekin import _core
from pagekin.strategy import Frequency, Kinds, Mix, Strategy, Window, Words
from tests.crawls import bags, build_pages, rows, words_of

PLAIN = Words(stop_words=("the", "of", "and"))
NONE = Frequency("none")


def content_only(frequency: Frequency) -> Strategy:
    return Strategy(Kinds(anchor=0), Window(distance=False), PLAIN, frequency)


def all_kinds(kinds: Kinds, normalise: bool = False) -> Strategy:
    return Strategy(kinds, Window("syntactic", 0, False), PLAIN, NONE, Mix(normalise))


def test_content_counts_words_of_text_and_title(tmp_path: Path) -> None:
    """oak twice in the text and once in the title, elm once in each: 3 to 2 of 65535."""
    page = {"": "<title>Oak and elm</title>oak the oak elm"}
    index = build_pages(tmp_path, page, content_only(NONE))
    assert words_of(index, "") == {"oak": 39321, "elm": 26214}


FREQUENT = {"a": "oak elm ash", "b": "oak elm", "c": "oak", "d": "oak <a href=never>x</a>"}
"""Document frequencies: oak 4, elm 2, ash 1. Bags: 5, with the one of /never, which is empty."""


@pytest.mark.parametrize(
    ("frequency", "expected"),
    [
        (NONE, {"oak": 21845, "elm": 21845, "ash": 21845}),
        # 1/(1 + log2 df): 1/3, 1/2, 1 of 11/6. 65535 x 2/11 = 11915.45, 3/11 17873.18,
        # 6/11 35746.36: down to 65534, and oak with the largest remainder goes up.
        (Frequency("log"), {"oak": 11916, "elm": 17873, "ash": 35746}),
        # 1/sqrt(df): 0.5, 0.70711, 1 of 2.20711. 14846.36, 20995.92, 29692.72: down to 65533,
        # and elm and ash go up.
        (Frequency("sqrt"), {"oak": 14846, "elm": 20996, "ash": 29693}),
        # ln N = ln 5 = 1.609438, mean 0.804719, spread 0.402359.
        # oak exp(-((1.386294 - 0.804719) / 0.402359)^2 / 2) = exp(-1.044609) = 0.3518295
        # elm exp(-((0.693147 - 0.804719) / 0.402359)^2 / 2) = exp(-0.038446) = 0.9622837
        # ash exp(-((0.000000 - 0.804719) / 0.402359)^2 / 2) = exp(-2)        = 0.1353353
        # of 1.4494485: 15907.53, 43508.45, 6119.02: down to 65534, and oak goes up.
        (Frequency("nmdf", 0.5, 0.25), {"oak": 15908, "elm": 43508, "ash": 6119}),
    ],
)
def test_terms_are_weighted_by_document_frequency(
    frequency: Frequency, expected: dict[str, int], tmp_path: Path
) -> None:
    index = build_pages(tmp_path, FREQUENT, content_only(frequency))
    assert words_of(index, "a.html") == expected


def test_document_frequency_includes_uncrawled_pages(tmp_path: Path) -> None:
    """elm is on one page and in the bags of the two that it links to: in 3 bags, of 3."""
    page = {"": "<a href=x>elm</a> <a href=y>elm</a>"}
    index = build_pages(tmp_path, page, all_kinds(Kinds()))
    assert [(row["word"], row["frequency"]) for row in rows(index, "lexicon")] == [("elm", 3)]


# A bag with all kinds: content oak, oak, elm; anchor elm, from one page, and ash, from another.
KINDS = {"": "<a href=t.html>elm</a>", "b": "<a href=t.html>ash</a>", "t": "oak oak elm"}


@pytest.mark.parametrize(
    ("kinds", "expected"),
    [
        (Kinds(1, 0, 0), {"oak": 43690, "elm": 21845}),
        # oak 2, elm 1 + 1, ash 1: fifths of 65535.
        (Kinds(1, 1, 0), {"oak": 26214, "elm": 26214, "ash": 13107}),
        # oak 2, elm 1 + 6, ash 6: fifteenths, 4369 each.
        (Kinds(1, 6, 0), {"oak": 8738, "elm": 30583, "ash": 26214}),
        # Halves; elm has the smaller term id.
        (Kinds(0, 5, 0), {"elm": 32768, "ash": 32767}),
        # oak 2, elm 1, and two linking pages with 6 each, without a word: fifteenths.
        (Kinds(1, 0, 6), {"oak": 8738, "elm": 4369, "": 26214}),
    ],
)
def test_kinds_are_summed_with_their_weights(
    kinds: Kinds, expected: dict[str, int], tmp_path: Path
) -> None:
    index = build_pages(tmp_path, KINDS, all_kinds(kinds))
    assert words_of(index, "t.html") == expected


def test_normalised_kinds_have_equal_sums(tmp_path: Path) -> None:
    """Content oak 2/3, elm 1/3, times 1; anchor elm 1/2, ash 1/2, times 4.

    oak 2/3, elm 1/3 + 2, ash 2 of 5: in fifteenths 2, 7, 6, and a fifteenth of 65535 is 4369.
    """
    index = build_pages(tmp_path, KINDS, all_kinds(Kinds(1, 4, 0), normalise=True))
    assert words_of(index, "t.html") == {"oak": 8738, "elm": 30583, "ash": 26214}


def test_kind_without_evidence_is_ignored_when_normalised(tmp_path: Path) -> None:
    pages = {"": "oak oak elm"}
    index = build_pages(tmp_path, pages, all_kinds(Kinds(1, 4, 1), normalise=True))
    assert words_of(index, "") == {"oak": 43690, "elm": 21845}


def test_kinds_are_normalised_after_frequency_weights(tmp_path: Path) -> None:
    """oak is in 4 bags, elm in 2, ash in 1, as above: sqrt makes them 1/2, 0.70711 and 1.

    Content of /t is oak oak, its anchor words are ash and elm. Normalised first, oak would be cut
    to half its kind; normalised after, it is all of its kind: half of the bag, whatever its df.
    """
    pages = {"a": "oak elm", "b": "oak", "c": "oak", "d": "<a href=t.html>ash elm</a>"}
    pages["t"] = "oak oak"
    strategy = Strategy(
        Kinds(1, 1, 0), Window(size=0, distance=False), PLAIN, Frequency("sqrt"), Mix(True)
    )
    bag = words_of(build_pages(tmp_path, pages, strategy), "t.html")
    assert bag["oak"] in (32767, 32768)


def test_linking_page_counts_once_and_self_links_never(tmp_path: Path) -> None:
    pages = {"": "<a href=t.html>elm</a> <a href=t.html>ash</a>", "t": "<a href=t.html>me</a>"}
    index = build_pages(tmp_path, pages, all_kinds(Kinds(0, 0, 3)))
    home, target = (_core.url_id(f"http://t.example/{path}") for path in ("", "t.html"))
    assert bags(index) == {home: {}, target: {home | 1 << 63: 65535}}
    assert {row["id"]: row["inlinks"] for row in rows(index, "pages")} == {home: 0, target: 1}
    assert len(rows(index, "links")) == 2


def test_terms_below_one_part_in_65535_are_dropped(tmp_path: Path) -> None:
    """Of 100,000 oaks an elm is 0.66 of a part in 65535, and an ash of weight 0.1 is 0.07."""
    pages = {"": "oak " * 100_000 + "elm", "b": "<a href=/>ash</a>"}
    index = build_pages(tmp_path, pages, all_kinds(Kinds(1, 0.1, 0)))
    assert words_of(index, "") == {"oak": 65534, "elm": 1}
    assert {row["word"] for row in rows(index, "lexicon")} == {"oak", "elm", "ash"}
