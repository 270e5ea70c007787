"""Tables as Parquet files, packed ones with their lists."""

from pathlib import Path

import polars as pl
import pyarrow.parquet as pq
import pytest

import pagekin
from pagekin.errors import InputError
from pagekin.index.tables.schema import CHECKSUMMED, PACKED, schema_of
from tests.archives import run
from tests.crawls import read_table


@pytest.mark.parametrize("table", CHECKSUMMED)
def test_every_table_is_written_as_its_rows(sound: Path, table: str, tmp_path: Path) -> None:
    path = tmp_path / "table.parquet"
    rows = pagekin.open(sound).write_table(table, path)
    found = pq.read_table(path)
    assert found.schema.names == schema_of(table, 80).names
    assert found.num_rows == rows
    assert found.to_pylist() == read_table(sound, table).to_pylist()
    assert pl.read_parquet(path).height == rows


@pytest.mark.parametrize("table", PACKED)
def test_command_writes_packed_tables(
    sound: Path, table: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    ran = run(capfd, "dump", sound, table, "-o", tmp_path / "table.parquet")
    rows = read_table(sound, table).num_rows
    assert (ran.code, ran.out) == (0, f"{rows:,} rows of {table} in {tmp_path}/table.parquet\n")


def test_only_captures_are_written_as_cdxj(
    sound: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    ran = run(capfd, "dump", sound, "links", "-o", tmp_path / "links.cdxj")
    assert ran.code == 2
    assert "only captures can be written as CDXJ, not links" in ran.err
    assert not (tmp_path / "links.cdxj").exists()


def test_unknown_table_is_refused(sound: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no table of an index"):
        pagekin.open(sound).write_table("words", tmp_path / "words.parquet")
