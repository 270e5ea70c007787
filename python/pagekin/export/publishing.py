"""Atomic publication of an export.

Files of pages are written into a hidden folder. Publishing gives it its final name, a digest of its
contents, and replaces `related.json`, which names it. An export that is killed leaves the old files
unchanged, and a hidden folder that the next export removes.

A URL may contain characters that no file name may, and may be too long. So the file of a page is
named by the hash of its URL (FNV-1a, 64 bits: `box/related.js` computes the same in a few lines),
and contains the URL itself, so that URLs with the same hash can share a file.
"""

import filecmp
import hashlib
import json
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pagekin.errors import EngineError
from pagekin.work.files import draft_folder, hold_lock, remove_drafts, write_errors, write_whole

__all__ = ["FORMAT", "Draft", "drafting", "file_name"]

FORMAT = 1
MANIFEST = "related.json"
DRAFT = ".exporting-"
FNV_START, FNV_PRIME = 0xCBF29CE484222325, 0x100000001B3
_FOLDER = re.compile(r"pages-[0-9a-f]{16}")


class Draft:
    """The files of pages of an export in the making."""

    def __init__(self, folder: Path, draft: Path) -> None:
        self.folder = folder
        self._draft = draft
        self._digest = hashlib.sha256()
        self.pages = 0

    def add(self, name: str, url: str, answer: object) -> None:
        """Write the answer of a URL to a file; two URLs of one name share it."""
        path = self._draft / name
        path.parent.mkdir(exist_ok=True)
        known = json.loads(path.read_bytes()) if path.exists() else {}
        text = json.dumps(known | {url: answer}, ensure_ascii=False, separators=(",", ":"))
        path.write_text(text, encoding="utf-8")
        self._digest.update(f"{name}\n{text}\n".encode())
        self.pages += 1

    def publish(self, files: dict[str, str], settings: dict[str, object]) -> None:
        """Publish these pages and other files as the export; the script reads `settings`."""
        name = f"pages-{self._digest.hexdigest()[:16]}"
        self._settle(self.folder / name)
        # One call for all the small files: a loss of power must not leave a name without them.
        os.sync()
        for file, text in files.items():
            self._write_beside(file, text)
        manifest = {"format": FORMAT, "folder": name, "pages": self.pages} | settings
        write_whole(self.folder / MANIFEST, json.dumps(manifest) + "\n")
        for path in self.folder.glob("pages-*"):
            if path.name != name and _FOLDER.fullmatch(path.name):
                shutil.rmtree(path, ignore_errors=True)

    def _write_beside(self, file: str, text: str) -> None:
        """Write a file that is not the pages: with it the export is not in place yet."""
        try:
            write_whole(self.folder / file, text)
        except EngineError as error:
            raise EngineError(
                f"the export cannot be written ({error.__cause__})",
                where=str(self.folder / file),
                advice="check the disk and try again; what is there is whole, old or new",
            ) from error

    def _settle(self, final: Path) -> None:
        """Give the draft its final name. A whole folder of that name is kept: it may be in use."""
        if _is_whole(final, self._draft):
            return
        if final.exists():
            final.rename(self._draft.with_name(f"{DRAFT}damaged"))
        self._draft.rename(final)


def _is_whole(final: Path, draft: Path) -> bool:
    """Whether every file of the draft is in the folder, byte for byte."""
    try:
        paths = ((path, final / path.relative_to(draft)) for path in draft.glob("*/*.json"))
        return final.exists() and all(filecmp.cmp(*pair, shallow=False) for pair in paths)
    except OSError:
        return False


@contextmanager
def drafting(folder: Path) -> Iterator[Draft]:
    """A draft in a folder that no other export is writing to; gone after the block."""
    with write_errors("the export", folder):
        folder.mkdir(parents=True, exist_ok=True)
        with hold_lock(folder, "export"):
            remove_drafts(folder, DRAFT)
            try:
                yield Draft(folder, draft_folder(folder, DRAFT))
            finally:
                remove_drafts(folder, DRAFT)


def file_name(url: str) -> str:
    """The file of a URL within the folder of pages."""
    hashed = FNV_START
    for byte in url.encode():
        hashed = (hashed ^ byte) * FNV_PRIME & 0xFFFFFFFFFFFFFFFF
    digits = f"{hashed:016x}"
    return f"{digits[:2]}/{digits[2:]}.json"
