"""Reasons for visitors of a site: a few words that two pages have in common."""

from collections.abc import Iterable
from itertools import islice

__all__ = ["reason_words"]

WORDS = 3
"""Words of a reason."""
LETTERS = 3
"""Letters of a word that tells a reader something; in other scripts than Latin one is enough."""


def reason_words(terms: Iterable[str]) -> list[str]:
    """The first of the shared terms, without abbreviations."""
    return [*islice((each for each in terms if _tells_something(each)), WORDS)]


def _tells_something(word: str) -> bool:
    return len(word) >= LETTERS or not word.isascii()
