"""Tampered tables with updated checksums, which `check` reports."""

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import pagekin
from pagekin.errors import IndexCorrupt
from pagekin.index.tables.mapped import batches_in
from pagekin.index.tables.schema import schema_of
from pagekin.index.writer import TableWriter
from tests.index.forging import (
    ROSES,
    fault_of,
    forge,
    path_of,
    reseal,
    swapped,
    with_values,
)


def spoilt_list(values: list[Any], change: Callable[[list[int]], Any]) -> None:
    """Change the longest list of a column."""
    change(max(values, key=len))


def exchange(values: list[Any], first: int, second: int) -> None:
    values[first], values[second] = values[second], values[first]


LAST_TERM = pa.table({"term": pa.array([2**64 - 1], pa.uint64())})
ZSTANDARD = b"\x28\xb5\x2f\xfd"
"""How compressed data begin."""


def plus(values: list[Any], place: int, step: int) -> None:
    values[place] += step


FORGERIES = {
    "a loading too many": (
        "loadings",
        with_values("loadings", lambda rows: rows[2].append(1)),
        "loadings-00000.arrow: a term does not have one loading per component",
    ),
    "loadings of nothing": (
        "loadings",
        with_values("loadings", lambda rows: rows.__setitem__(2, [0] * len(rows[2]))),
        "loadings-00000.arrow: all loadings of a term are 0",
    ),
    "loadings not in order": (
        "loadings",
        swapped(2, 3),
        "loadings-00000.arrow: the rows are out of order",
    ),
    "another concept": (
        "concepts",
        with_values("concept", lambda numbers: exchange(numbers, 0, 1)),
        "concepts-00000.arrow: concept 16 has the term of another concept",
    ),
    "a concept in a bag that is none": (
        "bags",
        with_values("terms", lambda bags: next(filter(None, bags)).__setitem__(0, 1 << 51)),
        "bags-00000.arrow: a bag refers to unknown concept 2048",
    ),
    "ids not in order": ("pages", swapped(4, 5), "pages-00000.arrow: the rows are out of order"),
    "another URL": (
        "pages",
        with_values("url", lambda urls: exchange(urls, 4, 5)),
        "pages-00000.arrow: the row of http",
    ),
    "another site": (
        "pages",
        with_values("site", lambda sites: sites.__setitem__(0, "elsewhere.example")),
        "has the wrong id or site",
    ),
    "text of another page": (
        "texts",
        with_values("id", lambda ids: plus(ids, 0, 1)),
        "texts-00000.arrow: a crawled page has no text, or another page has one",
    ),
    "a missing text": (
        "texts",
        lambda table: table.slice(0, table.num_rows - 1),
        "texts-00000.arrow: a crawled page has no text",
    ),
    "a text of other words": (
        "texts",
        with_values("text", lambda texts: texts.__setitem__(3, "roses")),
        "texts-00000.arrow: a text does not have the words of its page",
    ),
    "a template behind its text": (
        "texts",
        with_values("templates", lambda places: places.__setitem__(2, [0, 1 << 31])),
        "texts-00000.arrow: a template is not in its text",
    ),
    "a window without its anchor": (
        "links",
        with_values("to", lambda ends: ends.__setitem__(2, 0)),
        "links-00000.arrow: a window does not contain its anchor",
    ),
    "links not in order": (
        "links",
        lambda table: swapped(0, table.num_rows - 1)(table),
        "links-00000.arrow: the rows are out of order",
    ),
    "terms not in order": (
        "bags",
        with_values("terms", lambda bags: spoilt_list(bags, list.reverse)),
        "bags-00000.arrow: the terms of a bag are out of order",
    ),
    "weights of another sum": (
        "bags",
        with_values("weights", lambda bags: spoilt_list(bags, lambda bag: plus(bag, 0, 1))),
        "bags-00000.arrow: the weights of a bag do not sum to 65535",
    ),
    "weights of the right sum": (
        "bags",
        with_values("weights", lambda bags: spoilt_list(bags, lambda bag: bag.sort())),
        "holders-00000.arrow: the weighted postings do not match the bags",
    ),
    "a term of no bag": (
        "terms",
        lambda table: pa.concat_tables([table, LAST_TERM.cast(table.schema)]),
        "terms-00000.arrow: the terms are not those of the bags",
    ),
    "terms of a shard not in order": (
        "terms",
        lambda table: table.take(pa.array(range(table.num_rows))[::-1]),
        "the terms of a bag are out of order",
    ),
    "bags of other pages": (
        "bags",
        with_values("id", lambda ids: plus(ids, 0, 1)),
        "bags-00000.arrow: the ids differ from those of the pages",
    ),
    "a term in no bag": (
        "lexicon",
        with_values("frequency", lambda counts: counts.__setitem__(9, 0)),
        "lexicon-00000.arrow: the frequency of a term is 0 or exceeds the number of bags",
    ),
    "a term in more bags than there are": (
        "lexicon",
        with_values("frequency", lambda counts: counts.__setitem__(9, 143)),
        "lexicon-00000.arrow: the frequency of a term is 0 or exceeds the number of bags",
    ),
    "terms of the lexicon not in order": (
        "lexicon",
        swapped(0, 1),
        "lexicon-00000.arrow: the rows are out of order",
    ),
    "holders are not of the bags": (
        "holders",
        with_values("crawled_weights", lambda lists: plus(next(filter(None, lists)), 0, 1)),
        "holders-00000.arrow: the weighted postings do not match the bags",
    ),
    "a holder of another place": (
        "holders",
        with_values("crawled", lambda lists: plus(next(filter(None, lists)), 0, 1)),
        "holders-00000.arrow: the weighted postings do not match the bags",
    ),
    "a row too few": (
        "lexicon",
        lambda table: table.slice(1),
        ": the manifest counts 3097 terms, the tables have 3096",
    ),
}


