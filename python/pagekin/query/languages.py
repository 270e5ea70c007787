"""The languages of a crawl and of a question.

Words become terms by the stemmer and the stop list of their language. A text that is too short to
tell its language may be in any main language of the crawl: one that at least one page in a hundred
is in.
"""

from collections.abc import Sequence

from pagekin import _core
from pagekin.index import IndexReader

__all__ = ["languages_of", "main_languages", "only_language", "term_of"]

MAIN = 100
"""One page in so many makes a main language of a crawl."""


def main_languages(index: IndexReader) -> list[str]:
    """The main languages of a crawl, the most common first."""
    counts = index.languages
    known = sum(counts.values())
    return [language for language, count in counts.items() if count * MAIN >= known]


def only_language(index: IndexReader, languages: Sequence[str | None]) -> str | None:
    """The language that hits are in by default: that of the question, if it is one that pages are
    in, and if the crawl has more than one main language."""
    known = {language for language in languages if language in index.languages}
    if len(languages) != 1 or not known or len(main_languages(index)) < 2:
        return None
    return known.pop()


def languages_of(index: IndexReader, words: Sequence[str]) -> list[str | None]:
    """The languages that a text may be in: its own if that can be told, else the main language of
    the crawl that has most of its words as stop words, else all of those."""
    detected = _core.detect_language(words)
    if detected is not None:
        return [detected]
    main = main_languages(index)
    counts = [_stop_words(words, language) for language in main]
    most = max(counts, default=0)
    if most and counts.count(most) == 1:
        return [main[counts.index(most)]]
    return [*main] or [None]


def term_of(index: IndexReader, word: str, languages: Sequence[str | None]) -> int | None:
    """The term of a word in one of these languages; None for a stop word."""
    return _core.query_term(index.searcher, index.core_strategy, word, languages)


def _stop_words(words: Sequence[str], language: str) -> int:
    return sum(_core.is_stop_word(word, language) for word in words)
