"""The kernels of pagekin, written in Rust."""

from collections.abc import Mapping, Sequence
from os import PathLike
from typing import Any, final

import pyarrow as pa

_Path = str | PathLike[str]
_Part = tuple["_Path | Slot", int, int]
_Place = tuple[int, int]
_Window = tuple[int, int, int, int]
_Card = tuple[str, str, str | None, bool]
_Terms = tuple[list[tuple[str, int]], tuple[int, int]]
_Concepts = tuple[list[tuple[int, int, list[str]]], tuple[int, int]]
_Explained = tuple[_Card, list[str], _Terms, _Concepts, list[tuple[str, str]]]

__all__ = [
    "EXCHANGE_FORM",
    "FEW_BAGS",
    "LINK_BIT",
    "TOTAL",
    "VERSION",
    "Answer",
    "Chosen",
    "Collection",
    "Concepts",
    "CoreError",
    "Exchange",
    "Extracted",
    "Family",
    "Holders",
    "LinkGraph",
    "Merged",
    "Merger",
    "Options",
    "Page",
    "PageRank",
    "QueryBag",
    "Queue",
    "Ranking",
    "SealedTable",
    "Searcher",
    "Slot",
    "Strategy",
    "Superseded",
    "Weigher",
    "answer_terms",
    "canonical",
    "checksums",
    "cocitations",
    "concept_number",
    "concept_term",
    "cut_run",
    "extract",
    "invert",
    "keep_pages",
    "learn_concepts",
    "make_fragments",
    "merge_lexicon",
    "merge_postings",
    "pack_postings",
    "pack_terms",
    "parse_page",
    "site",
    "sketch",
    "stemmers",
    "superseded",
    "term_of",
    "url_id",
    "url_ids",
    "words_of",
]

EXCHANGE_FORM: int
FEW_BAGS: int
LINK_BIT: int
TOTAL: int
VERSION: str

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
class Exchange:
    """A folder for what stages hand on, and how many bytes of it may stay in memory."""

    def __new__(cls, folder: _Path, memory: int) -> Exchange: ...
    def slot(self, name: str) -> Slot: ...

@final
class Slot:
    """A place of the exchange. What is in it is gone with the last who knows of it."""

@final
class Queue:
    """Sources that threads share, and how far they have come."""

    def __new__(
        cls,
        sources: Sequence[tuple[_Path, str | None, str | None]],
        first_run: int = 0,
        share: tuple[int, int] = ...,
    ) -> Queue: ...
    @property
    def bytes(self) -> int: ...
    def cancel(self) -> None: ...

@final
class Extracted:
    """What one thread has done."""

    @property
    def runs(self) -> list[tuple[str | Slot, list[int]]]: ...
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
class Family:
    """Classes by their paths and pages by their classes."""

    def __new__(cls, paths: Sequence[Sequence[int]], pages: Sequence[Sequence[int]]) -> Family: ...
    def __len__(self) -> int: ...
    def relations(self, page: int) -> bytes: ...

@final
class Collection:
    """The bags of a directory's pages, ready to be compared with each other."""

    def __new__(cls, batches: Sequence[pa.RecordBatch]) -> Collection: ...
    def __len__(self) -> int: ...
    def similarities(self, page: int, similarity: str) -> list[float]: ...
    def tally(
        self, family: Family, similarity: str, ks: Sequence[int], first: int, last: int
    ) -> pa.RecordBatch: ...

@final
class Ranking:
    """Somebody else's answers: for each query page some pages with scores."""

    def __new__(cls, pages: int, rows: pa.RecordBatch) -> Ranking: ...
    def __len__(self) -> int: ...
    def tally(self, family: Family, ks: Sequence[int], first: int, last: int) -> pa.RecordBatch: ...

@final
class Merger:
    """Merges partitions; every thread that does so keeps its memory for the next one."""

    def __new__(cls, superseded: Superseded, strategy: Strategy, bits: int) -> Merger: ...
    def merge(
        self, segments: Sequence[_Part], bags_to: _Path | Slot, counts_to: _Path | Slot
    ) -> Merged: ...
    def merge_chosen(
        self,
        segments: Sequence[_Part],
        chosen: tuple[Chosen, Chosen],
        to: tuple[_Path | Slot, _Path | Slot, _Path | Slot],
    ) -> tuple[int, list[int]]: ...