@pytest.mark.parametrize("forgery", FORGERIES)
def test_forged_table_is_reported(index: Path, forgery: str) -> None:
    table, change, said = FORGERIES[forgery]
    forge(index, table, change)
    assert said in fault_of(index)


@pytest.mark.parametrize("table", ["pages", "texts", "links", "bags", "lexicon"])
def test_wrong_batch_size_is_reported(index: Path, table: str) -> None:
    forge(index, table, lambda found: found, rows=7)
    assert fault_of(index) == (f"{table}-00000.arrow: a batch has the wrong number of rows")


@pytest.mark.parametrize("table", ["pages", "texts", "links", "bags", "lexicon"])
def test_table_of_another_shard_is_reported(index: Path, table: str) -> None:
    # Without their terms bags cannot be read at all.
    for name in (table, "terms") if table == "bags" else (table,):
        first, second = path_of(index, name, 0), path_of(index, name, 1)
        first.write_bytes(second.read_bytes())
    reseal(index)
    assert f"{table}-00000.arrow: a row belongs to another shard" in fault_of(index)


WRONG_INVERSE = pa.RecordBatch.from_pylist(
    [{"value": 9, "row": 0}, {"value": 1, "row": 1 << 31}], schema=schema_of("inverse", 80)
)


SKETCH_FORGERIES = {
    "H is not of the bags": (
        with_values("sketch", lambda rows: plus(rows[3], 7, 1)),
        "a sketch does not match its bag",
    ),
    "ids of H": (
        with_values("id", lambda ids: plus(ids, 3, 1)),
        "the ids differ from those of the pages",
    ),
}


@pytest.mark.parametrize("forgery", SKETCH_FORGERIES)
def test_forged_sketches_are_reported(large: Path, forgery: str) -> None:
    change, said = SKETCH_FORGERIES[forgery]
    forge(large, "sketches", change)
    assert fault_of(large) == f"sketches-00000.arrow: {said}"


