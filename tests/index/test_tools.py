"""The tables as other tools open them: DuckDB, Polars, pyarrow."""

from pathlib import Path

import duckdb
import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.dataset as ds
import pytest

import pagekin
from pagekin import _core
from pagekin.index.tables.packed import unpacked_batches
from pagekin.index.tables.schema import TABLES, stored_schema_of
from pagekin.sketches import sketch
from pagekin.strategy import Kinds, Strategy

SHARDS = 8


@pytest.fixture(scope="module")
def folder(crawl: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tables of an index of several shards."""
    path = tmp_path_factory.mktemp("tools")
    settings = pagekin.Settings(shard_urls=20)
    pagekin.build(crawl, path, strategy=Strategy(kinds=Kinds(concept=1)), settings=settings)
    index = pagekin.open(path)
    assert index.reader.manifest.shards == SHARDS
    return path / index.reader.manifest.folder


@pytest.fixture(scope="module")
def large(crawl: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tables of an index with inverted sketches."""
    path = tmp_path_factory.mktemp("large")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_core, "FEW_BAGS", 10)
        pagekin.build(crawl, path, settings=pagekin.Settings(shard_urls=20))
        index = pagekin.open(path)
        index.check()
    return path / index.reader.manifest.folder


def opened(path: Path) -> pa.ipc.RecordBatchFileReader:
    return pa.ipc.open_file(str(path))


def dataset(folder: Path, table: str) -> ds.Dataset:
    files = sorted(str(path) for path in folder.glob(f"{table}-*.arrow"))
    assert len(files) == SHARDS
    return ds.dataset(files, format="ipc")


@pytest.mark.parametrize("table", TABLES)
def test_pyarrow_opens_every_table(folder: Path, table: str) -> None:
    found = dataset(folder, table)
    assert found.schema == stored_schema_of(table, 80)
    count = found.count_rows()
    # The sample has no page with several addresses, and no redirect.
    assert found.to_table().num_rows == count
    # Only a large index has sketches and inverted sketches.
    assert (count > 0) == (table not in ("aliases", "standby", "sketches", "inverse"))


@pytest.mark.parametrize("table", TABLES)
def test_polars_opens_every_table(folder: Path, table: str) -> None:
    frame = pl.scan_ipc(folder / f"{table}-*.arrow").collect()
    assert frame.columns == stored_schema_of(table, 80).names
    assert frame.height == dataset(folder, table).count_rows()


@pytest.mark.parametrize("table", TABLES)
def test_duckdb_opens_every_table(folder: Path, table: str) -> None:
    rows = dataset(folder, table)
    with duckdb.connect() as database:
        database.register("rows", rows)
        (count,) = database.sql("SELECT count(*) FROM rows").fetchall()[0]
        columns = [row[0] for row in database.sql("DESCRIBE rows").fetchall()]
    assert (count, columns) == (rows.count_rows(), rows.schema.names)


def test_duckdb_counts_the_stored_inlinks(folder: Path) -> None:
    question = """
        SELECT pages.url, pages.inlinks, count(DISTINCT links.source) AS found
        FROM pages LEFT JOIN links ON pages.id = links.target
        GROUP BY ALL
    """
    with duckdb.connect() as database:
        for table in ("pages", "links"):
            database.register(table, dataset(folder, table))
        rows = database.sql(question).fetchall()
    assert len(rows) == 142
    assert all(inlinks == found for _, inlinks, found in rows)


def test_duckdb_finds_the_heaviest_terms_of_show(folder: Path, tmp_path: Path) -> None:
    question = """
        WITH terms AS (SELECT id, unnest(terms) AS term, unnest(weights) AS weight FROM bags)
        SELECT word, weight / 65535 FROM terms JOIN pages USING (id) JOIN lexicon USING (term)
        WHERE url = $url ORDER BY weight DESC, term LIMIT 5
    """
    url = "http://www.skywatch.example/storms/lightning.html"
    with duckdb.connect() as database:
        for table in ("pages", "lexicon"):
            database.register(table, dataset(folder, table))
        bags = str(tmp_path / "bags.parquet")
        pagekin.open(folder.parent).write_table("bags", bags)
        database.register("bags", database.read_parquet(bags))
        rows = database.execute(question, {"url": url}).fetchall()
    card = pagekin.open(folder.parent).show(url, terms=5)
    assert rows == [(term.term, term.share) for term in card.terms]


def test_polars_finds_the_pages_that_share_a_value_in_the_inverse(large: Path) -> None:
    """I of a position names the same pages as the column of H."""
    for shard in range(SHARDS):
        pages = pl.read_ipc(large / f"pages-{shard:05}.arrow").with_row_index("row")
        sketches = pl.read_ipc(large / f"sketches-{shard:05}.arrow")
        position = opened(large / f"inverse-{shard:05}.arrow").get_batch(17)
        inverse = pl.DataFrame(position).join(pages, on="row").select("id", "value")
        column = sketches.select("id", value=pl.col("sketch").arr.get(17))
        named = column.join(inverse, on=["id", "value"])
        assert named.height == position.num_rows > 0
        assert pl.DataFrame(position)["value"].is_sorted()


def test_sketches_and_inverse_match_the_reference(large: Path) -> None:
    for shard in range(SHARDS):
        path = large / f"bags-{shard:05}.arrow"
        bags = [row for batch in unpacked_batches(path) for row in batch.to_pylist()]
        made = [
            sketch(np.array(bag["terms"], np.uint64), np.array(bag["weights"], np.uint16), 80, 0)
            for bag in bags
        ]
        stored = opened(large / f"sketches-{shard:05}.arrow").read_all()
        assert stored.column("sketch").to_pylist() == [values.tolist() for values in made]
        inverse = opened(large / f"inverse-{shard:05}.arrow")
        assert inverse.num_record_batches == 80
        for position in range(80):
            rows = [row for row, bag in enumerate(bags) if bag["terms"]]
            expected = sorted((int(made[row][position]), row) for row in rows)
            batch = inverse.get_batch(position).to_pylist()
            assert [(row["value"], row["row"]) for row in batch] == expected


def test_checksums_are_xxh3_of_each_4096_byte_block(folder: Path) -> None:
    xxhash = pytest.importorskip("xxhash", reason="xxhash, which is not ours, is not installed")
    for path in folder.glob("sums-*.arrow"):
        (row,) = opened(path).read_all().to_pylist()
        for table, sums in row.items():
            content = (folder / path.name.replace("sums", table)).read_bytes()
            sectors = [content[start : start + 4096] for start in range(0, len(content), 4096)]
            assert sums == [xxhash.xxh3_64_intdigest(part) & 0xFFFFFFFF for part in sectors]
