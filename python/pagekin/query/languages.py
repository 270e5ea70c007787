"""The languages of a crawl and of a question.

Words become terms by the stemmer and the stop list of their language. A text that is too short to
tell its language may be in any main language of the crawl: one that at least one page in a hundred
is in.
"""

from collections.abc import Sequence

from pagekin import _core
from pagekin.index import IndexReader

__all__ = ["certain_language", "languages_of", "main_languages", "only_language", "term_of"]

MAIN = 100
"""One page in so many makes a main language of a crawl."""
STOP_WORDS, LEAD = 2, 3
"""Stop words that make the language of a short text certain, and how many times as many as those of
any other language: titles have a foreign `of` or `co`."""


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
    """The languages that the words of a text may be in: its own if that can be told, else the main
    language of the crawl that has most of them as stop words, else all of those."""
    detected = _core.detect_language(words)
    if detected is not None:
        return [detected]
    (most, likeliest), (second, _) = _by_stop_words(index, words)
    return [likeliest] if most > second else [*main_languages(index)] or [None]


def certain_language(index: IndexReader, words: Sequence[str]) -> str | None:
    """The language that a text is in, if that is certain enough to leave out pages in others."""
    detected = _core.detect_language(words)
    (most, likeliest), (second, _) = _by_stop_words(index, words)
    is_clear = most >= max(STOP_WORDS, LEAD * second)
    return detected or (likeliest if is_clear else None)


def term_of(index: IndexReader, word: str, languages: Sequence[str | None]) -> int | None:
    """The term of a word in one of these languages; None for a stop word."""
    return _core.query_term(index.searcher, index.core_strategy, word, languages)


def _by_stop_words(index: IndexReader, words: Sequence[str]) -> list[tuple[int, str | None]]:
    """The two main languages that have the most of these words as stop words, with their number."""
    counts: list[tuple[int, str | None]] = [
        (sum(_core.is_stop_word(word, language) for word in words), language)
        for language in main_languages(index)
    ]
    counts.sort(key=lambda count: -count[0])
    return [*counts, (0, None), (0, None)][:2]
