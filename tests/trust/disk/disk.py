"""A disk that loses what was not synced, after ALICE (Pillai et al. 2014).

A file's bytes are sure after a sync of the file, its name after a sync of its folder, whatever the
order of calls. At a loss of power any part of the rest is there: changes of a file and of a folder
are kept or lost each by itself, and the last change that a file keeps may be there in part.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

__all__ = ["Call", "Disk", "read_calls"]

Change = TypeVar("Change")


@dataclass(frozen=True, slots=True)
class Call:
    """A recorded call: a change of the path, such as a write of these bytes at this place."""

    name: str
    path: Path
    other: Path
    at: int
    length: int
    content: bytes


def read_calls(recorded: bytes) -> Iterator[Call]:
    """The calls that the shim recorded."""
    start = 0
    while start < len(recorded):
        end = recorded.index(b"\n", start)
        name, path, other, at, length = recorded[start:end].decode().split("\t")
        start = end + 1 + (int(length) if name == "write" else 0)
        content = recorded[end + 1 : start]
        yield Call(name, Path(path), Path(other), int(at), int(length), content)


@dataclass(slots=True)
class File:
    """What is sure of a file, and later writes (place and bytes) and cuts (length)."""

    sure: bytes = b""
    later: list[tuple[int, bytes] | int] = field(default_factory=list)

    def sync(self) -> None:
        self.sure, self.later = _changed(self.sure, self.later), []

    def after_loss(self, chance: random.Random) -> bytes:
        kept = _kept(self.later, chance)
        if kept and isinstance(kept[-1], tuple) and chance.random() < 0.3:
            at, content = kept[-1]
            kept[-1] = (at, content[: chance.randint(0, len(content))])
        return _changed(self.sure, kept)


@dataclass(slots=True)
class Folder:
    """What is sure to be in a folder, and later changes of names."""

    sure: dict[str, "File | Folder"] = field(default_factory=dict)
    later: list[dict[str, "File | Folder | None"]] = field(default_factory=list)
    now: dict[str, "File | Folder"] = field(default_factory=dict)

    def change(self, names: dict[str, "File | Folder | None"]) -> None:
        self.later.append(names)
        _rename(self.now, names)

    def sync(self) -> None:
        self.sure, self.later = {**self.now}, []

    def after_loss(self, chance: random.Random) -> dict[str, "File | Folder"]:
        names = {**self.sure}
        for change in _kept(self.later, chance):
            _rename(names, change)
        return names


def _rename(names: dict[str, File | Folder], changes: dict[str, "File | Folder | None"]) -> None:
    for name, there in changes.items():
        if there is None:
            names.pop(name, None)
        else:
            names[name] = there


def _kept(changes: list[Change], chance: random.Random) -> list[Change]:
    """All, none, the first ones or any of them."""
    match chance.randrange(4):
        case 0:
            return [*changes]
        case 1:
            return []
        case 2:
            return changes[: chance.randint(0, len(changes))]
        case _:
            return [change for change in changes if chance.random() < 0.5]


def _changed(content: bytes, changes: Sequence[tuple[int, bytes] | int]) -> bytes:
    found = bytearray(content)
    for change in changes:
        if isinstance(change, int):
            found = found[:change].ljust(change, b"\0")
        else:
            at, written = change
            found = found.ljust(at, b"\0")
            found[at : at + len(written)] = written
    return bytes(found)


class Disk:
    """A folder on such a disk, on which calls are repeated."""

    def __init__(self, root: Path) -> None:
        """What is in a folder now is sure."""
        self._root = root
        self._top = _load(root)

    def repeat(self, call: Call, place: Path) -> None:
        """Do what a call did below another place."""
        path = self._root / call.path.relative_to(place)
        match call.name:
            case "create":
                self._parent(path).change({path.name: File()})
            case "mkdir":
                self._parent(path).change({path.name: Folder()})
            case "unlink":
                self._parent(path).change({path.name: None})
            case "rename":
                self._rename(path, self._root / call.other.relative_to(place))
            case "write":
                self._file(path).later.append((call.at, call.content))
            case "truncate":
                self._file(path).later.append(call.length)
            case "fsync":
                self._find(path).sync()
            case "sync":
                _sync_all(self._top)

    def after_loss(self, chance: random.Random, target: Path) -> None:
        """Write what is there after a loss of power into a new folder."""
        _store(self._top, chance, target)

    def _find(self, path: Path) -> File | Folder:
        found: File | Folder = self._top
        for name in path.relative_to(self._root).parts:
            assert isinstance(found, Folder)
            found = found.now[name]
        return found

    def _parent(self, path: Path) -> Folder:
        found = self._find(path.parent)
        assert isinstance(found, Folder)
        return found

    def _file(self, path: Path) -> File:
        # A file that was removed while it was open is of no interest any more.
        try:
            found = self._find(path)
        except KeyError:
            return File()
        assert isinstance(found, File)
        return found

    def _rename(self, path: Path, other: Path) -> None:
        moved = self._find(path)
        if path.parent == other.parent:
            self._parent(path).change({path.name: None, other.name: moved})
        else:
            self._parent(other).change({other.name: moved})
            self._parent(path).change({path.name: None})


def _load(path: Path) -> Folder:
    found = Folder()
    for entry in path.iterdir():
        found.now[entry.name] = _load(entry) if entry.is_dir() else File(entry.read_bytes())
    found.sync()
    return found


def _sync_all(folder: Folder) -> None:
    folder.sync()
    for each in folder.now.values():
        if isinstance(each, Folder):
            _sync_all(each)
        else:
            each.sync()


def _store(folder: Folder, chance: random.Random, target: Path) -> None:
    target.mkdir()
    for name, each in folder.after_loss(chance).items():
        if isinstance(each, Folder):
            _store(each, chance, target / name)
        else:
            (target / name).write_bytes(each.after_loss(chance))
