"""Any table of an index as a Parquet file, which other tools read: packed lists are unpacked."""

from pathlib import Path

import pyarrow.parquet as pq

from pagekin.errors import InputError
from pagekin.index.reader import IndexReader
from pagekin.index.tables.schema import CHECKSUMMED, schema_of
from pagekin.work.files import draft_file, refuse_folder, write_errors

__all__ = ["DUMPED", "dump_table"]

DUMPED = CHECKSUMMED
"""The tables that can be written."""
_WHAT = "the table"


def dump_table(index: IndexReader, table: str, path: Path) -> int:
    """Write all rows of a table, in their order; returns how many. The file appears when it is
    complete."""
    if table not in DUMPED:
        raise InputError(
            f"{table} is no table of an index",
            source="the question",
            advice=f"choose one of {', '.join(DUMPED)}",
        )
    refuse_folder(_WHAT, path)
    schema = schema_of(table, index.strategy.sketch.positions)
    rows = 0
    with (
        write_errors(_WHAT, path),
        index.blaming(),
        draft_file(path, "dump") as draft,
        pq.ParquetWriter(draft, schema, compression="zstd") as out,
    ):
        for batch in index.tables[table].batches():
            out.write_batch(batch)
            rows += batch.num_rows
    return rows
