"""A directory as columns: classes by path, pages by id, and which page is in which class.

Invariant: classes and pages are sorted and distinct, so are the pairs of them; every page has a
class and every class a page. URLs are canonical, as in an index, and known by their id.

The format of a file follows from its first bytes: XML is the Open Directory's RDF, and
`_TEXT_FORMATS` lists the others. Any may be compressed with gzip. Rows are read one by one, so that
a file of gigabytes needs no more memory than a small one.
"""

import hashlib
import itertools
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from os import PathLike, fspath
from pathlib import Path
from typing import Any

import numpy as np

from pagekin import _core
from pagekin.errors import DirectoryError
from pagekin.evaluation.truths import rdf
from pagekin.evaluation.truths.rows import (
    BOM,
    Row,
    numbered_lines,
    open_inflated,
    read_json_lines,
    read_table,
)

__all__ = ["BIAS", "DEPTH", "UNCUT", "Directory", "read_rows"]

BIAS = "a directory prefers the general; where menus name its classes, reading menus pays"
"""What this truth prefers."""

_LOOK = 4096
_TEXT_FORMATS = ((b"{", read_json_lines), (b"", read_table))
"""What a file of lines begins with, and who reads it; a table is everything else."""
DEPTH = 3
"""How deep the paper looks; classes farther down count as the class above them at this depth."""
UNCUT = 1 << 16
"""A depth that leaves classes as they are."""
NOT_A_URL = "not a valid URL"

Ids = np.ndarray[Any, np.dtype[np.uint64]]
Numbers = np.ndarray[Any, np.dtype[np.int64]]


def read_rows(
    source: str | PathLike[str], structure: str | PathLike[str] | None = None
) -> Iterator[Row]:
    """The rows of a file, in its order.

    `structure` is the Open Directory's file of that name: it tells which class is below which.
    """
    path = Path(fspath(source))
    parents = None if structure is None else _read_structure(Path(fspath(structure)))
    with open_inflated(path) as file:
        start = file.peek(_LOOK)[:_LOOK].removeprefix(BOM).lstrip()
        if start.startswith(b"<"):
            yield from rdf.read_content(path, file, parents)
        elif parents is not None:
            raise DirectoryError(
                "a structure file goes with the content.rdf.u8 of an Open Directory dump",
                source=path,
                advice="leave --structure out",
            )
        else:
            read = next(read for begins, read in _TEXT_FORMATS if start.startswith(begins))
            yield from read(path, numbered_lines(path, file))


def _read_structure(path: Path) -> rdf.Parents:
    with open_inflated(path) as file:
        return rdf.read_structure(path, file)


