"""Nouns that more than one part uses."""

from dataclasses import dataclass, field
from typing import Generic, TypeVar

from pagekin.errors import CrawlError

__all__ = [
    "BuildSummary",
    "Citation",
    "ConceptShare",
    "ConceptsFound",
    "Failure",
    "Hit",
    "Inlink",
    "OtherTerms",
    "PageCard",
    "Part",
    "Query",
    "Related",
    "Run",
    "TermShare",
    "Why",
]


Part = tuple[str, int, int]
"""A part of a file: path, start, end."""
P = TypeVar("P")


@dataclass(frozen=True, slots=True)
class Run(Generic[P]):
    """One part a partition at a place, a file or a slot of the exchange; where each part ends."""

    place: P
    ends: list[int]

    def part(self, partition: int) -> tuple[P, int, int]:
        """Where the partition's part is."""
        return self.place, self.ends[partition - 1] if partition else 0, self.ends[partition]


@dataclass(frozen=True, slots=True)
class Failure:
    """A file that could not be read, or not to its end."""

    source: str
    offset: int
    reason: str
    advice: str

    def as_error(self) -> CrawlError:
        """The error that this is where nothing else could be read either."""
        return CrawlError(self.reason, source=self.source, offset=self.offset, advice=self.advice)


@dataclass(frozen=True, slots=True)
class ConceptsFound:
    """How many concepts were found, how many were wanted, and in how many pages."""

    found: int
    wanted: int
    pages: int


@dataclass(slots=True)
class BuildSummary:
    """What a build has read, skipped and written."""

    captures: int = 0
    pages: int = 0
    superseded: int = 0
    trees: int = 0
    too_deep: int = 0
    truncated: int = 0
    skipped: dict[str, int] = field(default_factory=dict)
    failures: list[Failure] = field(default_factory=list)
    links: int = 0
    links_left_out: int = 0
    bags: int = 0
    terms: int = 0
    concepts: ConceptsFound | None = None
    bytes_read: int = 0
    bytes_written: int = 0
    seconds: dict[str, float] = field(default_factory=dict)

    @property
    def counts(self) -> dict[str, int]:
        """What the manifest counts."""
        return {
            "pages": self.pages,
            "bags": self.bags,
            "terms": self.terms,
            "links": self.links,
            "concepts": self.concepts.found if self.concepts else 0,
        }


@dataclass(frozen=True, slots=True)
class TermShare:
    """A term as the word to show for it, and its share of a bag."""

    term: str
    share: float


@dataclass(frozen=True, slots=True)
class ConceptShare:
    """A concept by its number and its heaviest words, and its share of a bag.

    `here` are the words by which the pages themselves have it, the most telling first.
    """

    concept: int
    words: list[str]
    here: list[str]
    share: float


@dataclass(frozen=True, slots=True)
class Inlink:
    """A page that links here, and the words around its link."""

    url: str
    words: str


@dataclass(frozen=True, slots=True)
class PageCard:
    """What is known of one URL."""

    url: str
    title: str | None
    site: str
    crawled: bool
    inlinks: int
    file: str | None
    offset: int | None
    date: str | None
    terms: list[TermShare]
    concepts: list[ConceptShare]
    linked_from: list[Inlink]


@dataclass(frozen=True, slots=True)
class Query:
    """What was asked about: the first page's URL and title, or nothing of these for a text."""

    url: str | None
    title: str | None
    also: list[str]
    unlike: list[str]


@dataclass(frozen=True, slots=True)
class Citation:
    """A page that links both to the query page and to a hit, and the words around the links."""

    url: str
    words: str


@dataclass(frozen=True, slots=True)
class OtherTerms:
    """The shared terms or concepts that are not listed."""

    count: int
    share: float


@dataclass(frozen=True, slots=True)
class Why:
    """What makes a hit similar: how much of both bags each shared term is.

    The shares of `terms` and `concepts` and of the others of both add up to `intersection`, and
    the score is intersection / (2 - intersection).
    """

    terms: list[TermShare]
    other_terms: OtherTerms
    concepts: list[ConceptShare]
    other_concepts: OtherTerms
    intersection: float
    cited_together_by: list[Citation]


@dataclass(frozen=True, slots=True)
class Hit:
    """A related page; `mirrors` are pages that are nearly the same."""

    url: str
    title: str | None
    site: str
    score: float
    crawled: bool
    mirrors: list[str]
    why: Why


@dataclass(frozen=True, slots=True)
class Related:
    """The related pages, best first. `note` says why there are none or fewer than asked for."""

    query: Query
    hits: list[Hit]
    note: str | None
    took_ms: float
