"""Several indexes answer as one index of all, by brute force over all pages of the sample."""

import shutil
from pathlib import Path
from typing import Any

import pytest

import pagekin
from pagekin import Filters, Question, _core
from tests.archives import http, members, page, record
from tests.crawls import rows
from tests.several.parts import Cut, plain

FILTERS: list[dict[str, Any]] = [
    {},
    {"k": 30},
    {"k": 3, "exclude_site": True},
    {"exclude_linked": True},
    {"group_by_site": True},
    {"exact": True, "min_score": 0.1},
    {"pages": "all"},
    {"min_length": 60, "copy_score": 1.0},
    {"prefix": "http://nowhere.example/"},
]
WORDS = ["garden", "how to prune old roses", '"the garden"', "example", "qqqq", "/", "index.html"]


def crawled(cut: Cut) -> list[str]:
    return [row["url"] for row in rows(cut.whole, "pages") if row["crawled"]]


@pytest.mark.parametrize("keywords", FILTERS, ids=str)
def test_related_pages_are_those_of_one_index(content: Cut, keywords: dict[str, Any]) -> None:
    one, several = content.one, content.several
    answered = 0
    for url in crawled(content):
        expected = plain(one.related(url, **keywords))
        assert plain(several.related(url, **keywords)) == expected, url
        answered += len(expected["hits"])
    assert answered or "prefix" in keywords


@pytest.mark.parametrize("words", WORDS)
def test_pages_found_by_words_are_those_of_one_index(content: Cut, words: str) -> None:
    one, several = content.one, content.several
    assert plain(several.search(words, k=50)) == plain(one.search(words, k=50))
    assert plain(several.related_to_text(words)) == plain(one.related_to_text(words))


def test_mixed_questions_and_parts_of_lists_are_those_of_one_index(content: Cut) -> None:
    first, second, third, *_ = crawled(content)
    question = Question(urls=(first, second), unlike=(third,), text="old roses")
    filters = Filters(k=5)
    for offset in (0, 5, 10):
        expected = content.one.related_part(question, offset=offset, filters=filters)
        found = content.several.related_part(question, offset=offset, filters=filters)
        assert plain(found) == plain(expected)


def test_counts_are_those_of_one_index(content: Cut) -> None:
    found, expected = content.several.counts, content.one.counts
    assert found == expected
    overview = content.several.overview()
    assert (overview.pages, overview.linked) == (
        expected["pages"],
        expected["bags"] - overview.pages,
    )
    assert overview.best_pages


def test_card_of_a_page_is_that_of_one_index(content: Cut) -> None:
    one, several = content.one, content.several
    for url in crawled(content):
        # Links from other parts are known by their pages' parts alone.
        expected, found = one.show(url), several.show(url)
        assert (found.url, found.title, found.terms) == (
            expected.url,
            expected.title,
            expected.terms,
        )
        assert {link.url for link in several.show(url, links=99).linked_from} == {
            link.url for link in one.show(url, links=99).linked_from
        }
        assert several.text(url) == one.text(url)
        assert len(several.captures(url)) == len(one.captures(url))


def test_pages_compare_across_indexes(content: Cut) -> None:
    urls = crawled(content)
    for other in urls[1:12]:
        found, expected = (each.compare(urls[0], other) for each in (content.several, content.one))
        assert (found.score, found.rank, found.shared) == (
            expected.score,
            expected.rank,
            expected.shared,
        )


def test_default_shares_most_of_the_first_ten(default: Cut) -> None:
    """Links between parts are lost, so answers differ; docs/several.md says so."""
    shared = total = 0
    for url in crawled(default):
        one, several = (
            {hit.url for hit in each.related(url)} for each in (default.one, default.several)
        )
        shared, total = shared + len(one & several), total + len(one)
    assert shared / total > 0.5


@pytest.fixture
def twice(content: Cut, tmp_path: Path) -> list[Path]:
    """Two captures of one page: the first index has the later one."""
    for name, date, text in (
        ("new", "2024-01-01T00:00:00Z", "roses need sun and water in the garden"),
        ("old", "2020-01-01T00:00:00Z", "trains leave the station every hour"),
    ):
        both = page("rose", text, WARC_Date=date), page(f"only-{name}", "roses need a garden")
        (tmp_path / f"{name}.warc.gz").write_bytes(members(*both))
        pagekin.build(tmp_path / f"{name}.warc.gz", tmp_path / name, model=content.whole)
    return [tmp_path / "new", tmp_path / "old"]


@pytest.mark.parametrize("backwards", [False, True])
def test_latest_capture_of_a_page_counts(twice: list[Path], backwards: bool) -> None:
    both = pagekin.open(twice[::-1] if backwards else twice)
    assert (both.counts["pages"], both.counts["bags"]) == (3, 3)
    assert "sun" in both.text("http://rose.example/").text
    assert len(both.captures("http://rose.example/")) == 2
    assert not both.search("trains station").hits
    found = [hit.url for hit in both.search("roses garden")]
    assert sorted(found) == sorted(
        ["http://rose.example/", "http://only-new.example/", "http://only-old.example/"]
    )
    hits = both.related("http://only-old.example/").hits
    urls = [url for hit in hits for url in (hit.url, *hit.copies)]
    assert urls.count("http://rose.example/") == 1


def test_copies_fold_across_indexes(content: Cut, tmp_path: Path) -> None:
    text = "roses need sun and water in every garden of the town"
    indexes = []
    for name in ("one", "two", "three"):
        body = f"<title>Roses</title><p>{text}".encode()
        copied = record(http(body), f"http://{name}.example/")
        (tmp_path / f"{name}.warc.gz").write_bytes(members(copied))
        pagekin.build(tmp_path / f"{name}.warc.gz", tmp_path / name, model=content.whole)
        indexes.append(tmp_path / name)
    both = pagekin.open(indexes)
    (hit,) = both.related_to_text("roses in the sun").hits
    assert len({hit.url, *hit.copies}) == 3
    answer = both.related("http://one.example/")
    assert not answer.hits
    assert len(answer.copies_of_query) == 2


def test_an_index_beside_its_copy_answers_like_itself(content: Cut, tmp_path: Path) -> None:
    copy = shutil.copytree(content.whole, tmp_path / "copy")
    both = pagekin.open([content.whole, copy])
    for url in crawled(content)[:20]:
        assert plain(both.related(url)) == plain(content.one.related(url))


@pytest.mark.parametrize("few", [0, 100])
def test_indexes_with_and_without_inverted_lists_answer_together(
    content: Cut, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, few: int
) -> None:
    """With a bound of 100 URLs the first index is a small one, with one of 0 both are large."""
    monkeypatch.setattr(_core, "FEW_BAGS", few)
    indexes = [tmp_path / "small", tmp_path / "large"]
    pagekin.build(content.files[0], indexes[0], model=content.whole)
    pagekin.build(content.files[1:], indexes[1], model=content.whole)
    counts = [pagekin.open(index).counts["bags"] for index in indexes]
    assert counts[0] <= 100 < counts[1]
    both = pagekin.open(indexes)
    for url in crawled(content)[:30]:
        expected = plain(content.one.related(url, exact=True))
        found = plain(both.related(url, exact=not few))
        assert found == expected
