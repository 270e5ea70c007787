"""What a directory and a crawl have in common."""

import numpy as np
import pytest

from pagekin import _core
from pagekin.errors import DirectoryError
from pagekin.evaluation.truths import Directory, Row
from pagekin.evaluation.truths.matching import CrawlPages, MatchedPages, match


def directory(pages: dict[str, str]) -> Directory:
    return Directory.from_rows(
        [
            Row(1, f"http://{name}.example/", tuple(path.split("/")))
            for name, paths in pages.items()
            for path in paths.split()
        ]
    )


def crawl(crawled: str, linked: str = "") -> CrawlPages:
    ids = {_core.url_id(f"http://{name}.example/"): name for name in crawled + linked}
    names = [ids[key] for key in sorted(ids)]
    return CrawlPages(
        np.array(sorted(ids), dtype=np.uint64),
        np.array([name in crawled for name in names]),
        np.array([ord(name) for name in names]),
    )


def classes(matched: MatchedPages) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for page, number in zip(matched.pages_of_pairs, matched.classes_of_pairs, strict=True):
        name = chr(matched.inlinks[page])
        found.setdefault(name, set()).add("/".join(matched.classes[number]))
    return found


def test_matching_counts_pages_in_both_and_in_one() -> None:
    matched = match(directory({"a": "x/1", "b": "x/1 y", "c": "x/2", "z": "w"}), crawl("abde", "c"))
    assert classes(matched) == {"a": {"x/1"}, "b": {"x/1", "y"}, "c": {"x/2"}}
    coverage = matched.coverage
    assert (coverage.both, coverage.not_crawled) == (3, 1)
    assert (coverage.directory_only, coverage.crawl_only) == (1, 2)
    assert matched.alone == 2
    assert matched.classes[matched.first_class[matched.inlinks == ord("b")][0]] == ("x", "1")


def test_matching_can_be_restricted_to_some_pages() -> None:
    matched = match(directory({"a": "x/1", "b": "x/1 y", "c": "x/2"}), crawl("abc"))
    some = matched.only(matched.inlinks != ord("b"))
    assert classes(some) == {"a": {"x/1"}, "c": {"x/2"}}
    assert [*some.classes] == [("x", "1"), ("x", "2")]


@pytest.mark.parametrize(
    ("pages", "crawled", "said"),
    [
        ({"a": "x", "b": "y"}, "cd", "none of its 2 pages is in the crawl"),
        ({"a": "x", "b": "y"}, "", "none of its 2 pages is in the crawl"),
        ({"a": "x/1", "b": "x/1", "c": "y"}, "ab", r"only one class \(x/1\)"),
        ({"a": "x/1", "b": "x/2"}, "ab", "every class has one page"),
    ],
)
def test_directory_without_comparable_pages_is_rejected(
    pages: dict[str, str], crawled: str, said: str
) -> None:
    with pytest.raises(DirectoryError, match=said):
        match(directory(pages), crawl(crawled))
