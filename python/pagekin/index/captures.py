"""The table of captures: its look-up by URL, and what must hold of it."""

from collections.abc import Iterable, Iterator
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from pagekin import _core
from pagekin.index.tables.sorted import SortedTable

__all__ = ["PLACE", "capture_fault", "capture_rows"]

PLACE = ("file", "offset")
"""The columns that tell captures of a URL apart."""


def capture_rows(table: SortedTable, url: str) -> Iterator[dict[str, Any]]:
    """The captures of a canonical URL in order of their dates, those without one first. One that
    several indexes have is listed once."""
    seen = set()
    for batch in table.slices(_core.url_id(url)):
        # Of two URLs with one hash both are listed.
        for row in batch.filter(pc.equal(batch.column("url"), pa.scalar(url))).to_pylist():
            place = tuple(row[name] for name in PLACE)
            if place not in seen:
                seen.add(place)
                yield row


def capture_fault(
    captures: Iterable[pa.RecordBatch], pages: Iterable[pa.RecordBatch]
) -> str | None:
    """What is wrong with the captures of a shard, whose pages are these; None if nothing is."""
    missing: dict[int, tuple[str, int]] = {}
    for batch in pages:
        crawled = batch.filter(batch.column("crawled")).select(["id", *PLACE])
        missing |= {row["id"]: (row["file"], row["offset"]) for row in crawled.to_pylist()}
    for batch in captures:
        for row in batch.to_pylist():
            if _core.url_id(row["url"]) != row["id"]:
                return f"the capture of {row['url']} has the wrong id"
            if missing.get(row["id"]) == (row["file"], row["offset"]):
                del missing[row["id"]]
    return f"{len(missing):,} crawled pages are not among the captures" if missing else None
