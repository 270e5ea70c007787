"""Lines of a file that people keep, and the rows of a directory: a URL and the path of a class.

A table has URL, TAB, path of the class; or the same with commas and quotes. JSON lines have
{"url": …, "class": "Science/Physics"} or "class": [names].
"""

import csv
import gzip
import io
import json
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from typing import NamedTuple

from pagekin import _core
from pagekin.errors import DirectoryError, InputError

__all__ = [
    "BOM",
    "FileKind",
    "PageIds",
    "Row",
    "numbered_lines",
    "open_inflated",
    "path_of",
    "read_json_lines",
    "read_table",
    "split_cells",
]

BOM = b"\xef\xbb\xbf"
_GZIP = b"\x1f\x8b"
_LONGEST = 1 << 20


class FileKind(NamedTuple):
    """What a file is meant to be, for errors about it."""

    name: str
    error: type[InputError]
    advice: str


class PageIds:
    """The ids of pages by their URLs as people write them, each URL looked at once."""

    def __init__(self) -> None:
        self._known: dict[str, int | None] = {}

    def of(self, url: str) -> int | None:
        """The id of a page; nothing if the URL is not valid."""
        if url not in self._known:
            canonical = _core.canonical(url)
            self._known[url] = None if canonical is None else _core.url_id(canonical)
        return self._known[url]


DIRECTORY = FileKind(
    "the directory", DirectoryError, "give a UTF-8 file with one URL and class per line"
)


class Row(NamedTuple):
    """A page of a class, and the line that says so."""

    line: int
    url: str
    path: tuple[str, ...]


def path_of(text: str, source: str | PathLike[str], line: int) -> tuple[str, ...]:
    """`Science/Physics/Optics` as names from the top down."""
    path = tuple(name for part in text.split("/") if (name := part.strip()))
    if not path:
        raise DirectoryError(
            "the class has no name",
            source=source,
            line=line,
            advice="separate names with /, for example Science/Physics",
        )
    return path


@contextmanager
def open_inflated(path: Path, kind: FileKind = DIRECTORY) -> Iterator[io.BufferedReader]:
    """The file, inflated if it is compressed. What goes wrong while it is open names the file."""
    try:
        with path.open("rb") as file:
            if file.peek(2).startswith(_GZIP):
                with gzip.open(file) as inflated:
                    yield io.BufferedReader(inflated)
            else:
                yield file
    except (OSError, EOFError, zlib.error, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else error
        message = f"{kind.name} cannot be read ({reason})"
        raise kind.error(message, source=path, advice=kind.advice) from error


def numbered_lines(
    path: Path, file: io.BufferedReader, kind: FileKind = DIRECTORY
) -> Iterator[tuple[int, str]]:
    """Numbered lines of text. A line without end is refused before it fills the memory."""
    number = 0
    while raw := file.readline(_LONGEST):
        number += 1
        if len(raw) == _LONGEST:
            message = f"a line of more than {_LONGEST:,} bytes"
            raise kind.error(message, source=path, line=number, advice=kind.advice)
        try:
            text = raw.removeprefix(BOM if number == 1 else b"").decode()
        except UnicodeDecodeError as error:
            message = f"not UTF-8 ({error.reason})"
            raise kind.error(message, source=path, line=number, advice=kind.advice) from error
        yield number, text.rstrip("\r\n")


_HEADINGS = {"url", "uri", "page", "address"}


def read_table(source: Path, lines: Iterable[tuple[int, str]]) -> Iterator[Row]:
    """The rows of a table. Empty lines, lines that begin with #, and a heading are passed over."""
    first = True
    for line, cells in split_cells(source, lines):
        if not (first and cells[0].casefold() in _HEADINGS):
            yield _table_row(source, line, cells)
        first = False


def split_cells(
    source: Path, lines: Iterable[tuple[int, str]], kind: FileKind = DIRECTORY
) -> Iterator[tuple[int, list[str]]]:
    """Numbered lines as cells; the first line determines whether TABs or commas separate them."""
    parted_by_tabs: bool | None = None
    for line, text in lines:
        if not text.strip() or text.startswith("#"):
            continue
        if parted_by_tabs is None:
            parted_by_tabs = "\t" in text
        if parted_by_tabs:
            yield line, [cell.strip() for cell in text.split("\t")]
        else:
            yield line, _with_commas(source, line, text, kind)


def _with_commas(source: Path, line: int, text: str, kind: FileKind) -> list[str]:
    try:
        return [cell.strip() for cell in next(csv.reader([text], strict=True))]
    except csv.Error as error:
        raise kind.error(
            f"not a line of CSV ({error})",
            source=source,
            line=line,
            advice='close the quotes, and double those inside: "a ""b"" c"',
        ) from error


def _table_row(source: Path, line: int, cells: list[str]) -> Row:
    if len(cells) < 2 or not cells[0]:
        raise DirectoryError(
            "no URL and class, parted by a TAB or a comma",
            source=source,
            line=line,
            advice="write for example http://a.example/, TAB, Science/Physics",
        )
    return Row(line, cells[0], path_of(cells[1], source, line))


_CLASS = ("class", "category")


def read_json_lines(source: Path, lines: Iterable[tuple[int, str]]) -> Iterator[Row]:
    """One row per object, one object per line."""
    for line, text in lines:
        if text.strip():
            yield _json_row(source, line, text)


def _json_row(source: Path, line: int, text: str) -> Row:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise _json_error(f"not JSON ({error})", source, line) from error
    if not isinstance(found, dict) or not isinstance(found.get("url"), str):
        raise _json_error('no object with a "url"', source, line)
    path = next((found[name] for name in _CLASS if name in found), None)
    if isinstance(path, list) and path and all(isinstance(name, str) for name in path):
        names = tuple(name.strip() for name in path)
        return Row(line, found["url"], names if all(names) else path_of("", source, line))
    if not isinstance(path, str):
        raise _json_error('no "class" that is a path or a list of names', source, line)
    return Row(line, found["url"], path_of(path, source, line))


def _json_error(what: str, source: Path, line: int) -> DirectoryError:
    return DirectoryError(
        what,
        source=source,
        line=line,
        advice='write an object per line: {"url": "http://a.example/", "class": "Science/Physics"}',
    )
