"""A query for pairs: two to five keywords in order, each a word or a phrase."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pagekin import _core
from pagekin.errors import InputError, UnknownWord
from pagekin.fields import check_options, option
from pagekin.index import IndexReader
from pagekin.query.languages import languages_of, term_of
from pagekin.query.words.postings import Postings, postings_of_all

__all__ = [
    "ALPHA",
    "PER_SITE",
    "SITES",
    "Keyword",
    "PairsQuestion",
    "parse",
    "postings",
    "split_keywords",
]

MIN_KEYWORDS, MAX_KEYWORDS = 2, 5
ALPHA, SITES, PER_SITE = 0.6, 10, 1


@dataclass(frozen=True, slots=True)
class PairsQuestion:
    """Keywords in order: the first selects sites, the others select pages."""

    keywords: tuple[str, ...]
    alpha: float = option(
        ALPHA,
        "weight of the order of keywords, from 0.5 (ignored) to 1",
        low=0.5,
        high=1,
        label="Weight of the order, 0.5 to 1",
    )
    sites: int = option(SITES, "number of sites", low=1, label="Sites")
    per_site: int = option(PER_SITE, "pairs per site", low=1)

    def __post_init__(self) -> None:
        check_options(self)


@dataclass(frozen=True, slots=True)
class Keyword:
    """A keyword as given, and its terms; a page must have all of them."""

    text: str
    terms: tuple[int, ...]


def split_keywords(text: str) -> tuple[str, ...]:
    """The keywords of a line: words, and phrases in quotes."""
    return tuple(phrase or word for phrase, word in re.findall(r'"([^"]*)"|([^\s"]+)', text))


def parse(index: IndexReader, texts: Sequence[str]) -> list[Keyword]:
    """The keywords of a query, in terms of the index."""
    if not MIN_KEYWORDS <= len(texts) <= MAX_KEYWORDS:
        raise _wrong(
            f"{len(texts)} {'keyword' if len(texts) == 1 else 'keywords'}",
            " ".join(texts),
            f"give {MIN_KEYWORDS} to {MAX_KEYWORDS}, the first for the site and the others for its "
            "pages; put the words of a phrase in quotes",
        )
    found: dict[frozenset[int], Keyword] = {}
    for text in texts:
        keyword = _keyword(index, text)
        same = found.setdefault(frozenset(keyword.terms), keyword)
        if same is not keyword:
            raise _wrong(f'the same keyword as "{same.text}"', text, "leave one of them out")
    return list(found.values())


def _keyword(index: IndexReader, text: str) -> Keyword:
    try:
        words = _core.words_of(text)
    except UnicodeEncodeError:
        # Bytes that are not UTF-8 arrive from the command line as lone surrogates.
        words = []
    if not words:
        raise _wrong("this keyword has no word", text, "use words made of letters")
    languages = languages_of(index, words)
    terms = [term_of(index, word, languages) for word in words]
    kept = tuple(dict.fromkeys(term for term in terms if term is not None))
    if not kept:
        what = "this is a stop word" if len(words) == 1 else "these are stop words"
        raise _wrong(what, text, "the index ignores stop words: choose a more specific word")
    return Keyword(text, kept)


def _wrong(what: str, text: str, advice: str) -> InputError:
    return InputError(what, source=f'"{text}"', advice=advice)


def postings(index: IndexReader, keyword: Keyword) -> Postings:
    """The pages that have the keyword; an error if no page has it."""
    found = postings_of_all(index, keyword.terms)
    if len(found.pages):
        return found
    if len(keyword.terms) == 1:
        raise UnknownWord(
            "no page of the crawl has this word",
            word=keyword.text,
            advice="check the spelling, or ask for another word",
        )
    raise UnknownWord(
        "no page of the crawl has all words of this phrase",
        word=keyword.text,
        advice="leave a word out, or give the words as separate keywords",
    )
