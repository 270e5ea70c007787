"""A table of several indexes: their batches one after another, and look-ups in each of them."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pyarrow as pa

from pagekin.index.tables.mapped import MappedTable
from pagekin.index.tables.sorted import SortedTable

__all__ = ["JoinedTable", "OwnerOf"]

OwnerOf = Callable[[int], int | None]
"""The number of the index that knows a page best, by the id of the page."""


class JoinedTable(SortedTable):
    """Of a page, the rows of the index that knows it best; of links, those from such pages."""

    def __init__(
        self,
        members: Sequence[SortedTable],
        files: Sequence[MappedTable],
        schema: pa.Schema,
        owner_of: OwnerOf,
    ) -> None:
        super().__init__(files, schema)
        self._members = members
        self._owner_of = owner_of

    def find(self, key: int) -> dict[str, Any] | None:
        """The row with this key of the index that knows the page best."""
        owner = self._owner_of(key)
        members = self._members if owner is None else [self._members[owner]]
        return next((row for row in (table.find(key) for table in members) if row), None)

    def find_all(self, key: int, most: int) -> list[dict[str, Any]]:
        """The first `most` distinct rows with this key, those of the first index first."""
        found: dict[tuple[Any, ...], dict[str, Any]] = {}
        for number, table in enumerate(self._members):
            rows = (row for row in table.find_all(key, most) if self._counts(number, row))
            found.update((tuple(row.values()), row) for row in rows)
        return [*found.values()][:most]

    def slices(self, key: int) -> Iterator[pa.RecordBatch]:
        """All rows with this key, index by index."""
        for table in self._members:
            yield from table.slices(key)

    def _counts(self, member: int, row: dict[str, Any]) -> bool:
        """Whether a row counts: a link does if the index knows the linking page best."""
        return "source" not in row or self._owner_of(row["source"]) == member
