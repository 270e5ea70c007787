"""Known items: what is drawn from pages, and whether it brings them back."""

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

import pagekin
from pagekin import _core
from pagekin.errors import InputError
from pagekin.evaluation.bm25 import Bm25
from pagekin.evaluation.truths.known_items import (
    KNOWN_ITEM_KINDS,
    PASSAGE,
    SENTENCE,
    draw_known_items,
)
from tests.archives import http, page, record
from tests.query.indexes import Built, sample


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    return sample(tmp_path_factory.mktemp("known"))


def test_texts_are_parts_of_their_pages(built: Built) -> None:
    drawn = draw_known_items(built.index.reader, 30, seed=3)
    assert [*drawn.items] == [*KNOWN_ITEM_KINDS]
    pages = built.index.reader.tables["pages"].scan(["url", "title"]).to_pylist()
    title_of = {row["url"]: row["title"] for row in pages}
    titles = Counter(title_of.values())
    for item in drawn.items["title"]:
        assert title_of[built.urls[item.page]] == item.text
        assert titles[item.text] == 1
    for item in drawn.items["passage"]:
        assert len(item.text.split()) == PASSAGE
        assert item.text in " ".join(built.index.reader.words_of(item.page))


def test_sentences_stand_on_their_pages_with_case_and_punctuation(built: Built) -> None:
    items = draw_known_items(built.index.reader, 30, seed=3).items["sentence"]
    assert len(items) == 30
    for item in items:
        assert len(_core.words_of(item.text)) in SENTENCE
        assert item.text in built.index.reader.text_of(item.page)
    assert sum(item.text.endswith((".", "!", "?")) for item in items) > 15
    assert sum(item.text[0].isupper() for item in items) > 15


def test_same_seed_draws_the_same_items(built: Built) -> None:
    first, again, other = (draw_known_items(built.index.reader, 5, seed) for seed in (1, 1, 2))
    assert first == again != other
    assert {len(items) for items in first.items.values()} == {5}


def test_request_for_too_many_items_gives_all(built: Built) -> None:
    drawn = draw_known_items(built.index.reader, 10_000, seed=0)
    crawled = built.index.counts["pages"]
    without = sum(count for what, count in drawn.skipped.items() if "passage" in what)
    assert len(drawn.items["passage"]) == crawled - without
    missing = sum(count for what, count in drawn.skipped.items() if "title" in what)
    assert len(drawn.items["title"]) == crawled - missing


def index_of(folder: Path, *pages: bytes) -> pagekin.Index:
    (folder / "crawl.warc").write_bytes(b"".join(pages))
    pagekin.build(folder / "crawl.warc", folder / "index")
    return pagekin.open(folder / "index")


def test_crawl_without_titles_and_text_is_rejected(tmp_path: Path) -> None:
    index = index_of(tmp_path, page("a", "one"), page("b", "two"))
    with pytest.raises(InputError, match="no page has a title of its own"):
        index.evaluate_known_items(10)


def test_words_of_a_menu_are_not_drawn(tmp_path: Path) -> None:
    def words(start: str, count: int) -> str:
        return " ".join(f"{start}{chr(97 + n // 26)}{chr(97 + n % 26)}" for n in range(count))

    menu = f"{words('menu', 30)}. M{words('menu', 30)[1:]}. {words('menu', 300)}"
    pages = [page(name, f"<p>{menu}</p><p>{words(name * 3, 40)}</p>") for name in "abcdefgh"]
    drawn = draw_known_items(index_of(tmp_path, *pages).reader, 8, seed=1)
    sentences = [item.text for item in drawn.items["sentence"]]
    assert all(menu.find(text) < 0 for text in sentences)
    left_out = drawn.skipped["another page has words of the sentence"]
    assert len(sentences) + left_out == len(pages)
    assert left_out > 0
    assert drawn.items["passage"] == []


def test_copy_of_the_page_counts_as_found(tmp_path: Path) -> None:
    words = " ".join(f"w{chr(97 + n)}x{chr(97 + n % 7)}" for n in range(20))
    body = f"<p>{words}".encode()
    pages = [record(http(body), f"http://{name}.example/") for name in "ab"]
    found = index_of(tmp_path, *pages, page("c", "other words")).evaluate_known_items(5)
    assert [*found.kinds] == ["sentence"]
    assert found.kinds["sentence"].bm25["Success@1"].value == 1


def test_bm25_finds_the_page_that_has_the_words(built: Built) -> None:
    item = draw_known_items(built.index.reader, 1, seed=0).items["passage"][0]
    (found,) = Bm25(built.index.reader).search([item.text], 10)
    assert int(found[0]) == item.page
    assert np.unique(found).size == len(found) <= 10
    assert [*map(len, Bm25(built.index.reader).search(["qqqq zzzz", ""], 5))] == [0, 0]
