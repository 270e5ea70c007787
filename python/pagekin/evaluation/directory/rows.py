"""Any file of a directory as rows.

What a file is, is found from its first bytes: XML is the Open Directory's RDF, `{` begins JSON
lines, everything else is a table. Any of them may be compressed with gzip. Rows are read one by
one, so that a file of gigabytes needs no more memory than a small one.
"""

import gzip
import io
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from os import PathLike, fspath
from pathlib import Path

from pagekin.errors import DirectoryError
from pagekin.evaluation.directory import jsonl, rdf, tables
from pagekin.evaluation.directory.row import Row

__all__ = ["Row", "read_rows"]

_GZIP = b"\x1f\x8b"
_BOM = b"\xef\xbb\xbf"
_LOOK = 4096
_LONGEST = 1 << 20


def read_rows(
    source: str | PathLike[str], structure: str | PathLike[str] | None = None
) -> Iterator[Row]:
    """The rows of a file, in its order.

    `structure` is the Open Directory's file of that name: it tells which class is below which.
    """
    path = Path(fspath(source))
    parents = None if structure is None else _read_structure(Path(fspath(structure)))
    with _opened(path) as file:
        start = file.peek(_LOOK)[:_LOOK].removeprefix(_BOM).lstrip()
        if start.startswith(b"<"):
            yield from rdf.read_content(path, file, parents)
        elif parents is not None:
            raise DirectoryError(
                "a structure file goes with the content.rdf.u8 of an Open Directory dump",
                source=path,
                advice="leave --structure out",
            )
        elif start.startswith(b"{"):
            yield from jsonl.read(path, _lines(path, file))
        else:
            yield from tables.read(path, _lines(path, file))


def _read_structure(path: Path) -> rdf.Parents:
    with _opened(path) as file:
        return rdf.read_structure(path, file)


@contextmanager
def _opened(path: Path) -> Iterator[io.BufferedReader]:
    """The file, inflated if it is compressed. Whatever goes wrong while it is open is told."""
    try:
        with path.open("rb") as file:
            if file.peek(2).startswith(_GZIP):
                with gzip.open(file) as inflated:
                    yield io.BufferedReader(inflated)
            else:
                yield file
    except (OSError, EOFError, zlib.error, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else error
        raise DirectoryError(
            f"the directory cannot be read ({reason})",
            source=path,
            advice="give a file of URLs and classes that you may read",
        ) from error


def _lines(path: Path, file: io.BufferedReader) -> Iterator[tuple[int, str]]:
    """Numbered lines of text. A line without end is refused before it fills the memory."""
    number = 0
    while raw := file.readline(_LONGEST):
        number += 1
        if len(raw) == _LONGEST:
            raise _no_text(path, number, f"a line of more than {_LONGEST:,} bytes")
        try:
            text = raw.removeprefix(_BOM if number == 1 else b"").decode()
        except UnicodeDecodeError as error:
            raise _no_text(path, number, f"not UTF-8 ({error.reason})") from error
        yield number, text.rstrip("\r\n")


def _no_text(path: Path, line: int, what: str) -> DirectoryError:
    return DirectoryError(
        what, source=path, line=line, advice="give a text file in UTF-8, a page and a class a line"
    )
