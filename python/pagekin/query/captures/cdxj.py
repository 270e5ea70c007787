"""Captures as CDXJ, the capture index that pywb reads: a line a capture, sorted by SURT and date.

    example,a)/ 20200102030405 {"url": "http://a.example/", "mime": "text/html", …}

Lines are sorted in parts that fit the memory, which are merged (external merge sort).
"""

import heapq
import json
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Any

from pagekin.dates import timestamp
from pagekin.index import IndexReader
from pagekin.query.captures.surt import surt
from pagekin.work.files import draft_file, refuse_folder, write_errors

__all__ = ["CdxjSummary", "write_cdxj"]

_WHAT = "the capture index"
SORTED = 1 << 17
"""Lines that are sorted at once."""


@dataclass(frozen=True, slots=True)
class CdxjSummary:
    """How many captures were written, and how many were left out, by reason."""

    captures: int
    left_out: dict[str, int]


def write_cdxj(index: IndexReader, path: Path) -> CdxjSummary:
    """Write the captures that a capture index can name; the file appears when it is complete."""
    left_out: Counter[str] = Counter()
    count = 0
    refuse_folder(_WHAT, path)
    with write_errors(_WHAT, path), ExitStack() as stack:
        stack.enter_context(index.blaming())
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="pagekin-"))
        parts = _sorted_parts(_lines(index, _file_names(index), left_out), Path(folder))
        draft = stack.enter_context(draft_file(path, "capture index"))
        opened = [stack.enter_context(part.open(encoding="ascii")) for part in parts]
        with draft.open("w", encoding="ascii") as out:
            for line in heapq.merge(*opened):
                out.write(line)
                count += 1
    return CdxjSummary(count, dict(left_out))


def _sorted_parts(lines: Iterator[str], folder: Path) -> list[Path]:
    parts: list[Path] = []
    while some := sorted(islice(lines, SORTED)):
        parts.append(folder / f"{len(parts)}")
        with parts[-1].open("w", encoding="ascii") as file:
            file.writelines(some)
    return parts


def _lines(index: IndexReader, names: dict[str, str], left_out: Counter[str]) -> Iterator[str]:
    for batch in index.tables["captures"].batches():
        for row in batch.to_pylist():
            reason = _unusable(row)
            if reason:
                left_out[reason] += 1
            else:
                yield _line(row, names)


def _unusable(row: dict[str, Any]) -> str | None:
    """Why a capture index cannot name a capture."""
    if row["kind"] == "file":
        return "of a folder of pages"
    if row["length"] is None:
        return "in a file compressed as a whole"
    return "without a date" if row["date"] is None else None


def _line(row: dict[str, Any], names: dict[str, str]) -> str:
    date: datetime = row["date"]
    is_revisit = row["kind"] == "revisit"
    fields = {
        "url": row["url"],
        "mime": "warc/revisit" if is_revisit else row["media"] or "unk",
        "status": None if row["status"] is None else f"{row['status']}",
        "digest": row["digest"] and row["digest"].removeprefix("sha1:"),
        "length": f"{row['length']}",
        "offset": f"{row['offset']}",
        "filename": names[row["file"]],
    }
    known = {name: value for name, value in fields.items() if value is not None}
    return f"{surt(row['url'])} {timestamp(int(date.timestamp()))} {json.dumps(known)}\n"


def _file_names(index: IndexReader) -> dict[str, str]:
    """The last part of each file's name; the whole name if others have the same last part."""
    found: set[str] = set()
    for batch in index.tables["captures"].batches():
        found.update(map(str, batch.column("file").unique().to_pylist()))
    shared = Counter(_last(name) for name in found)
    return {name: _last(name) if shared[_last(name)] == 1 else name for name in found}


def _last(name: str) -> str:
    return name.replace("#", "/").rpartition("/")[2]
