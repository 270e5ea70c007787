"""Small crawls for tests: captures to WARC files and back, and the tables of an index."""

import gzip
import json
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
from warcio.archiveiterator import ArchiveIterator

import pagekin
from pagekin import _core
from pagekin.index import schema_of
from pagekin.index.tables.packed import unpacked_batches
from pagekin.strategy import Strategy
from tests.reference import Capture

SHARED = Path(os.environ.get("PAGEKIN_DATA", Path(__file__).parents[2] / "shared" / "data"))
"""The crawls that benchmarks and tests share; docs/data.md says where they come from."""
SCHOOLS = SHARED / "schools.warc.gz"


def write_warc(path: Path, captures: Iterable[Capture]) -> list[Capture]:
    """Write captures, gzip by record; returns them with their file and offset."""
    placed = []
    with path.open("wb") as warc:
        for capture in captures:
            placed.append(capture._replace(file=str(path), offset=warc.tell()))
            warc.write(gzip.compress(_record(capture), compresslevel=1, mtime=0))
    return placed


def _record(capture: Capture) -> bytes:
    charset = f"; charset={capture.charset}" if capture.charset else ""
    http = f"HTTP/1.1 200 OK\r\nContent-Type: text/html{charset}\r\n\r\n".encode() + capture.body
    lines = ["WARC/1.1", "WARC-Type: response", f"WARC-Target-URI: {capture.url}"]
    if capture.date is not None:
        lines.append(f"WARC-Date: {datetime.fromtimestamp(capture.date, UTC):%Y-%m-%dT%H:%M:%SZ}")
    lines += ["Content-Type: application/http; msgtype=response", f"Content-Length: {len(http)}"]
    return "".join(f"{line}\r\n" for line in [*lines, ""]).encode() + http + b"\r\n\r\n"


def read_warc(path: Path) -> Iterator[Capture]:
    """The HTML pages of a WARC file, read by warcio."""
    with path.open("rb") as stream:
        records = ArchiveIterator(stream)
        for record in records:
            if record.rec_type != "response" or not record.http_headers:
                continue
            kind = record.http_headers.get_header("Content-Type") or ""
            if record.http_headers.get_statuscode() != "200" or "html" not in kind:
                continue
            charset = re.search(r"charset=([\w-]+)", kind)
            date = record.rec_headers.get_header("WARC-Date") or ""
            yield Capture(
                record.rec_headers.get_header("WARC-Target-URI") or "",
                record.content_stream().read(),
                charset[1] if charset else None,
                int(datetime.fromisoformat(date).timestamp()),
                str(path),
                records.get_record_offset(),
            )


def spread(folder: Path, captures: Sequence[Capture], files: int) -> list[Path]:
    """Distribute captures over this many WARC files."""
    paths = [folder / f"part-{number:02}.warc.gz" for number in range(files)]
    for number, path in enumerate(paths):
        write_warc(path, captures[number::files])
    return paths


def manifest(index: Path) -> dict[str, Any]:
    """The manifest of the index."""
    read: dict[str, Any] = json.loads((index / "manifest.json").read_text())
    return read


def read_table(index: Path, name: str) -> pa.Table:
    """All shards of a table, their lists unpacked."""
    described = manifest(index)
    files = sorted(file for file in described["files"] if file.startswith(f"{name}-"))
    positions = Strategy.from_toml(described["strategy"]).sketch.positions
    batches = [
        batch for file in files for batch in unpacked_batches(index / described["folder"] / file)
    ]
    return pa.Table.from_batches(batches, schema_of(name, positions))


def rows(index: Path, name: str) -> list[dict[str, Any]]:
    """The rows of a table as plain values."""
    return read_table(index, name).to_pylist()


def page_words(index: Path) -> list[str]:
    """The words of each page with spaces between them; none if it was not crawled."""
    texts = {row["id"]: row["text"] for row in rows(index, "texts")}
    return [" ".join(_core.words_of(texts.get(row["id"], ""))) for row in rows(index, "pages")]


def bags(index: Path) -> dict[int, dict[int, int]]:
    """The integers of each bag, by the id of its URL."""
    return {
        row["id"]: dict(zip(row["terms"], row["weights"], strict=True))
        for row in rows(index, "bags")
    }


def build_pages(
    folder: Path,
    pages: dict[str, str],
    strategy: Strategy,
    settings: pagekin.Settings | None = None,
) -> Path:
    """An index of pages at http://t.example/, by path; an empty path is the home page."""
    for name, text in pages.items():
        (folder / "pages").mkdir(parents=True, exist_ok=True)
        (folder / "pages" / f"{name or 'index'}.html").write_text(text)
    source = pagekin.Source(str(folder / "pages"), "http://t.example/")
    pagekin.build(source, folder / "index", strategy=strategy, settings=settings)
    return folder / "index"


def words_of(index: Path, path: str) -> dict[str, int]:
    """The integers of a bag of `build_pages`, by the words that the lexicon shows."""
    shown = {row["term"]: row["word"] for row in rows(index, "lexicon")}
    bag = bags(index)[_core.url_id(f"http://t.example/{path}")]
    return {shown[term]: weight for term, weight in bag.items()}