def test_sketches_of_a_small_index_are_reported(index: Path) -> None:
    row, schema = {"id": 1, "sketch": [1] * 80}, schema_of("sketches", 80)
    writer = TableWriter(path_of(index, "sketches"), schema, None)
    writer.write(pa.RecordBatch.from_pylist([row], schema=schema))
    writer.close()
    reseal(index)
    assert fault_of(index) == "sketches-00000.arrow: a small index has no sketches"


def inverse_batches(index: Path) -> list[pa.RecordBatch]:
    with pa.OSFile(str(path_of(index, "inverse")), "rb") as file:
        return [*batches_in(file)]


def write_inverse(index: Path, batches: list[pa.RecordBatch]) -> None:
    writer = TableWriter(path_of(index, "inverse"), batches[0].schema, None)
    for batch in batches:
        writer.write(batch)
    writer.close()
    reseal(index)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda batches: batches[:-1], "position 79 does not match the sketches"),
        (lambda batches: [*batches, batches[0]], "it has more positions than a sketch"),
        (lambda batches: batches[::-1], "position 0 does not match the sketches"),
        (
            lambda batches: [*batches[:5], batches[5].slice(1), *batches[6:]],
            "position 5 does not match the sketches",
        ),
        (
            lambda batches: [
                batches[0].take(pa.array([1, 0, *range(2, batches[0].num_rows)])),
                *batches[1:],
            ],
            "position 0 does not match the sketches",
        ),
    ],
)
def test_forged_inverse_is_reported(
    large: Path, change: Callable[[list[pa.RecordBatch]], list[pa.RecordBatch]], said: str
) -> None:
    write_inverse(large, change(inverse_batches(large)))
    assert fault_of(large) == f"inverse-00000.arrow: {said}"


def test_inverse_of_a_small_index_is_reported(index: Path) -> None:
    write_inverse(index, [WRONG_INVERSE])
    assert fault_of(index) == "inverse-00000.arrow: a small index has no inverted sketches"


def test_query_of_a_forged_index_does_not_crash(index: Path, tmp_path: Path) -> None:
    """A forged table cannot be recognised by itself, but it must not crash the process."""
    code = "\n".join(
        [
            "import sys, pagekin",
            "for path in sys.argv[2:]:",
            "    try:",
            "        index = pagekin.open(path)",
            "        index.related(sys.argv[1]), index.show(sys.argv[1])",
            "        index.related(sys.argv[1], min_agreement=0.01)",
            "        index.related_to_text('garden roses')",
            "    except pagekin.errors.PagekinError:",
            "        pass",
        ]
    )
    paths = []
    for number, (table, change, _) in enumerate(FORGERIES.values()):
        paths.append(shutil.copytree(index, tmp_path / f"forged-{number}"))
        forge(paths[-1], table, change)
    write_inverse(paths[0], [WRONG_INVERSE] * 80)
    ran = subprocess.run(
        [sys.executable, "-c", code, ROSES, *paths], capture_output=True, text=True, check=False
    )
    assert (ran.returncode, ran.stderr) == (0, "")


def test_text_that_claims_too_much_memory_is_never_decompressed(index: Path) -> None:
    path = path_of(index, "texts")
    content = bytearray(path.read_bytes())
    frame = content.index(ZSTANDARD)
    content[frame - 8 : frame] = (1 << 40).to_bytes(8, "little")
    path.write_bytes(content)
    reseal(index)
    assert "would take 10995" in fault_of(index)
    with pytest.raises(IndexCorrupt, match="would take 10995"):
        [*pagekin.open(index).reader.tables["texts"].batches()]


def test_compressed_batches_of_other_tables_are_refused(index: Path) -> None:
    path = path_of(index, "bags")
    with pa.OSFile(str(path), "rb") as file:
        found = pa.ipc.open_file(file).read_all()
    options = pa.ipc.IpcWriteOptions(compression="zstd")
    with (
        pa.OSFile(str(path), "wb") as file,
        pa.ipc.new_file(file, found.schema, options=options) as out,
    ):
        out.write_table(found)
    reseal(index)
    with pytest.raises(IndexCorrupt, match="a batch is compressed"):
        pagekin.open(index).related(ROSES)
