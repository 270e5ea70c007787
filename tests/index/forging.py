"""Tampered indexes: changed bytes alone, or with all checksums updated."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import pagekin
from pagekin import _core
from pagekin.errors import IndexCorrupt
from pagekin.index import Manifest
from pagekin.index.manifest import own_model
from pagekin.index.tables.checksums import sums_batch
from pagekin.index.tables.mapped import batches_in
from pagekin.index.tables.packed import bag_packer, packer_beside, unpacked, unpacked_batches
from pagekin.index.tables.schema import CHECKSUMMED, SUMS, TABLES, file_name, schema_of
from pagekin.index.writer import AnyWriter, TableWriter, table_writer
from pagekin.strategy import Kinds, Strategy

ROSES = "http://www.hedgerow.example/plants/roses.html"
SHARDS = pagekin.Settings(shard_urls=40)
ABOUT = Strategy(kinds=Kinds(concept=1))
Change = Callable[[pa.Table], pa.Table]


def fault_of(index: Path) -> str:
    """The fault that `check` reports, and its file."""
    with pytest.raises(IndexCorrupt) as caught:
        pagekin.open(index).check()
    assert caught.value.advice == "build the index again"
    return f"{Path(caught.value.path).name}: {caught.value.what}"


def path_of(index: Path, table: str, shard: int = 0) -> Path:
    return index / Manifest.read(index).folder / file_name(table, shard)


def reseal(index: Path, **fields: Any) -> None:
    """Compute all checksums and the manifest again, so that only invariants reveal a change."""
    manifest = Manifest.read(index)
    for shard in range(manifest.shards):
        paths = {table: path_of(index, table, shard) for table in CHECKSUMMED}
        sums = {table: _core.checksums(path).blocks for table, path in paths.items()}
        writer = TableWriter(path_of(index, "sums", shard), SUMS, None)
        writer.write(sums_batch(sums))
        writer.close()
    names = [file_name(table, shard) for table in TABLES for shard in range(manifest.shards)]
    files = {name: described(index / manifest.folder / name) for name in names}
    forged = replace(manifest, **{"files": files, **fields})
    model = own_model((forged.strategy, forged.fitted), forged.counts, forged.files)
    replace(forged, model=model).write(index)


def described(path: Path) -> dict[str, Any]:
    return {"bytes": path.stat().st_size, "xxh3": _core.checksums(path).whole}


def forge(index: Path, table: str, change: Change, *, shard: int = 0, rows: int = 0) -> None:
    """Change a table, in batches of its usual size or of `rows` rows, and update its checksums."""
    path = path_of(index, table, shard)
    with pa.OSFile(str(path), "rb") as file:
        packer = packer_beside(path)
        found = [unpacked(table, batch, packer) for batch in batches_in(file)]
    changed = change(pa.Table.from_batches(found))
    if table == "bags":
        changed = packed_again(index, changed, shard)
    if rows:
        writer: AnyWriter = TableWriter(path, changed.schema, rows)
    else:
        writer = table_writer(path, table, changed.schema)
    for batch in changed.to_batches():
        writer.write(batch)
    writer.close()
    reseal(index)


def packed_again(index: Path, bags: pa.Table, shard: int) -> pa.Table:
    """Bags as they are stored. Terms that the shard did not have are added to it."""
    path = path_of(index, "terms", shard)
    listed = [row["term"] for batch in unpacked_batches(path) for row in batch.to_pylist()]
    named = [term for row in bags.column("terms").to_pylist() for term in row or []]
    terms = sorted({*listed, *named})
    batch = pa.RecordBatch.from_pydict({"term": terms}, schema=schema_of("terms", 0))
    writer = table_writer(path, "terms", batch.schema)
    writer.write(batch)
    writer.close()
    packer = bag_packer(iter([batch]))
    return pa.Table.from_batches([packer.pack(rows) for rows in bags.to_batches()])


def with_values(column: str, change: Callable[[list[Any]], Any]) -> Change:
    """Change the values of a column in place."""

    def changed(table: pa.Table) -> pa.Table:
        values = table.column(column).to_pylist()
        change(values)
        place = table.schema.get_field_index(column)
        field = table.schema.field(place)
        return table.set_column(place, field, pa.chunked_array([pa.array(values, field.type)]))

    return changed


def swapped(first: int, second: int) -> Change:
    """Two rows of a table in each other's place."""

    def changed(table: pa.Table) -> pa.Table:
        order = list(range(table.num_rows))
        order[first], order[second] = order[second], order[first]
        return table.take(pa.array(order))

    return changed
