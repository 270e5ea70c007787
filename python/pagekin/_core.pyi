"""The kernels of pagekin, written in Rust."""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from os import PathLike
from typing import Any, ClassVar, Protocol, final

import pyarrow as pa

_Path = str | PathLike[str]

class _Part(Protocol):
    """A part of a file: its first byte, and the one after its last."""

    @property
    def place(self) -> _Path | SpillFile: ...
    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...

class _Source(Protocol):
    """What to read: a folder has a base URL, what comes through a pipe a name."""

    @property
    def path(self) -> str: ...
    @property
    def base_url(self) -> str | None: ...
    @property
    def follow_links(self) -> bool: ...
    @property
    def name(self) -> str | None: ...

class _Share(Protocol):
    """Every Nth record of the sources from a place on, N being `of`."""

    @property
    def place(self) -> int: ...
    @property
    def of(self) -> int: ...

class _HoldOut(Protocol):
    """Evidence to leave out: see-also sections, or the links of a share of the pages."""

    @property
    def share(self) -> float | None: ...
    @property
    def seed(self) -> int: ...

class _Record(Protocol):
    @property
    def path(self) -> str: ...
    @property
    def entry(self) -> str | None: ...
    @property
    def page_url(self) -> str | None: ...
    @property
    def content(self) -> bytes | None: ...
    @property
    def offset(self) -> int: ...
    @property
    def length(self) -> int | None: ...

class _Limits(Protocol):
    """Maximum bytes of a record and of its body; the last second of captures that are read."""

    @property
    def record(self) -> int: ...
    @property
    def body(self) -> int: ...
    @property
    def as_of(self) -> int | None: ...

__all__ = [
    "FEW_BAGS",
    "LINK_BIT",
    "SPILL_FORM",
    "TEXT_ROWS",
    "TOTAL",
    "VERSION",
    "AddressRange",
    "Aliases",
    "ArchivedRecord",
    "BagPacker",
    "BagSelection",
    "Bm25f",
    "Cancellation",
    "CaptureCensus",
    "CitingPage",
    "Collection",
    "CompressedWriter",
    "Concepts",
    "CoreError",
    "CorePanic",
    "Exclusions",
    "Explanation",
    "ExplanationLimits",
    "ExtractSummary",
    "Family",
    "FileChecksums",
    "FilterCounts",
    "Interrupted",
    "LearntConcepts",
    "LinkGraph",
    "LinkSuggester",
    "LinkWindow",
    "MergedTables",
    "Merger",
    "Page",
    "PageAnchor",
    "PageBreak",
    "PageMeta",
    "PageRank",
    "PageRef",
    "PageSelection",
    "PartitionCounts",
    "QueryBag",
    "QueryWords",
    "Queue",
    "Ranking",
    "Remainder",
    "Run",
    "ScoredPage",
    "SearchOptions",
    "SearchResult",
    "Searcher",
    "SharedConcept",
    "SharedTerm",
    "SiteSuggestions",
    "Snippet",
    "SourceFailure",
    "SpillFile",
    "SpillStore",
    "StoredPages",
    "Strategy",
    "SupersededCaptures",
    "Templates",
    "Term",
    "TermCollector",
    "UrlSet",
    "VerifiedFile",
    "VerifiedTable",
    "Weigher",
    "WeightedPostingsBuilder",
    "answer_terms",
    "canonical",
    "captures_of",
    "checksums",
    "cocitations",
    "concept_number",
    "concept_term",
    "count_pagelets",
    "cut_run",
    "decode_text",
    "detect_language",
    "extract",
    "extract_stored",
    "field_counts",
    "invert",
    "is_stop_word",
    "keep_pages",
    "language_named",
    "learn_concepts",
    "merge_addresses",
    "merge_lexicon",
    "merge_pagelets",
    "merge_postings",
    "move_links",
    "pack",
    "pack_addresses",
    "pack_postings",
    "pack_terms",
    "page_vectors",
    "parse_page",
    "phrases",
    "query_term",
    "query_words",
    "read_record",
    "sentences",
    "site",
    "sketch",
    "stemmers",
    "superseded",
    "term_of",
    "unpack",
    "url_id",
    "url_ids",
    "word_digest",
    "words_of",
]