@dataclass(frozen=True, slots=True)
class Directory:
    """Classes, pages, and the pairs (page, class) by their numbers.

    `own_pages` are how URLs of the directory's own web pages begin. They list each class side by
    side, so sweeps and searches leave them out of the crawl (footnote 8 of the paper).
    """

    source: str
    depth: int
    classes: tuple[tuple[str, ...], ...]
    ids: Ids
    pages_of_pairs: Numbers
    classes_of_pairs: Numbers
    skipped: dict[str, int] = field(default_factory=dict)
    deep_only: bool = False
    own_pages: tuple[str, ...] = ()

    @property
    def depth_note(self) -> str:
        """How the directory was cut, as a sentence."""
        above = "left out, as in the paper" if self.deep_only else "kept"
        return f"Classes are cut at depth {self.depth}; pages above it are {above}."

    @property
    def fingerprint(self) -> str:
        """Sixteen hexadecimal digits that differ where directories do."""
        names = "\n".join("/".join(path) for path in self.classes).encode()
        pairs = (self.pages_of_pairs.tobytes(), self.classes_of_pairs.tobytes())
        own = "".join(f"\n{start}" for start in self.own_pages).encode()
        return _digest(names, self.ids.tobytes(), *pairs, own)

    def pages_by_class(self) -> dict[tuple[str, ...], Ids]:
        """The ids of the pages of each class."""
        order = np.argsort(self.classes_of_pairs, kind="stable")
        ends = np.searchsorted(self.classes_of_pairs[order], np.arange(1, len(self.classes)))
        pages = np.split(self.ids[self.pages_of_pairs[order]], ends)
        return dict(zip(self.classes, pages, strict=True))

    def sampled(self, pairs: int, seed: int = 0) -> "Directory":
        """The classes of N random pairs of siblings; the paper used 300."""
        known = list(_sibling_pairs(self.classes))
        if not known:
            raise DirectoryError(
                "no two classes have the same parent, so there are no pairs to draw",
                source=self.source,
                advice="leave --sample out, or give a greater --depth",
            )
        drawn = np.random.default_rng(seed).choice(
            len(known), size=min(pairs, len(known)), replace=False
        )
        used = sorted({number for at in drawn.tolist() for number in known[at]})
        kept = np.isin(self.classes_of_pairs, used)
        pages, places = np.unique(self.pages_of_pairs[kept], return_inverse=True)
        return replace(
            self,
            classes=tuple(self.classes[number] for number in used),
            ids=self.ids[pages],
            pages_of_pairs=places.astype(np.int64),
            classes_of_pairs=np.searchsorted(used, self.classes_of_pairs[kept]),
        )

    @classmethod
    def of(cls, given: "Directory | str | PathLike[str]", depth: int = DEPTH) -> "Directory":
        """The directory, or the one of the file that is given for it, cut at `depth`."""
        return given if isinstance(given, Directory) else cls.read(given, depth=depth)

    @classmethod
    def read(
        cls,
        source: str | PathLike[str],
        *,
        depth: int = DEPTH,
        structure: str | PathLike[str] | None = None,
        deep_only: bool = False,
    ) -> "Directory":
        """A directory from a file, cut at `depth`.

        `deep_only` leaves out rows whose class lies above that depth, as the paper does.
        """
        rows = read_rows(source, structure)
        return cls.from_rows(rows, source=fspath(source), depth=depth, deep_only=deep_only)

    @classmethod
    def from_rows(
        cls,
        rows: Iterable[Row],
        *,
        source: str = "the directory",
        depth: int = DEPTH,
        deep_only: bool = False,
    ) -> "Directory":
        """A directory of these rows; the same row many times counts once."""
        ids, numbers, known = array("Q"), array("L"), dict[tuple[str, ...], int]()
        skipped = Counter[str]()
        for row in rows:
            address = _address(row.url)
            reason = _reason_to_skip(row, address, depth if deep_only else 0)
            if address is None or reason:
                skipped[reason] += 1
                continue
            ids.append(_core.url_id(address))
            numbers.append(known.setdefault(row.path[:depth], len(known)))
        if not ids:
            raise _empty(source, skipped[NOT_A_URL], deep_only)
        places = {path: place for place, path in enumerate(sorted(known))}
        order = np.array([places[path] for path in known], dtype=np.int64)
        distinct, pages = np.unique(np.frombuffer(ids, dtype=np.uint64), return_inverse=True)
        classes = order[np.frombuffer(numbers, dtype=np.uint64).astype(np.int64)]
        pairs = np.unique(pages.astype(np.int64) * len(order) + classes)
        of_pairs = np.divmod(pairs, len(order))
        return cls(source, depth, tuple(places), distinct, *of_pairs, dict(skipped), deep_only)


def _sibling_pairs(classes: Sequence[tuple[str, ...]]) -> Iterator[tuple[int, int]]:
    """Every two classes of one parent; classes right below the root have none."""
    families: dict[tuple[str, ...], list[int]] = {}
    for number, path in enumerate(classes):
        if len(path) > 1:
            families.setdefault(path[:-1], []).append(number)
    for family in families.values():
        yield from itertools.combinations(family, 2)


def _digest(*parts: bytes) -> str:
    digest = hashlib.sha256()
    for part in parts:
        digest.update(part)
    return digest.hexdigest()[:16]


def _address(url: str) -> str | None:
    try:
        return _core.canonical(url)
    except UnicodeEncodeError:
        return None


def _reason_to_skip(row: Row, address: str | None, least: int) -> str:
    if address is None:
        return NOT_A_URL
    return f"above depth {least}" if len(row.path) < least else ""


def _empty(source: str, skipped: int, deep_only: bool) -> DirectoryError:
    if deep_only:
        return DirectoryError(
            "the directory has no page at the depth that was asked for",
            source=source,
            advice="give a smaller --depth, or leave --deep-only out",
        )
    found = f"{skipped:,} rows without a web address" if skipped else "no row"
    return DirectoryError(
        f"the directory has no page ({found})",
        source=source,
        advice="write one URL and class per line: http://a.example/, TAB, Science/Physics",
    )
