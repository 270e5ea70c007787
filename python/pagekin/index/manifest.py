"""What an index says of itself: `manifest.json`.

The manifest names the folder that holds the tables and the checksum of each file. Replacing it is
one atomic rename, so a reader sees the old index or the new one and nothing between.
"""

import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from pagekin.errors import IndexCorrupt, IndexVersion, NotAnIndex

__all__ = ["FORMAT", "NAME", "Manifest"]

FORMAT = 1
NAME = "manifest.json"


@dataclass(frozen=True, slots=True)
class Manifest:
    """Format, strategy, counts, and every file with its size and checksum."""

    format: int
    pagekin: str
    strategy: str
    fingerprint: str
    folder: str
    shards: int
    counts: dict[str, int]
    files: dict[str, dict[str, Any]]

    def write(self, index: Path) -> None:
        """Publish: the one atomic step of a build."""
        draft = index / f".{NAME}.{os.getpid()}"
        with draft.open("w", encoding="utf-8") as file:
            json.dump(asdict(self), file, indent=1, sort_keys=True)
            file.write("\n")
            file.flush()
            os.fsync(file.fileno())
        draft.replace(index / NAME)
        _sync_folder(index)

    @classmethod
    def read(cls, index: Path) -> "Manifest":
        """The manifest of an index, or an error that says what is wrong with it."""
        path = index / NAME
        try:
            raw = json.loads(path.read_text(encoding="utf-8"))
        except (FileNotFoundError, NotADirectoryError) as error:
            raise NotAnIndex(
                "holds no index", path=index, advice="build one with pagekin index"
            ) from error
        except (OSError, ValueError) as error:
            raise IndexCorrupt(
                f"the manifest cannot be read ({error})", path=path, advice="build the index again"
            ) from error
        found = raw.get("format") if isinstance(raw, dict) else None
        if isinstance(found, int) and found != FORMAT:
            raise IndexVersion(path=index, found=found, expected=FORMAT)
        try:
            return cls(**raw)
        except TypeError as error:
            raise IndexCorrupt(
                "the manifest lacks fields or has unknown ones",
                path=path,
                advice="build the index again",
            ) from error


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
