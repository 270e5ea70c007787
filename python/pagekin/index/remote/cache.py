"""A cache of the tables of remote indexes: bounded, least recently used index evicted first.

Every table is fetched when the index is first opened and compared with its checksum, and its blocks
are compared with theirs when they are read, as those of a local index. Each publication has a
folder of its own, so what is open stays readable while a new one is published and fetched.
"""

import fcntl
import os
import shutil
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from urllib.parse import quote

from pagekin.crawl.remote import refuse_secrets
from pagekin.errors import IndexCorrupt, IndexFault, NotAnIndex
from pagekin.fields import byte_size
from pagekin.index.manifest import LONGEST, NAME, Manifest
from pagekin.index.remote.transfer import copy_file, read_file
from pagekin.index.tables.checksums import checksum_of
from pagekin.work.files import draft_folder, remove_drafts, write_errors

__all__ = ["TableCache", "local_copy"]

FOLDER, SIZE = "PAGEKIN_CACHE", "PAGEKIN_CACHE_SIZE"
"""The variables of the environment that say where the cache is, and how large it may be."""
DEFAULT_SIZE = "20GB"
LONGEST_NAME = 120
"""Longer addresses are folders by a hash."""
TRANSFERS = 8
"""Files that are fetched at a time."""
ATTEMPTS = 5
"""How often an index is looked up again that is replaced while it is fetched."""
DRAFT = ".fetching-"


def local_copy(uri: str) -> Path:
    """The folder of this machine that has the index at an address, as it is published now."""
    refuse_secrets(uri)
    return TableCache.of_environment().copy_of(uri.rstrip("/"))


@dataclass(frozen=True, slots=True)
class TableCache:
    """A folder, and how many bytes of tables may be in it."""

    folder: Path
    most: int

    @classmethod
    def of_environment(cls) -> "TableCache":
        """The cache that the environment names, or the usual one."""
        usual = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "pagekin"
        folder = Path(os.environ.get(FOLDER) or usual)
        return cls(folder, byte_size(os.environ.get(SIZE) or DEFAULT_SIZE))

    def copy_of(self, uri: str) -> Path:
        """The index at an address. One that is replaced while it is fetched is looked up again."""
        with write_errors("the cache", self.folder):
            self.folder.mkdir(parents=True, exist_ok=True)
            with _waiting_lock(self.folder):
                raw = read_file(f"{uri}/{NAME}", LONGEST)
                for _ in range(ATTEMPTS):
                    try:
                        return self._copy(uri, raw)
                    except (NotAnIndex, IndexCorrupt):
                        before, raw = raw, read_file(f"{uri}/{NAME}", LONGEST)
                        if raw == before:
                            raise
                return self._copy(uri, raw)

    def _copy(self, uri: str, raw: bytes) -> Path:
        """The index with this manifest, fetched if it is not there."""
        place = self.folder / _name_of(uri) / sha256(raw).hexdigest()[:16]
        if not place.exists():
            place.parent.mkdir(exist_ok=True)
            remove_drafts(place.parent, DRAFT)
            draft = draft_folder(place.parent, DRAFT)
            try:
                (draft / NAME).write_bytes(raw)
                self._fetch(uri, draft)
                draft.rename(place)
            finally:
                remove_drafts(place.parent, DRAFT)
        # The time of the folder is that of its last use.
        os.utime(place)
        return place

    def _fetch(self, uri: str, draft: Path) -> None:
        """Fetch the tables that a manifest names, and compare them with their checksums."""
        manifest = _manifest(uri, draft)
        self._make_room(uri, sum(int(file["bytes"]) for file in manifest.files.values()))
        folder = draft / manifest.folder
        folder.mkdir()

        def fetch(name: str) -> None:
            file, path = manifest.files[name], folder / name
            there = f"{uri}/{manifest.folder}/{name}"
            copy_file(there, path, file["bytes"])
            if checksum_of(path) != file["xxh3"]:
                raise IndexCorrupt(
                    "the table does not match its checksum",
                    path=there,
                    advice="publish the index again",
                )

        with ThreadPoolExecutor(TRANSFERS) as pool:
            for _ in pool.map(fetch, manifest.files):
                pass

    def _make_room(self, uri: str, wanted: int) -> None:
        """Evict the indexes that were not used for the longest time."""
        if wanted > self.most:
            raise IndexFault(
                f"has {wanted:,} bytes, and the cache may have {self.most:,}",
                path=uri,
                advice=f"set {SIZE} to more, such as 100GB, or {FOLDER} to another folder",
            )
        places = [path for path in self.folder.glob("*/*") if not path.name.startswith(DRAFT)]
        places.sort(key=lambda place: place.stat().st_mtime_ns)
        used = sum(map(_size_of, places))
        for place in places:
            if used + wanted <= self.most:
                return
            used -= _size_of(place)
            shutil.rmtree(place)


def _manifest(uri: str, draft: Path) -> Manifest:
    """The manifest in a draft; errors name the address."""
    try:
        return Manifest.read(draft)
    except IndexFault as error:
        error.path = error.where = uri
        raise


def _name_of(uri: str) -> str:
    """The folder of an address: people can read it in messages."""
    name = quote(uri, safe="")
    return name if len(name) <= LONGEST_NAME else sha256(uri.encode()).hexdigest()


def _size_of(place: Path) -> int:
    return sum(path.stat().st_size for path in place.rglob("*") if path.is_file())


@contextmanager
def _waiting_lock(folder: Path) -> Iterator[None]:
    """Let one process fetch at a time; the others wait, and find the index there."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)
