"""The kernels of pagekin, written in Rust."""

from collections.abc import Sequence
from os import PathLike
from typing import Any, final

import pyarrow as pa

_Path = str | PathLike[str]
_Part = tuple[_Path, int, int]

__all__ = [
    "CoreError",
    "Extracted",
    "Merged",
    "Page",
    "Queue",
    "Strategy",
    "Superseded",
    "canonical",
    "checksum",
    "extract",
    "merge",
    "merge_lexicon",
    "parse_page",
    "site",
    "sketch",
    "stemmers",
    "superseded",
    "term_of",
    "url_id",
    "weigh",
]

class CoreError(Exception):
    """Data that the core itself wrote does not read back."""

@final
class Strategy:
    """A strategy, checked and ready for the kernels."""

    def __new__(cls, fields: Any) -> Strategy: ...

@final
class Page:
    """A parsed page, for looking at."""

    @property
    def url(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def words(self) -> list[str]: ...
    @property
    def anchors(self) -> list[tuple[int, int, str]]: ...
    @property
    def breaks(self) -> list[tuple[int, int]]: ...

@final
class Queue:
    """Sources that threads share, and how far they have come."""

    def __new__(cls, sources: Sequence[tuple[_Path, str | None]]) -> Queue: ...
    @property
    def bytes(self) -> int: ...
    def cancel(self) -> None: ...

@final
class Extracted:
    """What one thread has done."""

    @property
    def runs(self) -> list[tuple[str, list[int]]]: ...
    @property
    def captures(self) -> int: ...
    @property
    def pages(self) -> int: ...
    @property
    def trees(self) -> int: ...
    @property
    def too_deep(self) -> int: ...
    @property
    def truncated(self) -> int: ...
    @property
    def links_left_out(self) -> int: ...
    @property
    def skips(self) -> list[tuple[str, int]]: ...
    @property
    def failures(self) -> list[tuple[str, int, str, str]]: ...

@final
class Superseded:
    """The captures that later ones replace."""

    def __new__(cls) -> Superseded: ...
    def __len__(self) -> int: ...
    def add(self, captures: list[tuple[int, int]]) -> None: ...

@final
class Merged:
    """A merged partition."""

    @property
    def urls(self) -> int: ...
    @property
    def pages(self) -> pa.RecordBatch: ...
    @property
    def links(self) -> pa.RecordBatch: ...
    @property
    def count_ends(self) -> list[int]: ...

def parse_page(url: str, body: bytes, charset: str | None = None) -> Page | None: ...
def canonical(url: str) -> str | None: ...
def site(url: str) -> str: ...
def url_id(url: str) -> int: ...
def checksum(path: _Path) -> str: ...
def stemmers() -> list[str]: ...
def term_of(strategy: Strategy, word: str) -> tuple[int, str] | None: ...
def extract(
    queue: Queue,
    strategy: Strategy,
    folder: _Path,
    bits: int,
    run_bytes: int,
    limits: tuple[int, int],
) -> Extracted: ...
def superseded(segments: Sequence[_Part]) -> tuple[int, list[tuple[int, int]]]: ...
def merge(
    segments: Sequence[_Part],
    superseded: Superseded,
    strategy: Strategy,
    bits: int,
    bags_path: _Path,
    counts_path: _Path,
) -> Merged: ...
def merge_lexicon(parts: Sequence[_Part], path: _Path) -> pa.RecordBatch: ...
def weigh(
    bags_path: _Path, frequencies: Sequence[_Path], bags: int, strategy: Strategy
) -> pa.RecordBatch: ...
def sketch(bags: pa.RecordBatch, m: int, seed: int) -> pa.RecordBatch: ...
