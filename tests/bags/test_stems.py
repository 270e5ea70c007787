"""The stemming modes, stop lists, and the words that the lexicon shows."""

from pathlib import Path

import pytest

from pagekin.strategy import Frequency, Kinds, Strategy, Window, Words
from tests.crawls import build_pages, rows, words_of


def content_only(words: Words) -> Strategy:
    return Strategy(Kinds(anchor=0), Window(distance=False), words, Frequency("none"))


PAGE = {"": "gardens garden gardens makes making"}


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        # Words as they are; the stop list takes out "making" only: fourths of 65535.
        # 65535 / 2 = 32767.5, / 4 = 16383.75 twice: both of the latter go up.
        (
            Words("nostem", stop_words=("making",)),
            {"gardens": 32767, "garden": 16384, "makes": 16384},
        ),
        # One stem, garden, shown by its most common form; "makes" has the stem of "making".
        (Words("stem", stop_words=("making",)), {"gardens": 65535}),
        # Stems only for the stop list: 2 to 1.
        (Words("stopstem", stop_words=("making",)), {"gardens": 43690, "garden": 21845}),
        # garden three times, make twice; of its two forms the first in the alphabet is shown.
        (Words("stem", stop_words="none"), {"gardens": 39321, "makes": 26214}),
        # "make" and its forms are in the English list.
        (Words("stem"), {"gardens": 65535}),
    ],
)
def test_each_stemming_mode_yields_its_terms(
    words: Words, expected: dict[str, int], tmp_path: Path
) -> None:
    assert words_of(build_pages(tmp_path, PAGE, content_only(words)), "") == expected


def test_stemmer_setting_selects_the_language(tmp_path: Path) -> None:
    page = {"": "<meta charset=utf-8>Häuser Hauses"}
    german = build_pages(tmp_path, page, content_only(Words(stemmer="german", stop_words="none")))
    assert words_of(german, "") == {"hauses": 65535}
    porter = build_pages(tmp_path, page, content_only(Words(stop_words="none")))
    assert sorted(words_of(porter, "")) == ["hauses", "häuser"]


def test_lexicon_shows_most_common_form_on_crawled_pages(tmp_path: Path) -> None:
    """garden 1 + 1 on two pages, gardens 1, gardening 2: of equals the first in the alphabet."""
    pages = {"": "garden gardening gardening", "b": "gardens garden <a href=t>rose</a>"}
    index = build_pages(tmp_path, pages, content_only(Words(stop_words="none")))
    shown = {row["word"]: row["frequency"] for row in rows(index, "lexicon")}
    assert shown == {"garden": 2, "rose": 1}


def test_words_are_lower_cased_and_split_at_non_letters(tmp_path: Path) -> None:
    page = {"": "<meta charset=utf-8>OAK-tree, Oak2elm"}
    index = build_pages(tmp_path, page, content_only(Words("nostem", stop_words="none")))
    # oak twice, tree once, elm once: 32767.5 and twice 16383.75, both of which go up.
    assert words_of(index, "") == {"oak": 32767, "tree": 16384, "elm": 16384}
