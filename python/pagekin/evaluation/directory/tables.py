"""Directories as tables: URL, TAB, path of the class; or the same with commas and quotes."""

import csv
from collections.abc import Iterable, Iterator
from pathlib import Path

from pagekin.errors import DirectoryError
from pagekin.evaluation.directory.row import Row, path_of

__all__ = ["read"]

_HEADINGS = {"url", "uri", "page", "address"}


def read(source: Path, lines: Iterable[tuple[int, str]]) -> Iterator[Row]:
    """The rows of a table. Empty lines, lines that begin with #, and a heading are passed over."""
    first = True
    for line, cells in _cells(source, lines):
        if not (first and cells[0].casefold() in _HEADINGS):
            yield _row(source, line, cells)
        first = False


def _cells(source: Path, lines: Iterable[tuple[int, str]]) -> Iterator[tuple[int, list[str]]]:
    """Numbered lines as cells; the first line tells whether TABs or commas part them."""
    parted_by_tabs: bool | None = None
    for line, text in lines:
        if not text.strip() or text.startswith("#"):
            continue
        if parted_by_tabs is None:
            parted_by_tabs = "\t" in text
        if parted_by_tabs:
            yield line, [cell.strip() for cell in text.split("\t")]
        else:
            yield line, _with_commas(source, line, text)


def _with_commas(source: Path, line: int, text: str) -> list[str]:
    try:
        return [cell.strip() for cell in next(csv.reader([text], strict=True))]
    except csv.Error as error:
        raise DirectoryError(
            f"not a line of CSV ({error})",
            source=source,
            line=line,
            advice='close the quotes, and double those inside: "a ""b"" c"',
        ) from error


def _row(source: Path, line: int, cells: list[str]) -> Row:
    if len(cells) < 2 or not cells[0]:
        raise DirectoryError(
            "no URL and class, parted by a TAB or a comma",
            source=source,
            line=line,
            advice="write for example http://a.example/, TAB, Science/Physics",
        )
    return Row(line, cells[0], path_of(cells[1], source, line))
