"""A row of a directory: a URL, the path of a class, and the line that says so."""

from os import PathLike
from typing import NamedTuple

from pagekin.errors import DirectoryError

__all__ = ["Row", "path_of"]


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
            advice="write names parted by /, for example Science/Physics",
        )
    return path
