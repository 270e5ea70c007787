"""Files and folders that appear when they are complete, with one writer at a time.

A file or folder is written next to its place under a hidden name, its draft, and renamed at the
end. A writer that is killed leaves a draft, which the next writer removes.
"""

import errno
import fcntl
import os
import shutil
import socket
import uuid
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import IO

from pagekin.errors import EngineError

__all__ = [
    "draft_file",
    "draft_folder",
    "hold_lock",
    "lock",
    "refuse_folder",
    "remove_drafts",
    "sync_file",
    "write_errors",
    "write_whole",
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
_OTHERWISE = "fix the cause and try again; what is there is whole, old or new"


def write_whole(path: Path, text: str) -> None:
    """Write a file atomically: it appears complete or not at all."""
    draft = path.with_name(f".{path.name}.draft")
    with _removed_on_failure(draft):
        with draft.open("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    _confirm(path)


@contextmanager
def draft_file(path: Path, writer: str) -> Iterator[Path]:
    """A draft that replaces a file at the end of the block, durably; one writer at a time.

    A killed writer leaves its draft, which the next one overwrites.
    """
    draft = path.with_name(f".{path.name}.draft")
    with ExitStack() as at_end:
        held = draft.open("ab")
        at_end.callback(_release, held)
        lock(held, path, writer)
        with _removed_on_failure(draft):
            yield draft
            sync_file(draft)
            draft.replace(path)
    _confirm(path)


@contextmanager
def _removed_on_failure(draft: Path) -> Iterator[None]:
    """Remove a draft if it does not come into its place."""
    with ExitStack() as on_failure:
        on_failure.callback(_remove, draft)
        yield
        on_failure.pop_all()


def _release(held: IO[bytes]) -> None:
    """Give up a lock: nothing was written by this handle, so that an error says nothing."""
    with suppress(OSError):
        held.close()


def _remove(path: Path) -> None:
    with suppress(OSError):
        path.unlink(missing_ok=True)


def _confirm(path: Path) -> None:
    """Sync the folder of a file that has just come into its place."""
    try:
        sync_file(path.parent)
    except OSError as error:
        raise EngineError(
            f"it is in place, but the disk did not confirm it ({error})",
            where=str(path),
            advice="check the disk, and write it again if in doubt",
        ) from error


@contextmanager
def write_errors(what: str, place: Path) -> Iterator[None]:
    """Turn errors while writing into `EngineError` with advice."""
    try:
        yield
    except OSError as error:
        raise _not_written(f"{what} cannot be written ({error})", place, error.errno) from error


def refuse_folder(what: str, place: Path) -> None:
    """Reject a folder in place of an output file before the work starts."""
    if place.is_dir():
        raise _not_written(f"{what} cannot be written (it is a folder)", place, errno.EISDIR)


def _not_written(what: str, place: Path, number: int | None) -> EngineError:
    return EngineError(what, where=str(place), advice=_ADVICE.get(number or 0, _OTHERWISE))


def sync_file(path: Path) -> None:
    """Sync a file or folder to the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def draft_folder(folder: Path, beginning: str) -> Path:
    """A new draft in a folder, with the usual permissions.

    `tempfile` creates folders for their owner alone, and a draft keeps its permissions when it is
    renamed.
    """
    draft = folder / f"{beginning}{uuid.uuid4().hex[:16]}"
    draft.mkdir()
    return draft


def remove_drafts(folder: Path, beginning: str) -> None:
    """Remove the drafts of killed writers."""
    for path in folder.glob(f"{beginning}*"):
        shutil.rmtree(path, ignore_errors=True)


@contextmanager
def hold_lock(folder: Path, writer: str) -> Iterator[None]:
    """Lock a folder against other writers of the same kind, such as a "build".

    A note in the folder says who holds the lock. A killed writer leaves it to the next one.
    """
    handle, note = os.open(folder, os.O_RDONLY), folder / f".{writer}.lock"
    try:
        lock(handle, folder, writer, note)
        try:
            # What cannot be noted, such as on a full disk, fails where it matters.
            with suppress(OSError):
                note.write_text(f"process {os.getpid()} on {socket.gethostname()}")
            yield
        finally:
            with suppress(OSError):
                note.unlink(missing_ok=True)
    finally:
        os.close(handle)


def lock(file: int | IO[bytes], folder: Path, writer: str, note: Path | None = None) -> None:
    """Lock out other writers of the same kind while the file is open.

    `note` says who they are. On network file systems without locks, this does nothing.
    """
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise EngineError(
            f"another {writer} is writing here",
            where=str(folder),
            advice=f"wait until it ends{_holder(note)}, or choose another folder",
        ) from error
    except OSError:
        pass


def _holder(note: Path | None) -> str:
    """Who holds a lock, as far as its note says."""
    with suppress(OSError, ValueError):
        return f" ({note.read_text()[:200]})" if note else ""
    return ""
