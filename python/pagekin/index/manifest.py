"""The manifest of an index, `manifest.json`.

The manifest names the folder of the tables and the checksum of each file. Replacing it is one
atomic rename, so a reader sees either the old index or the new one.
"""

import hashlib
import json
import re
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any, TypedDict

from pagekin import _core
from pagekin.errors import IndexVersion, NotAnIndex
from pagekin.index.tables.mapped import corrupt, open_regular, unreadable
from pagekin.work.files import write_whole

__all__ = ["DRAFT", "FOLDER", "FORMAT", "NAME", "Manifest", "ModelEntry", "own_model"]

FORMAT = 6
NAME = "manifest.json"
DRAFT = f".{NAME}."
"""Prefix of the name of an unfinished manifest."""
FOLDER = re.compile(r"tables-[0-9a-f]{16}(-again)?")
"""The name of a folder of tables. A build removes nothing else from an index."""
COUNTS = frozenset({"pages", "bags", "terms", "links", "concepts"})
LONGEST = 16 << 20
"""Maximum size of a manifest in bytes, enough for 10,000 shards. Python may need twenty times as
much memory to read it."""


MODEL_TABLES = ("lexicon", "loadings", "concepts")
"""The tables that a model is kept in."""


class ModelEntry(TypedDict):
    """What identifies a model, and the number of bags that its document frequencies are of."""

    fingerprint: str
    bags: int


def own_model(
    strategies: tuple[str, str], counts: dict[str, int], files: dict[str, dict[str, Any]]
) -> ModelEntry:
    """The model that an index has learnt, by its strategies in TOML, its counts and its files."""
    tables = (name for name in sorted(files) if name.partition("-")[0] in MODEL_TABLES)
    sums = [(name, files[name]["xxh3"]) for name in tables]
    known = repr((*strategies, counts["bags"], sums))
    fingerprint = hashlib.sha256(known.encode()).hexdigest()[:16]
    return ModelEntry(fingerprint=fingerprint, bags=counts["bags"])


@dataclass(frozen=True, slots=True)
class Manifest:
    """Format, strategy as given and fitted to the crawl, the model, counts, and every file with its
    size and checksum."""

    format: int
    pagekin: str
    strategy: str
    fingerprint: str
    fitted: str
    model: ModelEntry
    folder: str
    shards: int
    counts: dict[str, int]
    files: dict[str, dict[str, Any]]
    checksum: str = ""

    @property
    def has_holders(self) -> bool:
        """Whether the index has weighted postings: only a small one has."""
        return self.counts.get("bags", 0) <= _core.FEW_BAGS

    @property
    def has_own_model(self) -> bool:
        """Whether the index has learnt its model from its own pages."""
        return self.model == own_model((self.strategy, self.fitted), self.counts, self.files)

    def write(self, index: Path) -> None:
        """Publish: the one atomic step of a build."""
        write_whole(index / NAME, self.to_json().decode())

    def to_json(self) -> bytes:
        """The content of the file."""
        return f"{json.dumps(asdict(self.with_checksum()), indent=1, sort_keys=True)}\n".encode()

    def with_checksum(self) -> "Manifest":
        """The manifest with the checksum of all its other fields."""
        text = json.dumps(asdict(replace(self, checksum="")), sort_keys=True)
        return replace(self, checksum=hashlib.sha256(text.encode()).hexdigest()[:16])

    @classmethod
    def read(cls, index: Path) -> "Manifest":
        """The manifest of an index; an error says what is wrong with it."""
        path = index / NAME
        try:
            raw = json.loads(_read(path))
        except (FileNotFoundError, NotADirectoryError) as error:
            raise NotAnIndex(
                _absence(index), path=index, advice="build an index with pagekin index"
            ) from error
        except (OSError, ValueError, RecursionError) as error:
            raise unreadable(path, "the manifest cannot be read", error) from error
        found = raw.get("format") if isinstance(raw, dict) else None
        if isinstance(found, int) and found != FORMAT:
            raise IndexVersion(path=index, found=found, expected=FORMAT)
        if not _is_sound(raw):
            raise corrupt(path, "a field of the manifest is missing, unknown or of the wrong kind")
        return cls(**raw)


def _read(path: Path) -> str:
    with open_regular(path) as file:
        content = file.read(LONGEST + 1)
    if len(content) > LONGEST:
        raise corrupt(path, f"the manifest has more than {LONGEST:,} bytes")
    return content.decode("utf-8")


def _absence(index: Path) -> str:
    """Why there is no manifest."""
    if not index.exists():
        return "no such folder"
    return "contains no index" if index.is_dir() else "is a file, but an index is a folder"


_KINDS = {"counts": dict, "files": dict, "format": int, "model": dict, "shards": int}


def _is_sound(raw: Any) -> bool:
    """Whether every field has its type. File names must not lead outside of the index."""
    return (
        isinstance(raw, dict)
        and raw.keys() == {field.name for field in fields(Manifest)}
        and all(type(value) is _KINDS.get(name, str) for name, value in raw.items())
        and FOLDER.fullmatch(raw["folder"]) is not None
        and 1 <= raw["shards"] <= len(raw["files"])
        and raw["model"].keys() == ModelEntry.__annotations__.keys()
        and isinstance(raw["model"]["fingerprint"], str)
        and _is_count(raw["model"]["bags"])
        and raw["counts"].keys() == COUNTS
        and all(_is_count(count) for count in raw["counts"].values())
        and all(_is_file(name, entry) for name, entry in raw["files"].items())
    )


def _is_file(name: str, entry: object) -> bool:
    return (
        re.fullmatch(r"[a-z]+-\d{5,}\.arrow", name) is not None
        and isinstance(entry, dict)
        and entry.keys() == {"bytes", "xxh3"}
        and _is_count(entry["bytes"])
        and isinstance(entry["xxh3"], str)
    )


def _is_count(value: object) -> bool:
    return type(value) is int and 0 <= value < 1 << 63
