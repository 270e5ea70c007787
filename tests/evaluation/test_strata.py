"""Query pages by in-degree, length and crawled or not; the directory beside the crawl."""

from pathlib import Path

import numpy as np
import pytest

import pagekin
from pagekin.evaluation.counts import Counts, PooledCounts
from pagekin.evaluation.measures import ORDERINGS
from pagekin.evaluation.strata import PageProperties, page_properties, represent, strata
from tests.archives import page


def properties(inlinks: list[int], length: list[int]) -> PageProperties:
    crawled = np.array(length) > 0
    ids = np.arange(len(length), dtype=np.uint64)
    languages = np.array(["fr" if words > 60 else "en" if words else "" for words in length])
    return PageProperties(ids, crawled, np.array(inlinks), np.array(length), languages)


def counts_of(concordant: list[int], discordant: list[int]) -> Counts:
    """Each page of a class of its own, with these pairs in every ordering."""
    pages = len(concordant)
    outcomes = np.stack([concordant, discordant, np.zeros(pages)], axis=1)
    pairs = np.repeat(outcomes[:, None], len(ORDERINGS), axis=1).astype(np.float64)
    ones = np.ones(pages)
    pooled = PooledCounts(pairs, ones, 0 * ones, {10: ones}, ones)
    return Counts(pooled, np.arange(pages), pages)


def test_strata_hold_the_query_pages_of_each_band() -> None:
    pages = properties([0, 2, 3, 70], [0, 50, 99, 5000])
    found = strata(counts_of([9, 5, 3, 1], [1, 5, 1, 1]), pages)
    assert {
        name: [(each.name, each.pages) for each in groups] for name, groups in found.items()
    } == {
        "inlinks": [("0", 1), ("1-3", 2), ("64+", 1)],
        "length": [("0", 1), ("1-99", 2), ("3000+", 1)],
        "crawled": [("crawled", 3), ("only linked to", 1)],
        "language": [("fr", 2), ("en", 1)],
    }
    middle = found["length"][1]
    assert middle.sibling == pytest.approx((8 - 6) / 14)
    assert middle.precision_at_10 == pytest.approx(1 / 10)


def test_reweighted_gamma_is_that_of_a_crawl_with_each_page_as_often() -> None:
    """Three of four crawled pages are like the first query page, so it counts three times."""
    queries = properties([1, 9], [200, 200])
    crawl = properties([1, 2, 3, 9], [200, 100, 299, 250])
    found = represent(counts_of([8, 1], [2, 3]), queries, crawl)
    assert found is not None
    assert found.covered == 1
    value = found.reweighted["sibling-gamma"].value
    assert value == pytest.approx((3 * 8 + 1 - 3 * 2 - 3) / (3 * 10 + 4))
    low, high = found.reweighted["sibling-gamma"].interval
    assert low <= value <= high


def test_representation_tells_medians_shares_and_what_is_covered() -> None:
    queries = properties([1, 9, 9], [200, 200, 0])
    crawl = properties([1, 1, 9, 100, 100], [200, 200, 200, 5000, 0])
    found = represent(counts_of([1, 1, 1], [0, 0, 0]), queries, crawl)
    assert found is not None
    assert (found.queries, found.crawl) == (2, 4)
    assert (found.inlinks.median_queries, found.inlinks.median_crawl) == (5, 5)
    assert found.covered == pytest.approx(3 / 4)
    shares = {band.name: (band.queries, band.crawl) for band in found.inlinks.bands}
    assert shares == {
        "0": (0, 0),
        "1-3": (1 / 2, 1 / 2),
        "4-15": (1 / 2, 1 / 4),
        "16-63": (0, 0),
        "64+": (0, 1 / 4),
    }


def test_directory_of_pages_that_were_not_crawled_is_not_compared() -> None:
    queries = properties([1, 2], [0, 0])
    assert represent(counts_of([1, 1], [0, 0]), queries, queries) is None


def test_properties_of_an_index(tmp_path: Path) -> None:
    linked = (
        'bees make honey <a href="http://b.example/">hive</a> <a href="http://c.example/">x</a>'
    )
    (tmp_path / "crawl.warc").write_bytes(page("a", linked) + page("b", "swarm"))
    pagekin.build(tmp_path / "crawl.warc", tmp_path / "index")
    reader = pagekin.open(tmp_path / "index").reader
    found = page_properties(reader)
    urls = reader.tables["pages"].scan(["url"]).column("url").to_pylist()
    columns = (found.crawled, found.inlinks, found.length)
    known = dict(zip(urls, zip(*map(list, columns), strict=True), strict=True))
    assert known["http://a.example/"] == (True, 0, 6)
    assert known["http://b.example/"] == (True, 1, 2)
    assert known["http://c.example/"] == (False, 1, 0)