@final
class Weigher:
    """Weighs raw bags; every thread that does so keeps its memory for the next partition."""

    def __new__(
        cls,
        frequencies: Sequence[_Path | Slot],
        bags: int,
        strategy: Strategy,
        concepts: Concepts | None = None,
    ) -> Weigher: ...
    def weigh(self, bags_in: _Path | Slot) -> pa.RecordBatch: ...
    def weigh_sample(self, bags_in: _Path | Slot, sample: Chosen) -> pa.RecordBatch: ...

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

@final
class QueryBag:
    """The bag that is asked about."""

    def __len__(self) -> int: ...
    @property
    def terms(self) -> list[int]: ...
    @property
    def weights(self) -> list[int]: ...
    @staticmethod
    def mixed(like: Sequence[QueryBag], unlike: Sequence[QueryBag]) -> QueryBag: ...
    def sketch(self, positions: int, seed: int) -> list[int]: ...

@final
class Options:
    """Which pages are wanted."""

    def __new__(cls, fields: Any) -> Options: ...

@final
class Answer:
    """The hits of a search and what was left out."""

    @property
    def hits(self) -> list[tuple[_Place, int, list[_Place]]]: ...
    @property
    def left_out(self) -> dict[str, int]: ...
    @property
    def compared(self) -> int: ...
    @property
    def exact(self) -> bool: ...

@final
class Searcher:
    """An index that can be asked."""

    TABLES: list[str]

    def __new__(
        cls, tables: Mapping[str, Sequence[tuple[str, Any, pa.UInt32Array | None]]]
    ) -> Searcher: ...
    def find(self, key: int) -> _Place | None: ...
    def id(self, page: _Place) -> int: ...
    def bag(self, page: _Place) -> QueryBag: ...
    def sketch(self, page: _Place) -> list[int]: ...
    def bag_of_text(
        self,
        strategy: Strategy,
        text: tuple[Sequence[str], Sequence[str]],
        bags: int,
        concepts: Concepts | None = None,
    ) -> QueryBag: ...
    def search(self, bag: QueryBag, sketch: Sequence[int], options: Options) -> Answer: ...
    def explained(
        self,
        about: tuple[QueryBag, Sequence[_Place]],
        hits: Sequence[tuple[_Place, Sequence[_Place]]],
        concepts: Concepts | None,
        most: tuple[int, int, int, int],
    ) -> list[_Explained]: ...
    def terms_for(
        self, concepts: Concepts, numbers: Sequence[int], page: _Place, most: int
    ) -> list[list[int]]: ...
    def card(self, page: _Place) -> _Card: ...
    def words(self, page: _Place, start: int, end: int) -> list[str]: ...
    def quote(self, page: int, windows: Sequence[_Window]) -> str: ...
    def word(self, term: int) -> str: ...
    def rows(self) -> list[int]: ...
    def answers(
        self, shard: int, rows: tuple[int, int], options: Options, excluded: tuple[bool, bool]
    ) -> pa.RecordBatch: ...
    def answers_among(
        self, lists: Sequence[Sequence[_Place]], options: Options, excluded: tuple[bool, bool]
    ) -> pa.RecordBatch: ...

@final
class Concepts:
    """Concepts, ready for the bags of a crawl."""

    def __new__(
        cls,
        loadings: Sequence[pa.RecordBatch],
        power: float,
        bearings: Sequence[pa.RecordBatch] = ...,
    ) -> Concepts: ...
    def __len__(self) -> int: ...

@final
class LinkGraph:
    """Who links to whom in a crawl, pages being known by their places."""

    def __new__(cls, ids: pa.Array[Any], links: Sequence[pa.RecordBatch]) -> LinkGraph: ...
    def __len__(self) -> int: ...
    def page_ranks(self) -> pa.Array[Any]: ...
    def site_ranks(self, site_of: pa.Array[Any], sites: int) -> pa.Array[Any]: ...
    def highest(
        self, site_of: pa.Array[Any], ranks: pa.Array[Any], sites: int
    ) -> pa.Array[Any]: ...
    def minimal(self, site_of: pa.Array[Any], roots: pa.Array[Any]) -> pa.RecordBatch: ...