FEW_BAGS: int
TEXT_ROWS: int
LINK_BIT: int
SPILL_FORM: int
TOTAL: int
VERSION: str

class CoreError(Exception):
    """Data written by the core cannot be read back."""

class CorePanic(Exception):
    """The core met a case that it does not handle: a defect, whatever the data are."""

class Interrupted(Exception):
    """The question was given up before its answer was there."""

@final
class Cancellation:
    """Gives up what a thread asks the core within its `with` block."""

    def __new__(cls) -> Cancellation: ...
    def cancel(self) -> None:
        """Give up the question, from any thread."""

    def __enter__(self) -> None: ...
    def __exit__(self, *error: object) -> None: ...

@final
class Strategy:
    """A strategy, checked and ready for the kernels."""

    def __new__(cls, fields: Any) -> Strategy: ...

@final
class PageAnchor:
    """A link of a page: the first word of its anchor, the word after the last, and its target."""

    @property
    def first(self) -> int: ...
    @property
    def last(self) -> int: ...
    @property
    def target(self) -> str: ...

@final
class PageBreak:
    """A break in the text of a page: the word before which it is, and its kinds."""

    @property
    def position(self) -> int: ...
    @property
    def kinds(self) -> int: ...

@final
class Page:
    """A parsed page, for inspection."""

    @property
    def url(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def language(self) -> str | None: ...
    @property
    def words(self) -> list[str]: ...
    @property
    def content_words(self) -> list[str]: ...
    @property
    def text(self) -> str: ...
    @property
    def anchors(self) -> list[PageAnchor]: ...
    @property
    def breaks(self) -> list[PageBreak]: ...

@final
class SpillStore:
    """A folder for data between stages, and how many bytes of them may stay in memory."""

    def __new__(cls, folder: _Path, memory: int) -> SpillStore: ...
    def file(self, name: str) -> SpillFile: ...

@final
class SpillFile:
    """A file of the store, in memory or on disk. It is removed with its last owner."""

@final
class Queue:
    """Sources that threads share, and how far they have come."""

    def __new__(
        cls,
        sources: Sequence[_Source],
        first_run: int = 0,
        share: _Share | None = None,
        hold_out: _HoldOut | None = None,
    ) -> Queue: ...
    @property
    def bytes(self) -> int: ...
    def cancel(self) -> None: ...

@final
class StoredPages:
    """The pages of an index that threads share, and how far they have come."""

    TABLES: ClassVar[Sequence[str]]
    def __new__(
        cls,
        tables: Mapping[str, Sequence[VerifiedFile]],
        size: int,
        without: AbstractSet[str] = ...,
        first_run: int = 0,
        share: _Share | None = None,
    ) -> StoredPages: ...
    @property
    def bytes(self) -> int: ...
    def check(self) -> None: ...
    def cancel(self) -> None: ...

@final
class Run:
    """A run: where it is, and where the block of each partition ends."""

    @property
    def place(self) -> str | SpillFile: ...
    @property
    def ends(self) -> list[int]: ...

@final
class ArchivedRecord:
    """A record as it was archived: its URL in canonical form, the lines of its HTTP header, its
    body without encodings unless `encoded`, and of a revisit the URL and date it refers to."""

    @property
    def url(self) -> str | None: ...
    @property
    def date(self) -> int | None: ...
    @property
    def kind(self) -> str: ...
    @property
    def head(self) -> bytes: ...
    @property
    def body(self) -> bytes: ...
    @property
    def charset(self) -> str | None: ...
    @property
    def encoded(self) -> bool: ...
    @property
    def truncated(self) -> bool: ...
    @property
    def refers_to(self) -> tuple[str, int | None] | None: ...

def read_record(record: _Record, limits: _Limits) -> ArchivedRecord | SourceFailure: ...

@final
class SourceFailure:
    """A source that could not be read from an offset on, with the reason and advice."""

    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    @property
    def source(self) -> str: ...
    @property
    def offset(self) -> int: ...
    @property
    def reason(self) -> str: ...
    @property
    def advice(self) -> str: ...

@final
class ExtractSummary:
    """The work of one thread; `skips` are counts of records by reason."""

    @property
    def runs(self) -> list[Run]: ...
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
    def pages_cut(self) -> int: ...
    @property
    def held_out_pairs(self) -> list[tuple[int, int]]: ...
    @property
    def held_out_pages(self) -> int: ...
    @property
    def skips(self) -> dict[str, int]: ...
    @property
    def failures(self) -> list[SourceFailure]: ...

@final
class SupersededCaptures:
    """The captures that later ones replace."""

    def __new__(cls) -> SupersededCaptures: ...
    def __len__(self) -> int: ...
    def add(self, captures: pa.RecordBatch) -> None: ...

@final
class Templates:
    """The pagelets that sites repeat, by their keys in ranges."""

    def __new__(cls, keys: Sequence[pa.Array[Any]]) -> Templates: ...
    def __len__(self) -> int: ...

@final
class Aliases:
    """Other addresses of pages, from batches of ids of addresses and of their pages."""

    def __new__(cls, ranges: Sequence[pa.RecordBatch]) -> Aliases: ...
    def __len__(self) -> int: ...
    def table(self) -> pa.RecordBatch: ...

@final
class AddressRange:
    """The result for a range of addresses: batches of aliases, and of captures that are folded."""

    @property
    def aliases(self) -> pa.RecordBatch: ...
    @property
    def folded(self) -> pa.RecordBatch: ...

@final
class CaptureCensus:
    """How many URLs a partition has, and which captures are replaced: a batch of run and page."""

    @property
    def urls(self) -> int: ...
    @property
    def replaced(self) -> pa.RecordBatch: ...

@final
class LearntConcepts:
    """Learnt concepts: two tables."""

    @property
    def loadings(self) -> pa.RecordBatch: ...
    @property
    def page_vectors(self) -> pa.RecordBatch: ...

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
    """A ranking of another system: for each query page some pages with scores."""

    def __new__(cls, pages: int, rows: pa.RecordBatch) -> Ranking: ...
    def __len__(self) -> int: ...
    def tally(self, family: Family, ks: Sequence[int], first: int, last: int) -> pa.RecordBatch: ...

@final
class Merger:
    """Merges partitions; each thread reuses its memory for the next one."""

    def __new__(
        cls,
        superseded: SupersededCaptures,
        templates: Templates,
        aliases: Aliases,
        strategy: Strategy,
        bits: int,
    ) -> Merger: ...
    def count_urls(self, blocks: Sequence[_Part]) -> int: ...
    def merge(
        self, blocks: Sequence[_Part], bags_to: _Path | SpillFile, counts_to: _Path | SpillFile
    ) -> MergedTables: ...
    def merge_only(
        self,
        blocks: Sequence[_Part],
        selections: Sequence[BagSelection],
        counts_to: _Path | SpillFile,
    ) -> PartitionCounts: ...

@final
class BagSelection:
    """URLs whose raw bags are written, and the file that they go to."""

    def __new__(cls, urls: UrlSet, to: _Path | SpillFile) -> BagSelection: ...

@final
class PartitionCounts:
    """How many URLs a partition has, and where each range of its frequencies ends."""

    @property
    def urls(self) -> int: ...
    @property
    def count_ends(self) -> list[int]: ...

@final
class Weigher:
    """Weights raw bags; each thread reuses its memory for the next partition."""

    def __new__(
        cls,
        frequencies: Sequence[_Path | SpillFile],
        bags: int,
        strategy: Strategy,
        concepts: Concepts | None = None,
    ) -> Weigher: ...
    def weigh(self, bags_in: _Path | SpillFile) -> pa.RecordBatch: ...
    def weigh_sample(self, bags_in: _Path | SpillFile, sample: UrlSet) -> pa.RecordBatch: ...

@final
class MergedTables:
    """A merged partition; `urls_left_out` have the ids of others."""

    @property
    def urls(self) -> int: ...
    @property
    def urls_left_out(self) -> int: ...
    @property
    def pages(self) -> pa.RecordBatch: ...
    @property
    def texts(self) -> pa.RecordBatch: ...
    @property
    def layouts(self) -> pa.RecordBatch: ...
    @property
    def standby(self) -> pa.RecordBatch: ...
    @property
    def links(self) -> pa.RecordBatch: ...
    @property
    def captures(self) -> pa.RecordBatch: ...
    @property
    def count_ends(self) -> list[int]: ...

@final
class PageRef:
    """A page: its shard and its row in it."""

    def __new__(cls, shard: int, row: int) -> PageRef: ...
    def __hash__(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __lt__(self, other: PageRef, /) -> bool: ...
    def __le__(self, other: PageRef, /) -> bool: ...
    def __gt__(self, other: PageRef, /) -> bool: ...
    def __ge__(self, other: PageRef, /) -> bool: ...
    @property
    def shard(self) -> int: ...
    @property
    def row(self) -> int: ...

@final
class PageMeta:
    """What is shown of a page."""

    @property
    def url(self) -> str: ...
    @property
    def site(self) -> str: ...
    @property
    def title(self) -> str | None: ...
    @property
    def crawled(self) -> bool: ...
    @property
    def language(self) -> str | None: ...
    @property
    def date(self) -> int | None: ...

@final
class LinkWindow:
    """The words around a link, and its own words among them."""

    def __new__(cls, start: int, anchor_start: int, anchor_end: int, end: int) -> LinkWindow: ...
    @property
    def start(self) -> int: ...
    @property
    def anchor_start(self) -> int: ...
    @property
    def anchor_end(self) -> int: ...
    @property
    def end(self) -> int: ...

@final
class QueryBag:
    """A bag to search with."""

    def __len__(self) -> int: ...
    @property
    def terms(self) -> list[int]: ...
    @property
    def weights(self) -> list[int]: ...
    @staticmethod
    def mix(like: Sequence[QueryBag], unlike: Sequence[QueryBag]) -> QueryBag: ...
    def sketch(self, positions: int, seed: int) -> list[int]: ...

@final
class PageSelection:
    """Which pages may be hits, whatever the question."""

    def __new__(cls, fields: Any) -> PageSelection: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class SearchOptions:
    """Which pages are wanted."""

    def __new__(cls, fields: Any) -> SearchOptions: ...

@final
class Exclusions:
    """Pages excluded from the hits of a page: those of its site, those that it links to, those in
    another language."""

    def __new__(cls, *, site: bool, linked: bool, language: bool) -> Exclusions: ...

@final
class ScoredPage:
    """A related page, its overlap with the query, and its near duplicates."""

    def __new__(cls, page: PageRef, overlap: int, duplicates: Sequence[PageRef]) -> ScoredPage: ...
    def __hash__(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    @property
    def page(self) -> PageRef: ...
    @property
    def overlap(self) -> int: ...
    @property
    def duplicates(self) -> list[PageRef]: ...

@final
class FilterCounts:
    """How many pages each filter dropped."""

    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    @property
    def score(self) -> int: ...
    @property
    def site(self) -> int: ...
    @property
    def linked(self) -> int: ...
    @property
    def same_site(self) -> int: ...

@final
class SearchResult:
    """The hits of a search, best first, and what the filters dropped."""

    @property
    def hits(self) -> list[ScoredPage]: ...
    @property
    def copies(self) -> list[PageRef]: ...
    @property
    def filtered(self) -> FilterCounts: ...
    @property
    def compared(self) -> int: ...
    @property
    def exact(self) -> bool: ...

@final
class SharedTerm:
    """A term that two pages have, and the smaller weight."""

    @property
    def word(self) -> str: ...
    @property
    def weight(self) -> int: ...

@final
class SharedConcept:
    """A concept that two pages have, the smaller weight, and the words that give it to them."""

    @property
    def number(self) -> int: ...
    @property
    def weight(self) -> int: ...
    @property
    def words(self) -> list[str]: ...

@final
class Remainder:
    """What is not listed: how many, and their weight together."""

    @property
    def count(self) -> int: ...
    @property
    def weight(self) -> int: ...

@final
class CitingPage:
    """A page that links to two others, and the words around both links."""

    @property
    def url(self) -> str: ...
    @property
    def quote(self) -> str: ...

@final
class ExplanationLimits:
    """How many reasons of each kind are listed."""

    def __new__(
        cls,
        *,
        terms: int,
        concepts: int,
        concept_words: int,
        citations: int,
        snippet_words: int,
    ) -> ExplanationLimits: ...

@final
class Snippet:
    """A part of a page, and where it has the words looked for: from and to, in characters."""

    @property
    def text(self) -> str: ...
    @property
    def marks(self) -> list[tuple[int, int]]: ...

@final
class Explanation:
    """A hit and its near duplicates, and why it is similar."""

    @property
    def page(self) -> PageMeta: ...
    @property
    def duplicates(self) -> list[str]: ...
    @property
    def terms(self) -> list[SharedTerm]: ...
    @property
    def other_terms(self) -> Remainder: ...
    @property
    def concepts(self) -> list[SharedConcept]: ...
    @property
    def other_concepts(self) -> Remainder: ...
    @property
    def citations(self) -> list[CitingPage]: ...
    @property
    def snippet(self) -> Snippet | None: ...

@final
class VerifiedFile:
    """A mapped file whose blocks are compared with their checksums where they are read."""

    def __new__(cls, name: str, content: Any, blocks: pa.UInt32Array | None) -> VerifiedFile: ...

@final
class CompressedWriter:
    """Writes a file of a table in small compressed batches."""

    def __new__(cls, path: _Path, schema: pa.Schema, rows: int, level: int) -> CompressedWriter: ...
    def write(self, batch: pa.RecordBatch) -> None: ...
    def close(self) -> None: ...

@final
class VerifiedTable:
    """A table whose batches can be verified."""

    def __new__(cls, file: VerifiedFile, *, compressed: bool = False) -> VerifiedTable: ...
    def verify(self, batch: int) -> None: ...
    def verify_all(self) -> None: ...

@final
class FileChecksums:
    """The checksum of a file, and those of its blocks."""

    @property
    def whole(self) -> str: ...
    @property
    def blocks(self) -> pa.UInt32Array: ...

@final
class Searcher:
    """An index opened for questions."""

    TABLES: list[str]

    def __new__(
        cls,
        indexes: Sequence[Mapping[str, Sequence[VerifiedFile]]],
        positions: int,
        seed: int,
        min_inlinks: int,
    ) -> Searcher: ...
    def find(self, key: int) -> PageRef | None: ...
    def id(self, page: PageRef) -> int: ...
    def bag(self, page: PageRef) -> QueryBag: ...
    def bag_of_text(
        self,
        strategy: Strategy,
        text: tuple[Sequence[str], Sequence[str], Sequence[str | None]],
        bags: int,
        concepts: Concepts | None = None,
    ) -> QueryBag: ...
    def search(self, query: QueryBag, options: SearchOptions) -> SearchResult: ...
    def search_fused(
        self,
        query: QueryBag,
        pages: Sequence[tuple[PageRef, float]],
        share: float,
        options: SearchOptions,
    ) -> SearchResult: ...
    def explain(
        self,
        model: tuple[Strategy, Concepts | None],
        query: QueryBag,
        like: Sequence[PageRef],
        hits: Sequence[ScoredPage],
        limits: ExplanationLimits,
    ) -> list[Explanation]: ...
    def snippets(
        self, strategy: Strategy, pages: Sequence[PageRef], terms: Sequence[tuple[int, float]]
    ) -> list[Snippet | None]: ...
    def terms_for(
        self, concepts: Concepts, numbers: Sequence[int], page: PageRef, most: int
    ) -> list[list[int]]: ...
    def page_meta(self, page: PageRef) -> PageMeta: ...
    def link_text(self, page: PageRef) -> str | None: ...
    def words(self, page: PageRef, start: int, end: int) -> list[str]: ...
    def quote(self, key: int, windows: Sequence[LinkWindow]) -> str: ...
    def word(self, term: int) -> str: ...
    def selected_rows(self, selection: PageSelection) -> bytes: ...
    def count_selected(self, selection: PageSelection) -> list[tuple[str, int]]: ...
    def count_replaced(self) -> tuple[int, int]: ...
    def rows(self) -> list[int]: ...
    def answers(
        self, shard: int, start: int, end: int, options: SearchOptions, exclusions: Exclusions
    ) -> pa.RecordBatch: ...
    def answers_among(
        self, lists: Sequence[Sequence[PageRef]], options: SearchOptions, exclusions: Exclusions
    ) -> pa.RecordBatch: ...

@final
class Bm25f:
    """BM25F over an index: what it knows of each page is read once."""

    def __new__(cls, searcher: Searcher, params: Any) -> Bm25f: ...
    def scores(
        self,
        searcher: Searcher,
        strategy: Strategy,
        selection: PageSelection,
        terms: Sequence[tuple[int, float]],
        stop_terms: Sequence[tuple[int, float]],
    ) -> bytes: ...

@final
class LinkSuggester:
    """Finds links that the pages of a site ought to have."""

    def __new__(
        cls,
        searcher: Searcher,
        pages: Sequence[PageRef],
        links: pa.RecordBatch,
        titles: Sequence[Sequence[str]],
    ) -> LinkSuggester: ...
    def suggest(
        self, searcher: Searcher, start: int, end: int, options: SearchOptions, limit: int
    ) -> SiteSuggestions: ...

@final
class SiteSuggestions:
    """Missing links of some pages of a site, and pairs of near duplicates."""

    @property
    def links(self) -> pa.RecordBatch: ...
    @property
    def duplicates(self) -> pa.RecordBatch: ...

@final
class QueryWords:
    """The words of a text that pages are looked up by. A pair is two adjacent words, and the places
    of their terms."""

    @property
    def terms(self) -> list[int]: ...
    @property
    def words(self) -> list[str]: ...
    @property
    def frequencies(self) -> list[int]: ...
    @property
    def known(self) -> int: ...
    @property
    def stop_terms(self) -> list[int]: ...
    @property
    def pairs(self) -> list[tuple[str, int | None, int | None]]: ...

@final
class Concepts:
    """Concepts, ready for the bags of a crawl."""

    def __new__(
        cls,
        loadings: Sequence[pa.RecordBatch],
        power: float,
        page_vectors: Sequence[pa.RecordBatch] = ...,
    ) -> Concepts: ...
    def __len__(self) -> int: ...

@final
class LinkGraph:
    """The links of a crawl between pages, by page number."""

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
    """The arithmetic of PageRank, for a graph that is distributed."""

    MAX_ROUNDS: int

    @staticmethod
    def shares(ranks: pa.Array[Any], links: pa.Array[Any]) -> pa.Array[Any]: ...
    @staticmethod
    def teleport(given: int, nodes: int) -> int: ...
    @staticmethod
    def is_settled(change: int) -> bool: ...
    @staticmethod
    def fractions(found: pa.Array[Any]) -> pa.Array[Any]: ...

@final
class Term:
    """A term: its id, and its text."""

    @property
    def id(self) -> int: ...
    @property
    def text(self) -> str: ...

def parse_page(url: str, body: bytes, charset: str | None = None) -> Page | None: ...
def decode_text(url: str, body: bytes, charset: str | None = None) -> str: ...
def canonical(url: str) -> str | None: ...
def site(url: str) -> str: ...
def url_id(url: str) -> int: ...
def url_ids(names: pa.Array[Any]) -> pa.Array[Any]: ...
def checksums(path: _Path) -> FileChecksums: ...
def stemmers() -> list[str]: ...
def term_of(strategy: Strategy, word: str, language: str | None = None) -> Term | None: ...
def extract(
    queue: Queue,
    strategy: Strategy,
    store: _Path | SpillStore,
    bits: int,
    run_bytes: int,
    limits: _Limits,
) -> ExtractSummary: ...
def extract_stored(
    pages: StoredPages,
    strategy: Strategy,
    store: _Path | SpillStore,
    bits: int,
    run_bytes: int,
    limits: _Limits,
) -> ExtractSummary: ...

@final
class WeightedPostingsBuilder:
    """Builds the inverted lists of the terms of a range from bags."""

    def __new__(
        cls, first: int, last: int, crawled: int, uncrawled: int
    ) -> WeightedPostingsBuilder: ...
    def add(
        self, bags: pa.RecordBatch, crawled: Sequence[bool], listed: Sequence[bool]
    ) -> None: ...
    def batch(self) -> pa.RecordBatch: ...

@final
class TermCollector:
    """Collects the distinct terms of a range from bags."""

    def __new__(cls, first: int, last: int) -> TermCollector: ...
    def add(self, bags: pa.RecordBatch) -> None: ...
    def terms(self) -> pa.UInt64Array: ...

@final
class BagPacker:
    """Packs and unpacks the bags of a shard by its terms."""

    def __new__(cls, terms: pa.Array[Any]) -> BagPacker: ...
    def pack(self, rows: pa.RecordBatch) -> pa.RecordBatch: ...
    def unpack(self, rows: pa.RecordBatch) -> pa.RecordBatch: ...

def invert(values: pa.Array[Any], rows: pa.Array[Any]) -> pa.RecordBatch: ...
def pack(table: str, rows: pa.RecordBatch) -> pa.RecordBatch: ...
def unpack(table: str, rows: pa.RecordBatch) -> pa.RecordBatch: ...
def sketch(bags: pa.RecordBatch, m: int, seed: int) -> pa.RecordBatch: ...
def superseded(blocks: Sequence[_Part]) -> CaptureCensus: ...
def count_pagelets(
    blocks: Sequence[_Part], superseded: SupersededCaptures, bits: int, to: _Path | SpillFile
) -> list[int]: ...
def pack_addresses(
    blocks: Sequence[_Part], superseded: SupersededCaptures, bits: int, to: _Path | SpillFile
) -> list[int]: ...
def merge_addresses(parts: Sequence[_Part]) -> AddressRange: ...
def move_links(
    blocks: Sequence[_Part],
    superseded: SupersededCaptures,
    aliases: Aliases,
    bits: int,
    to: _Path | SpillFile,
) -> list[int]: ...
def merge_pagelets(parts: Sequence[_Part], min_pages: int) -> pa.Array[Any]: ...
def captures_of(blocks: Sequence[_Part], urls: UrlSet) -> pa.RecordBatch: ...
def merge_lexicon(
    parts: Sequence[_Part],
    to: _Path | SpillFile,
    model: Sequence[pa.RecordBatch] | None = None,
) -> pa.RecordBatch: ...
def pack_terms(bags_in: _Path | SpillFile, bits: int, to: _Path | SpillFile) -> list[int]: ...
def answer_terms(
    wanted: Sequence[_Part], frequencies: _Path | SpillFile, to: _Path | SpillFile
) -> list[int]: ...
def learn_concepts(
    sample: Any,
    topics: Any | None,
    cited: bool,
    threads: int,
) -> LearntConcepts: ...
def page_vectors(sample: Sequence[pa.RecordBatch], concepts: Concepts) -> pa.RecordBatch: ...
def concept_term(number: int) -> int: ...
def concept_number(term: int) -> int | None: ...
def words_of(text: str) -> list[str]: ...
def sentences(text: str) -> list[str]: ...
def detect_language(words: Sequence[str]) -> str | None: ...
def language_named(tag: str) -> str | None: ...
def is_stop_word(word: str, language: str) -> bool: ...
def query_term(
    searcher: Searcher, strategy: Strategy, word: str, languages: Sequence[str | None]
) -> int | None: ...
def word_digest(text: str) -> tuple[int, int]: ...
def query_words(
    searcher: Searcher,
    strategy: Strategy,
    words: Sequence[str],
    languages: Sequence[str | None],
    most: int,
) -> QueryWords: ...
def field_counts(
    searcher: Searcher, strategy: Strategy, pages: Sequence[PageRef], terms: Sequence[int]
) -> tuple[bytes, bytes]: ...
def phrases(searcher: Searcher, pages: Sequence[PageRef], phrases: Sequence[str]) -> bytes: ...

@final
class UrlSet:
    """A set of URLs whose bags are selected."""

    def __new__(cls, ids: Sequence[int]) -> UrlSet: ...
    def __len__(self) -> int: ...

def keep_pages(queue: Queue, folder: _Path, run_bytes: int, limits: _Limits) -> ExtractSummary: ...
def cut_run(
    pages: _Path, strategy: Strategy, number: int, bits: int, to: _Path | SpillFile
) -> list[int]: ...
def cocitations(
    pages: _Path, number: int, superseded: SupersededCaptures, urls: UrlSet
) -> pa.RecordBatch: ...
def pack_postings(
    bags_in: _Path | SpillFile, site_of: pa.Array[Any], bits: int, to: _Path | SpillFile
) -> list[int]: ...
def merge_postings(parts: Sequence[_Part], firsts: Sequence[int]) -> pa.RecordBatch: ...
