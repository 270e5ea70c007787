"""Directories as JSON lines: {"url": …, "class": "Science/Physics"} or "class": [names]."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

from pagekin.errors import DirectoryError
from pagekin.evaluation.directory.row import Row, path_of

__all__ = ["read"]

_CLASS = ("class", "category")


def read(source: Path, lines: Iterable[tuple[int, str]]) -> Iterator[Row]:
    """One row an object, one object a line."""
    for line, text in lines:
        if text.strip():
            yield _row(source, line, text)


def _row(source: Path, line: int, text: str) -> Row:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise _wrong(f"not JSON ({error})", source, line) from error
    if not isinstance(found, dict) or not isinstance(found.get("url"), str):
        raise _wrong('no object with a "url"', source, line)
    path = next((found[name] for name in _CLASS if name in found), None)
    if isinstance(path, list) and path and all(isinstance(name, str) for name in path):
        names = tuple(name.strip() for name in path)
        return Row(line, found["url"], names if all(names) else path_of("", source, line))
    if not isinstance(path, str):
        raise _wrong('no "class" that is a path or a list of names', source, line)
    return Row(line, found["url"], path_of(path, source, line))


def _wrong(what: str, source: Path, line: int) -> DirectoryError:
    return DirectoryError(
        what,
        source=source,
        line=line,
        advice='write one object a line: {"url": "http://a.example/", "class": "Science/Physics"}',
    )