@final
class PageRank:
    """The rule of PageRank, for a graph that is in no one's memory."""

    MOST_ROUNDS: int

    @staticmethod
    def shares(ranks: pa.Array[Any], links: pa.Array[Any]) -> pa.Array[Any]: ...
    @staticmethod
    def everywhere(given: int, nodes: int) -> int: ...
    @staticmethod
    def is_settled(change: int) -> bool: ...
    @staticmethod
    def fractions(found: pa.Array[Any]) -> pa.Array[Any]: ...

@final
class SealedTable:
    """A file of a table whose batches can be held against their checksums."""

    def __new__(cls, name: str, content: Any, sums: pa.UInt32Array) -> SealedTable: ...
    def check(self, batch: int) -> None: ...

def parse_page(url: str, body: bytes, charset: str | None = None) -> Page | None: ...
def canonical(url: str) -> str | None: ...
def site(url: str) -> str: ...
def url_id(url: str) -> int: ...
def url_ids(names: pa.Array[Any]) -> pa.Array[Any]: ...
def checksums(path: _Path) -> tuple[str, pa.UInt32Array]: ...
def stemmers() -> list[str]: ...
def term_of(strategy: Strategy, word: str) -> tuple[int, str] | None: ...
def extract(
    queue: Queue,
    strategy: Strategy,
    folder: _Path | Exchange,
    bits: int,
    run_bytes: int,
    limits: tuple[int, int],
) -> Extracted: ...
def make_fragments(
    queue: Queue, strategy: Strategy, bits: int, run_bytes: int, limits: tuple[int, int]
) -> Extracted: ...

@final
class Holders:
    def __new__(cls, first: int, last: int) -> Holders: ...
    def add(self, bags: pa.RecordBatch, named: Sequence[bool]) -> None: ...
    def batch(self) -> pa.RecordBatch: ...

def invert(values: pa.Array[Any], rows: pa.Array[Any]) -> pa.RecordBatch: ...
def sketch(bags: pa.RecordBatch, m: int, seed: int) -> pa.RecordBatch: ...
def superseded(segments: Sequence[_Part]) -> tuple[int, list[tuple[int, int]]]: ...
def merge_lexicon(parts: Sequence[_Part], to: _Path | Slot) -> pa.RecordBatch: ...
def pack_terms(bags_in: _Path | Slot, bits: int, to: _Path | Slot) -> list[int]: ...
def answer_terms(
    asked: Sequence[_Part], frequencies: _Path | Slot, to: _Path | Slot
) -> list[int]: ...
def learn_concepts(
    bags: Sequence[pa.RecordBatch],
    learning: tuple[int, int, int, float],
    cited: bool,
    threads: int,
) -> tuple[pa.RecordBatch, pa.RecordBatch]: ...
def concept_term(number: int) -> int: ...
def concept_number(term: int) -> int | None: ...
def words_of(text: str) -> list[str]: ...

@final
class Chosen:
    """URLs whose bags are wanted."""

    def __new__(cls, ids: Sequence[int]) -> Chosen: ...
    def __len__(self) -> int: ...

def keep_pages(
    queue: Queue, folder: _Path, run_bytes: int, limits: tuple[int, int]
) -> Extracted: ...
def cut_run(
    pages: _Path, strategy: Strategy, number: int, bits: int, to: _Path | Slot
) -> list[int]: ...
def cocitations(
    pages: _Path, number: int, superseded: Superseded, chosen: Chosen
) -> list[tuple[int, int, int]]: ...
def pack_postings(
    bags_in: _Path | Slot, site_of: pa.Array[Any], bits: int, to: _Path | Slot
) -> list[int]: ...
def merge_postings(parts: Sequence[tuple[int, _Part]]) -> pa.RecordBatch: ...
