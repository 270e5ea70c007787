"""Weighted postings against the bags, term by term."""

from pathlib import Path
from typing import Any

import pytest

import pagekin
from pagekin import _core
from pagekin.index import ShardFiles, ShardWeightedPostings
from pagekin.index.tables import shard as shards
from pagekin.index.tables.packed import unpacked_batches
from pagekin.strategy import Kinds, Sketch, Strategy
from tests.crawls import bags, rows

STRATEGY = Strategy(kinds=Kinds(link=1), sketch=Sketch(min_inlinks=2))


@pytest.fixture(scope="module")
def index(crawl: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("holders")
    pagekin.build(crawl, folder, strategy=STRATEGY, settings=pagekin.Settings(shard_urls=40))
    return folder


def test_postings_list_the_pages_and_weights_of_each_term(index: Path) -> None:
    inlinks = {row["id"]: row["inlinks"] for row in rows(index, "pages")}
    expected: set[tuple[int, int, int]] = {
        (term, page, weight)
        for page, bag in bags(index).items()
        for term, weight in bag.items()
        if inlinks[page] >= 2
    }
    found: list[tuple[int, int, int]] = []
    tables = pagekin.open(index)
    columns = 0
    for shard, table in enumerate(tables.reader.files["holders"]):
        pages = [row for row in rows(index, "pages") if _shard(row["id"], tables) == shard]
        for segment, crawled in (("crawled", True), ("uncrawled", False)):
            ids = [row["id"] for row in pages if row["crawled"] == crawled]
            for row in _rows(table.path):
                places, weights = row[segment], row[f"{segment}_weights"]
                assert 4 * len(places) < max(len(ids), 1)
                if not places and weights:
                    assert 4 * sum(map(bool, weights)) >= len(ids)
                    places = range(len(ids))
                    columns += 1
                pairs = zip(places, weights, strict=True)
                found += [(row["term"], ids[place], weight) for place, weight in pairs if weight]
    assert columns
    assert len(found) == len(expected) > 1000
    assert set(found) == expected


def test_postings_do_not_depend_on_term_ranges(
    index: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = pagekin.open(index)
    folder = index / opened.reader.manifest.folder

    def made() -> tuple[int, list[Any]]:
        shard = ShardWeightedPostings(ShardFiles(folder, 1), STRATEGY.sketch)
        ranges = shard.ranges()
        return len(ranges), [row for terms in ranges for row in shard.batch(terms).to_pylist()]

    whole = made()
    monkeypatch.setattr(shards, "RANGE", 100)
    pieces = made()
    assert whole[0] == 1
    assert pieces[0] > 20
    assert pieces[1] == whole[1]
    assert whole[1] == _rows(opened.reader.files["holders"][1].path)


def test_large_index_has_no_weighted_postings(
    crawl: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_core, "FEW_BAGS", 10)
    pagekin.build(crawl, tmp_path, strategy=STRATEGY)
    opened = pagekin.open(tmp_path)
    assert not any(_rows(table.path) for table in opened.reader.files["holders"])
    opened.check()


def _shard(page: int, index: pagekin.Index) -> int:
    return page * index.reader.manifest.shards >> 64


def _rows(path: Path) -> list[dict[str, Any]]:
    return [row for batch in unpacked_batches(path) for row in batch.to_pylist()]
