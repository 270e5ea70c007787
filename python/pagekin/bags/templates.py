"""Template detection: pagelets (texts between two breaks) that are on many pages of a host.

keys of the pagelets of each partition's pages -> counts by range of keys -> keys of templates
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

import pyarrow as pa

from pagekin import _core
from pagekin.work.partitions import FilePart, PartitionedFile

__all__ = ["P", "PartitionedPages", "find_templates"]

P = TypeVar("P", _core.SpillFile, Path)


@dataclass(frozen=True, slots=True)
class PartitionedPages(Generic[P]):
    """The evidence of 2^`bits` partitions, the captures that do not count, and files for counts."""

    parts: Callable[[int], Sequence[FilePart[Any]]]
    bits: int
    superseded: _core.SupersededCaptures
    counts: Callable[[int], P]


def find_templates(
    map_parts: "Callable[[Callable[[int], Any], range], Iterator[Any]]",
    pages: PartitionedPages[P],
    min_pages: int,
    bits: int,
) -> _core.Templates:
    """The pagelets that are on `min_pages` pages of their host or more, counted in 2^`bits` ranges.

    None if `min_pages` is 0.
    """
    if not min_pages:
        return _core.Templates([])

    def count(partition: int) -> PartitionedFile[P]:
        place = pages.counts(partition)
        parts = pages.parts(partition)
        return PartitionedFile(place, _core.count_pagelets(parts, pages.superseded, bits, place))

    counted = [*map_parts(count, range(1 << pages.bits))]

    def merge(number: int) -> "pa.Array[Any]":
        return _core.merge_pagelets([run.part(number) for run in counted], min_pages)

    return _core.Templates([*map_parts(merge, range(1 << bits))])
