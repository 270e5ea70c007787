"""Publishing a finished draft as the index, atomically.

The draft gets its final name, which is a digest of its contents, and then the manifest is replaced.
"""

import contextlib
import hashlib
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pagekin import _core
from pagekin.errors import EngineError, IndexCorrupt, IndexFault
from pagekin.index.manifest import FOLDER, FORMAT, Manifest, ModelEntry, own_model
from pagekin.index.tables.checksums import checksum_of
from pagekin.strategy import Strategy
from pagekin.work.files import sync_file

__all__ = ["WORK", "Entries", "IndexDraft", "describe", "entry", "made_folder", "publish"]

WORK = ".exchange-"
"""Prefix of the folder from which a failed build on a cluster resumes."""

Entries = dict[str, dict[str, int | str]]
"""Every file with its size and checksum."""


@dataclass(frozen=True, slots=True)
class IndexDraft:
    """A folder of finished tables, with their strategies, shards, counts and checksums.

    The first strategy is the given one, the second what it is when it is fitted to the crawl. The
    model is that of another index, or the own one.
    """

    folder: Path
    strategies: tuple[Strategy, Strategy]
    shards: int
    counts: dict[str, int]
    files: Entries
    model: ModelEntry | None = None

    @property
    def digest(self) -> str:
        """The digest that names the folder once it is published."""
        known = (FORMAT, *self._tomls, self.model, sorted(self.files.items()))
        return hashlib.sha256(repr(known).encode()).hexdigest()[:16]

    @property
    def _tomls(self) -> tuple[str, str]:
        strategy, fitted = self.strategies
        return strategy.to_toml(), fitted.to_toml()

    def manifest(self, folder: str) -> Manifest:
        """The manifest of the index whose tables are in that folder."""
        strategy, fitted = self.strategies
        return Manifest(
            format=FORMAT,
            pagekin=_core.VERSION,
            strategy=strategy.to_toml(),
            fingerprint=strategy.fingerprint,
            fitted=fitted.to_toml(),
            model=self.model or own_model(self._tomls, self.counts, self.files),
            folder=folder,
            shards=self.shards,
            counts=self.counts,
            files=self.files,
        )

    @property
    def bytes(self) -> int:
        """The bytes of all tables."""
        return sum(int(file["bytes"]) for file in self.files.values())


def publish(index: Path, draft: IndexDraft) -> bool:
    """Make the draft the index. If that fails, the old index stays. False if it is the same."""
    _sync(draft.folder)
    with contextlib.ExitStack() as cleanup:
        folder = _rename_draft(index, draft)
        if folder != _current_folder(index):
            cleanup.callback(_remove_unless_published, index, folder)
        # The tables must have their name on the disk before a manifest names them.
        sync_file(index)
        manifest = draft.manifest(folder)
        is_new = not _is_published(index, manifest)
        if is_new:
            _write_manifest(index, manifest)
    _remove_others(index, folder)
    return is_new


def _write_manifest(index: Path, manifest: Manifest) -> None:
    try:
        manifest.write(index)
    except (EngineError, OSError) as error:
        if not _is_published(index, manifest):
            raise
        cause = error.__cause__ or error
        raise EngineError(
            f"the new index is in place, but the disk did not confirm it ({cause})",
            where=str(index),
            advice="run pagekin check, check the disk, and build again if in doubt",
        ) from error


def _is_published(index: Path, manifest: Manifest) -> bool:
    try:
        return Manifest.read(index) == manifest.with_checksum()
    except IndexFault:
        return False


def describe(path: Path) -> dict[str, int | str]:
    """A file's size and checksum."""
    return entry(path, checksum_of(path))


def entry(path: Path, checksum: str) -> dict[str, int | str]:
    """The entry of a file in the manifest."""
    return {"bytes": path.stat().st_size, "xxh3": checksum}


@contextlib.contextmanager
def made_folder(folder: Path) -> Iterator[None]:
    """Create a folder with its parents; if it stays empty, all that were created are removed."""
    missing = [path for path in (*reversed(folder.parents), folder) if not path.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    try:
        for path in missing:
            sync_file(path.parent)
        yield
    finally:
        with contextlib.suppress(OSError):
            for path in reversed(missing):
                path.rmdir()


def _rename_draft(index: Path, draft: IndexDraft) -> str:
    """Give the draft its final name, the digest of its contents.

    A folder of that name is the same index, built before. It is kept if it is sound, because it
    may be in use. If it is damaged, the draft gets another name.
    """
    for name in (f"tables-{draft.digest}", f"tables-{draft.digest}-again"):
        final = index / name
        if not final.exists():
            draft.folder.rename(final)
            return name
        if _is_whole(final, draft.files):
            return name
        if name != _current_folder(index):
            shutil.rmtree(final)
            draft.folder.rename(final)
            return name
    raise IndexCorrupt(
        "two damaged copies of this index are in its folder",
        path=index,
        advice="remove the folder and build again",
    )


def _remove_unless_published(index: Path, folder: str) -> None:
    if folder != _current_folder(index):
        shutil.rmtree(index / folder, ignore_errors=True)


def _current_folder(index: Path) -> str | None:
    try:
        return Manifest.read(index).folder
    except IndexFault:
        return None


def _is_whole(folder: Path, files: Entries) -> bool:
    try:
        return all(describe(folder / name) == entry for name, entry in files.items())
    except OSError:
        return False


def _sync(folder: Path) -> None:
    for path in (*folder.iterdir(), folder):
        sync_file(path)


def _remove_others(index: Path, folder: str) -> None:
    for path in index.glob("tables-*"):
        if path.name != folder and FOLDER.fullmatch(path.name):
            shutil.rmtree(path, ignore_errors=True)
