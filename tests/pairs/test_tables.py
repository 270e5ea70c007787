"""The tables for pairs: random crawls, built with random settings, against plain sums."""

import tempfile
from collections import Counter, defaultdict
from itertools import chain
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings

import pagekin
from pagekin import _core
from pagekin.api import Index
from pagekin.errors import IndexCorrupt
from pagekin.index.tables.mapped import MappedTable
from pagekin.index.tables.sorted import SortedTable, TableRows
from pagekin.index.writer import table_writer
from pagekin.pairs import check
from pagekin.strategy import Strategy
from tests.crawls import rows, write_warc
from tests.engines.test_random import CRAWLS, CUTS, URLS, Cut, random_strategies
from tests.reference import Capture, Fragments, latest, pagelets, parse, templates


@settings(max_examples=25)
@given(CRAWLS, random_strategies(), CUTS)
def test_tables_of_random_crawls_match_plain_sums(
    files: list[list[Capture]], strategy: Strategy, cut: Cut
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path, index = Path(folder) / "crawl.warc.gz", Path(folder) / "index"
        placed = write_warc(path, [Capture(URLS[0], b"<p>here"), *chain(*files)])
        pagekin.build(path, index, strategy=strategy, settings=cut)
        live = latest(page for page in map(parse, placed) if page)
        maker = Fragments(strategy, templates(live.values(), strategy.template.pages))
        for page in live.values():
            maker.add(page)
        assert_postings(index, maker, list(live.values()))
        assert_graph(index)
        check(Index(index).reader)


def assert_postings(index: Path, maker: Fragments, live: list[Any]) -> None:
    expected: dict[int, dict[int, tuple[int, int]]] = defaultdict(dict)
    content: dict[str, Counter[int]] = {}
    for page in live:
        maker.language = page.language
        pieces = zip(page.words, pagelets(page), strict=True)
        outside = [word for word, piece in pieces if piece not in maker.templates]
        counted = outside if any(map(maker.term, outside)) else page.words
        content[page.url] = Counter(map(maker.term, [*counted, *page.title_words]))
    anchor = maker.kinds.get("anchor", {})
    for url in {*content, *anchor}:
        own, linked = content.get(url, Counter()), anchor.get(url, Counter())
        for term in ({*own, *linked}) - {0}:
            expected[term][_core.url_id(url)] = own[term], linked[term]
    pages = [row["id"] for row in rows(index, "pages")]
    site_of = [row["site"] for row in rows(index, "ranks")]
    found = {}
    for row in rows(index, "postings"):
        places = [(site_of[page], page) for page in row["pages"]]
        assert places == sorted(set(places))
        ids = [pages[page] for page in row["pages"]]
        numbers = zip(row["content"], row["anchor"], strict=True)
        found[row["term"]] = dict(zip(ids, numbers, strict=True))
    assert found == expected
    assert list(found) == sorted(found)


def assert_graph(index: Path) -> None:
    pages, ranks, sites = (rows(index, name) for name in ("pages", "ranks", "sites"))
    links = {(row["source"], row["target"]) for row in rows(index, "links")}
    graph: nx.DiGraph[int] = nx.DiGraph(links)
    graph.add_nodes_from(row["id"] for row in pages)
    wanted = nx.pagerank(graph, tol=1e-12, max_iter=1000)
    assert sum(abs(row["rank"] - wanted[row["id"]]) for row in ranks) < 1e-6
    assert [row["id"] for row in sites] == sorted(row["id"] for row in sites)
    assert sum(row["rank"] for row in sites) == pytest.approx(1, abs=1e-6)
    for number, site in enumerate(sites):
        here = [page for page, rank in zip(pages, ranks, strict=True) if rank["site"] == number]
        assert {page["site"] for page in here} == {site["site"]}
        crawled = [page for page in here if page["crawled"]]
        assert (site["urls"], site["pages"]) == (len(here), len(crawled))
        assert site["root"] == root_of(site["site"], crawled, links, wanted)


def root_of(
    site: str, crawled: list[Any], links: set[tuple[int, int]], rank: dict[int, float]
) -> int | None:
    inside = {page["id"] for page in crawled}
    leads = {source for source, target in links if {source, target} <= inside}
    for page in crawled:
        if page["url"] == f"http://{site}/":
            return int(page["id"])
    order = [(page["id"] not in leads, -round(rank[page["id"]], 7), page["id"]) for page in crawled]
    return min(order)[2] if order else None


@pytest.fixture(scope="module")
def sample(index: Path) -> Index:
    return Index(index)


def test_check_passes_on_the_sample(sample: Index) -> None:
    check(sample.reader)
    assert sample.pairs(["garden", "roses", "pruning"]).sites


@pytest.mark.parametrize(
    ("place", "change", "said"),
    [
        ("ranks.site", lambda value: value + 9999, "unknown site"),
        ("ranks.rank", lambda value: value * 2, "PageRank"),
        ("sites.pages", lambda value: value + 1, "number of pages"),
        ("sites.rank", lambda value: value / 2, "PageRank"),
        ("sites.root", lambda _: 5, "not a crawled page of its site"),
        ("arcs.targets", lambda _: [], "minimal subgraphs"),
        ("postings.pages", lambda value: value[::-1], "not sorted by site and page"),
        ("postings.pages", lambda value: [page + 5000 for page in value], "beyond the index"),
        ("postings", lambda row: {key: [] for key in row} | {"term": row["term"]}, "empty"),
        ("postings.term", lambda _: 7, "out of order"),
    ],
)
def test_check_finds_a_wrong_value(
    sample: Index, place: str, change: Any, said: str, tmp_path: Path
) -> None:
    """Damages the first row with a value to change."""
    table, _, column = place.partition(".")
    content = rows(sample.path, table)
    if column:
        values = content[1:]
        row = next(row for row in values if row[column] not in ([], None) and _long(row[column]))
        row[column] = change(row[column])
    else:
        content[1] = change(content[1])
    schema = sample.reader.tables[table].batch(0).schema
    path = tmp_path / f"{table}-00000.arrow"
    out = table_writer(path, table, schema)
    out.write(pa.Table.from_pylist(content, schema=schema).combine_chunks().to_batches()[0])
    out.close()
    broken = Index(sample.path)
    broken.reader.tables[table] = SortedTable([table_file(path)], schema)
    with pytest.raises(IndexCorrupt, match=said):
        check(broken.reader)


def table_file(path: Path) -> MappedTable:
    return MappedTable.opened(path, path.stat().st_size, _core.checksums(path).blocks)


def _long(value: Any) -> bool:
    return not isinstance(value, list) or len(value) > 1


def test_values_and_lists_are_found_by_row_across_shards(tmp_path: Path) -> None:
    schema = pa.schema([pa.field("id", pa.uint64()), pa.field("to", pa.large_list(pa.uint32()))])
    files: list[MappedTable] = []
    expected: list[dict[str, Any]] = []
    for shard, count in enumerate([3, 0, 5, 1]):
        ids = range(len(expected), len(expected) + count)
        content: list[dict[str, Any]] = [
            {"id": 10 * number, "to": [number] * (number % 3)} for number in ids
        ]
        path = tmp_path / f"t-{shard:05}.arrow"
        with pa.OSFile(str(path), "wb") as file, pa.ipc.new_file(file, schema) as out:
            out.write_table(pa.Table.from_pylist(content, schema=schema), max_chunksize=2)
        files.append(table_file(path))
        expected += content
    found = TableRows(SortedTable(files, schema))
    assert len(found) == 9
    for wanted in ([8, 0, 3, 3, 7], [4], list(range(9)), []):
        rows_ = np.array(wanted, np.uint32)
        assert found.take("id", rows_).tolist() == [10 * number for number in wanted]
        owners, values = found.lists("to", rows_)
        pairs = list(zip(owners.tolist(), values.tolist(), strict=True))
        assert sorted(pairs) == [
            (at, each) for at, number in enumerate(wanted) for each in expected[number]["to"]
        ]
    assert found.row(5) == expected[5]
    with pytest.raises(IndexCorrupt, match="beyond its table"):
        found.take("id", np.array([9]))
