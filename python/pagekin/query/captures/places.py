"""Where the file of a capture is now, in this order.

1. With a source root: below it, under the name it was indexed by or the last parts of that.
2. Under the name it was indexed by.
3. Beside the index, or beside a folder above it, under that name or its last parts: so an index
   and its archives can be moved together.

Names come from an index that may be forged. They only lead to records: what is returned of a file
is a record of the URL that was asked for, or a page with the name that the URL has.
"""

from collections.abc import Iterator
from itertools import islice
from os import PathLike, fspath
from pathlib import Path, PurePosixPath

from pagekin.crawl import is_remote
from pagekin.errors import ArchiveFault

__all__ = ["ADVICE", "existing_places", "places"]

MOST = 8
"""Existing files that are tried."""
MOST_PARTS = 32
"""Parts of a name and folders above an index that are tried."""
ADVICE = "if it moved, name its folder or address: --source-root"
_STREAMS = ("-", "/dev/stdin", "/dev/fd/", "/proc/self/fd/")


def places(name: str, index: Path, root: str | PathLike[str] | None = None) -> Iterator[str]:
    """The paths or URIs where a file may be, likeliest first."""
    if root is None and (name == "-" or name.startswith(_STREAMS[1:])):
        raise ArchiveFault(
            "was read from a stream, so there is no way back to its records",
            source="standard input" if name == "-" else name,
            advice="index the file itself, or name the folder that has it: --source-root",
        )
    remote = is_remote(name)
    parts = PurePosixPath(name.partition("://")[2] if remote else name).parts[-MOST_PARTS:]
    parts = tuple(part for part in parts if part != "/")
    tails = ["/".join(parts[start:]) for start in range(len(parts))]
    if root is not None:
        yield from (f"{fspath(root).rstrip('/')}/{tail}" for tail in tails)
    yield name
    if not remote:
        folders = index.resolve().parents[:MOST_PARTS]
        yield from (str(folder / tail) for folder in folders for tail in tails)


def existing_places(
    name: str, index: Path, root: str | PathLike[str] | None = None
) -> list[tuple[str, str | None]]:
    """The files that exist, with the entry if they are zip files; URIs are not looked for."""
    found = (_existing(place) for place in places(name, index, root))
    return list(dict.fromkeys(islice((place for place in found if place), MOST)))


def _existing(place: str) -> tuple[str, str | None] | None:
    if is_remote(place):
        return place, None
    try:
        if Path(place).is_file():
            return place, None
        for at, letter in enumerate(place):
            if letter == "#" and Path(place[:at]).is_file():
                return place[:at], place[at + 1 :]
    except (OSError, ValueError):
        # Not a possible file name.
        return None
    return None
