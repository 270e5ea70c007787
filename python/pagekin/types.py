"""Nouns that more than one part uses."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from pagekin.tabular import Tabular

__all__ = [
    "Citation",
    "ConceptShare",
    "Hit",
    "Inlink",
    "OtherTerms",
    "PageCard",
    "Paging",
    "Query",
    "Related",
    "Snippet",
    "TermShare",
    "Why",
]


@dataclass(frozen=True, slots=True)
class TermShare:
    """A term as the word to show, and its share of a bag."""

    term: str
    share: float


@dataclass(frozen=True, slots=True)
class ConceptShare:
    """A concept by its number and its heaviest words, and its share of a bag.

    `here` are the words of the pages themselves that contribute most to it.
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
    """What the index knows about a URL."""

    url: str
    title: str | None
    site: str
    variants: list[str]
    crawled: bool
    inlinks: int
    file: str | None
    offset: int | None
    date: str | None
    replay: str | None
    language: str | None
    terms: list[TermShare]
    concepts: list[ConceptShare]
    linked_from: list[Inlink]


@dataclass(frozen=True, slots=True)
class Query:
    """The query: URL and title of the first page, or neither for a text.

    `word_share` is the share of words in the scores of a question with texts. `language` is that
    of hits unless another is wanted; None if the crawl has one main language.
    """

    url: str | None
    title: str | None
    also: list[str]
    unlike: list[str]
    word_share: float | None = None
    language: str | None = None


@dataclass(frozen=True, slots=True)
class Citation:
    """A page that links both to the query page and to a hit, and the words around the links."""

    url: str
    words: str


@dataclass(frozen=True, slots=True)
class Snippet:
    """A passage of a page as it stands there, in one line.

    `marks` are the words that it was chosen for: where each begins and ends, in characters.
    """

    text: str
    marks: list[tuple[int, int]]

    def parts(self) -> Iterator[tuple[str, bool]]:
        """The text in parts, each with whether it is marked."""
        at = 0
        for start, end in self.marks:
            if start > at:
                yield self.text[at:start], False
            yield self.text[start:end], True
            at = end
        if at < len(self.text):
            yield self.text[at:], False


@dataclass(frozen=True, slots=True)
class OtherTerms:
    """The shared terms or concepts that are not listed."""

    count: int
    share: float


@dataclass(frozen=True, slots=True)
class Why:
    """Why a hit is similar: the share of each common term in both bags.

    The shares of `terms` and `concepts` and of the others of both add up to `intersection`, and
    `similarity` is intersection / (2 - intersection). It is the score, unless the question has a
    text: then `words` says how well the page has its words, and the score is
    word_share · words + (1 - word_share) · similarity.
    """

    terms: list[TermShare]
    other_terms: OtherTerms
    concepts: list[ConceptShare]
    other_concepts: OtherTerms
    intersection: float
    similarity: float
    words: float | None
    cited_together_by: list[Citation]


@dataclass(frozen=True, slots=True)
class Hit:
    """A related page. `copies` have the same text or nearly the same. A page that was not crawled
    has the words of the links to it as its title, and no snippet. `replay` is a link to its
    capture, if there is a template."""

    url: str
    title: str | None
    site: str
    score: float
    crawled: bool
    date: str | None
    language: str | None
    snippet: Snippet | None
    replay: str | None
    copies: list[str]
    why: Why


@dataclass(frozen=True, slots=True)
class LinkedPage:
    """A page that the crawl links to and does not hold; its title is the words of those links."""

    url: str
    title: str | None
    score: float


@dataclass(frozen=True, slots=True)
class Related(Tabular):
    """The related pages, best first. `note` says why there are none, or fewer than requested.

    `not_in_crawl` are the best pages that are only linked to, if hits must be crawled.
    `copies_of_query` have the text of the page asked about. `exact` says whether every
    page was a candidate, so that no better page is missing.
    """

    query: Query
    hits: list[Hit]
    not_in_crawl: list[LinkedPage]
    copies_of_query: list[str]
    note: str | None
    exact: bool
    took_ms: float

    COLUMNS: ClassVar[Mapping[str, type]] = {
        "rank": int,
        "url": str,
        "title": str,
        "site": str,
        "score": float,
        "crawled": bool,
        "terms": list,
    }

    def rows(self) -> Iterator[dict[str, Any]]:
        """One row for each hit, with its shared terms."""
        for rank, hit in enumerate(self.hits, 1):
            yield {
                "rank": rank,
                "url": hit.url,
                "title": hit.title,
                "site": hit.site,
                "score": hit.score,
                "crawled": hit.crawled,
                "terms": [term.term for term in hit.why.terms],
            }

    def __iter__(self) -> Iterator[Hit]:
        return iter(self.hits)

    def __len__(self) -> int:
        return len(self.hits)


@dataclass(frozen=True, slots=True)
class Paging:
    """Which part of a list an answer is, and the offset of the next part if there is one."""

    offset: int
    k: int
    next: int | None

    @classmethod
    def of(cls, offset: int, k: int, listed: int) -> "Paging":
        """The part of a list of at least `listed` entries."""
        end = offset + k
        return cls(offset, k, end if end < listed else None)
