"""Folders that every task of a cluster can reach.

A file appears in one whole or not at all, so a task that dies leaves nothing that another reads,
and one that runs twice writes the same file twice.
"""

import os
import shutil
import tempfile
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from pagekin import files

__all__ = ["Folder", "scratch"]


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder on a disk that all machines share, by its path, or elsewhere, by its URI."""

    url: str

    @property
    def is_remote(self) -> bool:
        """Whether kernels can read its files only when they are copied."""
        return files.is_remote(self.url)

    def within(self, name: str) -> "Folder":
        """A folder in this one."""
        return Folder(self._place(name))

    @contextmanager
    def local(self, name: str) -> Iterator[Path]:
        """A file of the folder, as one that kernels can read."""
        if not self.is_remote:
            yield Path(self._place(name))
            return
        with scratch() as folder:
            path = folder / "copy"
            files.download(self._place(name), path)
            yield path

    def put(self, path: Path, name: str) -> None:
        """Move a finished file of this machine into the folder."""
        if self.is_remote:
            files.copied(path, self._place(name))
            path.unlink()
            return
        target = Path(self._place(name))
        target.parent.mkdir(parents=True, exist_ok=True)
        beside = target.with_name(f".{target.name}.{uuid.uuid4().hex}")
        try:
            shutil.move(path, beside)
            beside.replace(target)
        finally:
            beside.unlink(missing_ok=True)

    def read(self, name: str) -> bytes:
        """The bytes of a small file."""
        with self.local(name) as path:
            return path.read_bytes()

    def write(self, name: str, content: bytes) -> None:
        """Put a small file there."""
        with scratch() as folder:
            path = folder / "content"
            path.write_bytes(content)
            self.put(path, name)

    def exists(self, name: str) -> bool:
        """Whether the folder has the file."""
        place = self._place(name)
        return files.exists(place) if self.is_remote else Path(place).exists()

    def names(self) -> list[str]:
        """The files of a folder elsewhere, in order; none if it is not there."""
        return files.listed(self.url)

    def remove(self, name: str | None = None) -> None:
        """Remove the folder with all that is in it, or a file of it, if it is there."""
        if self.is_remote:
            files.remove(self.url if name is None else self._place(name))
        elif name is None:
            shutil.rmtree(self.url, ignore_errors=True)
        else:
            Path(self._place(name)).unlink(missing_ok=True)

    def _place(self, name: str) -> str:
        return f"{self.url}/{name}"


@contextmanager
def scratch() -> Iterator[Path]:
    """A folder of this machine for the time of a task, on the disks that Spark was given."""
    disks = os.environ.get("SPARK_LOCAL_DIRS", "").split(",")
    disk = disks[os.getpid() % len(disks)] or None
    with tempfile.TemporaryDirectory(
        prefix="pagekin-", dir=disk, ignore_cleanup_errors=True
    ) as path:
        yield Path(path)
