"""What appears when it is whole, and one writer at a time.

A file or folder is written beside its place under a hidden name, its draft, and takes its own name
at the end. Whoever is killed before leaves a draft, which the next writer removes.
"""

import errno
import fcntl
import os
import shutil
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from pagekin.errors import EngineError

__all__ = [
    "draft_folder",
    "lock",
    "locked",
    "refuse_folder",
    "remove_drafts",
    "synced",
    "write_whole",
    "writing",
]

_ADVICE = {
    errno.ENOSPC: "free some space there, or choose another place",
    errno.EDQUOT: "free some space there, or choose another place",
    errno.EFBIG: "raise the limit on the size of files, or choose another place",
    errno.EACCES: "choose a place where you can write",
    errno.EPERM: "choose a place where you can write",
    errno.EROFS: "choose a place where you can write",
    errno.ENOENT: "create the folder first, or choose another place",
    errno.ENOTDIR: "choose another place: what should be a folder is a file",
    errno.EEXIST: "choose another place: what should be a folder is a file",
    errno.EISDIR: "name a file",
}
_OTHERWISE = "fix the cause and try again; what was there is unchanged"


def write_whole(path: Path, text: str) -> None:
    """Write a file so that it is there whole or not at all."""
    draft = path.with_name(f".{path.name}.draft")
    try:
        with draft.open("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
    synced(path.parent)


@contextmanager
def writing(what: str, place: Path) -> Iterator[None]:
    """What goes wrong on the disk while something is written there, in our words."""
    try:
        yield
    except OSError as error:
        raise _not_written(f"{what} cannot be written ({error})", place, error.errno) from error


def refuse_folder(what: str, place: Path) -> None:
    """Say before all the work, not after it, that there is a folder in the place of a file."""
    if place.is_dir():
        raise _not_written(f"{what} cannot be written (it is a folder)", place, errno.EISDIR)


def _not_written(said: str, place: Path, number: int | None) -> EngineError:
    return EngineError(said, where=str(place), advice=_ADVICE.get(number or 0, _OTHERWISE))


def synced(path: Path) -> None:
    """See to it that a file or folder outlives a loss of power."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def draft_folder(folder: Path, beginning: str) -> Path:
    """A new draft in a folder: open to whom the folder's owner opens what he makes.

    `tempfile` makes folders for their owner alone, and a draft keeps its rights when it is named.
    """
    draft = folder / f"{beginning}{uuid.uuid4().hex[:16]}"
    draft.mkdir()
    return draft


def remove_drafts(folder: Path, beginning: str) -> None:
    """Remove the drafts that writers left who were killed."""
    for path in folder.glob(f"{beginning}*"):
        shutil.rmtree(path, ignore_errors=True)


@contextmanager
def locked(folder: Path, writer: str) -> Iterator[None]:
    """Keep other writers of the kind, say a "build", out of a folder."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        lock(handle, folder, writer)
        yield
    finally:
        os.close(handle)


def lock(file: int | IO[bytes], folder: Path, writer: str) -> None:
    """Keep other writers of the kind away for as long as the file is open.

    Some network file systems know no locks; there all is as without one.
    """
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise EngineError(
            f"another {writer} is writing here",
            where=str(folder),
            advice="wait until it ends, or choose another folder",
        ) from error
    except OSError:
        pass
