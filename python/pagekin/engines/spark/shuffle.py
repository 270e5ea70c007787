"""How evidence travels: parcels, cut into packets that Spark's shuffle carries.

    parcels -> packets ==shuffle==> one inbox per task -> parcels by destination

A packet is a row of at most `PACKET` bytes, however large its parcel, so neither Spark nor a worker
holds much at a time. Packets may arrive in any order; the inbox returns parcels in order.
"""

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from pagekin.work.partitions import FilePart

__all__ = ["BATCH_PACKETS", "SCHEMA", "Inbox", "Parcel", "packets", "postcodes"]

PACKET = 1 << 20
BATCH_PACKETS = 16
"""Packets in one batch between Spark and a worker."""
_FIELDS: "list[pa.Field[Any]]" = [
    pa.field("postcode", pa.int32()),
    pa.field("destination", pa.int32()),
    pa.field("sender", pa.int64()),
    pa.field("size", pa.int64()),
    pa.field("at", pa.int64()),
    pa.field("bytes", pa.binary()),
]
SCHEMA = pa.schema(_FIELDS)
_Numbers = np.ndarray[Any, np.dtype[np.uint32]]


@dataclass(frozen=True, slots=True)
class Parcel:
    """Bytes, or a part of a file of this machine, for a destination."""

    destination: int
    sender: int
    content: bytes | FilePart[str]


def packets(parcels: Iterable[Parcel], destinations: int) -> Iterator[pa.RecordBatch]:
    """Batches of the packets of parcels to this many destinations."""
    codes = postcodes(destinations)
    rows: list[tuple[int, int, int, int, int, bytes]] = []
    held = 0
    for parcel in parcels:
        size, chunks = _chunks(parcel.content)
        for at, chunk in chunks:
            place = (codes[parcel.destination], parcel.destination, parcel.sender)
            rows.append((*place, size, at, chunk))
            held += len(chunk)
            if held >= BATCH_PACKETS * PACKET:
                yield _batch(rows)
                rows, held = [], 0
    if rows:
        yield _batch(rows)


def _batch(rows: list[tuple[int, int, int, int, int, bytes]]) -> pa.RecordBatch:
    columns = [
        pa.array(column, field.type)
        for column, field in zip(zip(*rows, strict=True), _FIELDS, strict=True)
    ]
    return pa.RecordBatch.from_arrays(columns, schema=SCHEMA)


def _chunks(content: bytes | FilePart[str]) -> tuple[int, Iterator[tuple[int, bytes]]]:
    """The number of bytes, and the bytes in chunks with their offsets."""
    if isinstance(content, bytes):
        places = range(0, len(content), PACKET)
        return len(content), ((at, content[at : at + PACKET]) for at in places)
    return content.size, _read(content)


def _read(part: FilePart[str]) -> Iterator[tuple[int, bytes]]:
    with Path(part.place).open("rb") as file:
        file.seek(part.start)
        for at in range(0, part.size, PACKET):
            yield at, file.read(min(PACKET, part.size - at))


class Inbox:
    """The parcels that reached a task, in one file per destination."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._parcels: dict[int, dict[int, FilePart[str]]] = {}
        self._ends: dict[int, int] = {}

    def take(self, batches: Iterable[pa.RecordBatch]) -> "Inbox":
        """Take in all packets."""
        files: dict[int, int] = {}
        try:
            for batch in batches:
                for row in range(batch.num_rows):
                    self._take(batch.slice(row, 1), files)
        finally:
            for file in files.values():
                os.close(file)
        return self

    def _take(self, packet: pa.RecordBatch, files: dict[int, int]) -> None:
        _, destination, sender, size, at, content = (column[0] for column in packet.columns)
        to = destination.as_py()
        path = self._folder / f"{to:05}.parcels"
        if to not in files:
            files[to] = os.open(path, os.O_CREAT | os.O_RDWR)
        known = self._parcels.setdefault(to, {})
        if sender.as_py() not in known:
            start = self._ends.get(to, 0)
            self._ends[to] = start + size.as_py()
            known[sender.as_py()] = FilePart(str(path), start, self._ends[to])
        os.pwrite(files[to], content.as_buffer(), known[sender.as_py()].start + at.as_py())

    def __iter__(self) -> Iterator[tuple[int, list[tuple[int, FilePart[str]]]]]:
        for destination in sorted(self._parcels):
            yield destination, sorted(self._parcels[destination].items())
            (self._folder / f"{destination:05}.parcels").unlink(missing_ok=True)


@lru_cache(maxsize=8)
def postcodes(destinations: int) -> list[int]:
    """For each destination a number that Spark's hash maps to a task of its own.

    Without them some tasks would get several destinations and others none. They are found by
    trying; a hash that Spark computed otherwise would cost balance and nothing else.
    """
    found = np.full(destinations, -1, np.int64)
    first = 0
    while (found < 0).any():
        tried = np.arange(first, first + 4 * destinations, dtype=np.uint32)
        places = _spark_hash(tried).view(np.int32) % destinations
        place, at = np.unique(places, return_index=True)
        found[place] = np.where(found[place] < 0, tried[at], found[place])
        first += len(tried)
    return [int(code) for code in found]


def _spark_hash(numbers: _Numbers) -> _Numbers:
    """Murmur3 (x86, 32 bits, seed 42) of each number's four bytes."""
    mixed = _rotate(numbers * np.uint32(0xCC9E2D51), 15) * np.uint32(0x1B873593)
    hashed = _rotate(mixed ^ np.uint32(42), 13) * np.uint32(5) + np.uint32(0xE6546B64)
    hashed ^= np.uint32(4)
    for shift, factor in ((16, 0x85EBCA6B), (13, 0xC2B2AE35), (16, 1)):
        hashed = (hashed ^ (hashed >> np.uint32(shift))) * np.uint32(factor)
    return hashed


def _rotate(numbers: _Numbers, bits: int) -> _Numbers:
    return (numbers << np.uint32(bits)) | (numbers >> np.uint32(32 - bits))
