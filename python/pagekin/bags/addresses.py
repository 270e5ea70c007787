"""Which addresses are one page: drives the comparison, and moves links to the page that they mean.

addresses that each partition knows -> ranges of variant keys -> other addresses of pages
links to those -> the partition of their page
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Generic

import pyarrow as pa

from pagekin import _core
from pagekin.bags.templates import P, PartitionedPages
from pagekin.work.partitions import FilePart, PartitionedFile

__all__ = ["Addresses", "find_addresses", "move_links"]


@dataclass(frozen=True, slots=True)
class Addresses(Generic[P]):
    """Other addresses of pages, their captures (a batch of run and page for each range), and the
    links to them."""

    aliases: _core.Aliases
    folded: list[pa.RecordBatch] = field(default_factory=list)
    moved: list[PartitionedFile[P]] = field(default_factory=list)

    def parts(self, partition: int) -> list[FilePart[P]]:
        """The links that moved to a partition."""
        return [run.part(partition) for run in self.moved]

    @property
    def pages(self) -> int:
        """How many of the addresses were fetched."""
        return sum(batch.num_rows for batch in self.folded)


def find_addresses(
    map_parts: "Callable[[Callable[[int], Any], range], Iterator[Any]]",
    pages: PartitionedPages[P],
    bits: int,
    moved: Callable[[int], P],
) -> Addresses[P]:
    """Compare addresses in 2^`bits` ranges of variant keys.

    Captures of other addresses are added to the superseded ones. Moved links go to the files of
    `moved`, one for each partition that they come from.
    """

    def pack(partition: int) -> PartitionedFile[P]:
        place, parts = pages.counts(partition), pages.parts(partition)
        return PartitionedFile(place, _core.pack_addresses(parts, pages.superseded, bits, place))

    packed = [*map_parts(pack, range(1 << pages.bits))]

    def merge(number: int) -> _core.AddressRange:
        return _core.merge_addresses([run.part(number) for run in packed])

    ranges = [*map_parts(merge, range(1 << bits))]
    aliases = _core.Aliases([found.aliases for found in ranges])
    folded = [found.folded for found in ranges]
    for batch in folded:
        pages.superseded.add(batch)
    return Addresses(aliases, folded, move_links(map_parts, pages, aliases, moved))


def move_links(
    map_parts: "Callable[[Callable[[int], Any], range], Iterator[Any]]",
    pages: PartitionedPages[P],
    aliases: _core.Aliases,
    moved: Callable[[int], P],
) -> list[PartitionedFile[P]]:
    """Move the links to other addresses of pages; nothing if there are no such addresses."""

    def move(partition: int) -> PartitionedFile[P]:
        place, parts = moved(partition), pages.parts(partition)
        facts = pages.superseded, aliases
        return PartitionedFile(place, _core.move_links(parts, *facts, pages.bits, place))

    return [*map_parts(move, range(1 << pages.bits))] if len(aliases) else []
