"""Parcels sent as packets that arrive in any order."""

import random
from collections import defaultdict
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from pagekin.engines.spark import shuffle
from pagekin.engines.spark.shuffle import Inbox, Parcel, packets, postcodes
from pagekin.work.partitions import FilePart

CONTENTS = some.dictionaries(
    some.tuples(some.integers(0, 5), some.integers(0, 1 << 40)), some.binary(min_size=1), max_size=8
)


def delivered(batches: list[pa.RecordBatch], folder: Path) -> dict[tuple[int, int], bytes]:
    """The contents of an inbox, by destination and sender."""
    found = {}
    for destination, parcels in Inbox(folder).take(batches):
        for sender, part in parcels:
            found[destination, sender] = Path(part.place).read_bytes()[part.start : part.end]
    return found


@settings(max_examples=60)
@given(CONTENTS, some.integers(1, 7), some.randoms(use_true_random=False))
def test_parcels_are_reassembled_from_packets_in_any_order(
    tmp_path_factory: pytest.TempPathFactory,
    contents: dict[tuple[int, int], bytes],
    packet: int,
    chance: random.Random,
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shuffle, "PACKET", packet)
        parcels = [Parcel(to, sender, content) for (to, sender), content in contents.items()]
        sent = [batch.slice(row, 1) for batch in packets(parcels, 6) for row in range(len(batch))]
    chance.shuffle(sent)
    assert all(len(batch.column("bytes")[0].as_py()) <= packet for batch in sent)
    assert delivered(sent, tmp_path_factory.mktemp("inbox")) == contents


def test_part_of_a_file_is_sent_as_a_parcel(tmp_path: Path) -> None:
    path = tmp_path / "run"
    path.write_bytes(bytes(range(100)))
    batches = list(packets([Parcel(2, 7, FilePart(str(path), 10, 90))], 3))
    assert delivered(batches, tmp_path) == {(2, 7): bytes(range(10, 90))}


def test_large_parcels_are_sent_in_bounded_batches() -> None:
    parcels = [Parcel(0, sender, bytes(5 << 20)) for sender in range(8)]
    sizes = [batch.nbytes for batch in packets(parcels, 1)]
    assert len(sizes) == 3
    assert max(sizes) < (shuffle.BATCH_PACKETS + 1) * shuffle.PACKET


def test_inbox_is_ordered_by_destination_and_sender(tmp_path: Path) -> None:
    parcels = [Parcel(to, sender, b"x") for to in (3, 1) for sender in (9, 4, 6)]
    found = [
        (destination, [sender for sender, _ in parcels])
        for destination, parcels in Inbox(tmp_path).take(packets(parcels, 4))
    ]
    assert found == [(1, [4, 6, 9]), (3, [4, 6, 9])]


@pytest.mark.parametrize("destinations", [1, 2, 3, 9, 64, 1025])
def test_every_destination_has_a_distinct_postcode(destinations: int) -> None:
    tasks = defaultdict(list)
    for destination, code in enumerate(postcodes(destinations)):
        tasks[murmur3(code) % destinations].append(destination)
    assert tasks == {task: [task] for task in range(destinations)}


def murmur3(number: int) -> int:
    """Murmur3 of an int with seed 42, signed, step by step as its author describes it."""
    mask = 0xFFFFFFFF

    def turned(value: int, bits: int) -> int:
        return (value << bits | value >> (32 - bits)) & mask

    hashed = 42 ^ turned(number * 0xCC9E2D51 & mask, 15) * 0x1B873593 & mask
    hashed = (turned(hashed, 13) * 5 + 0xE6546B64) & mask
    hashed ^= 4
    hashed = (hashed ^ hashed >> 16) * 0x85EBCA6B & mask
    hashed = (hashed ^ hashed >> 13) * 0xC2B2AE35 & mask
    hashed ^= hashed >> 16
    return hashed - (1 << 32) if hashed >> 31 else hashed
