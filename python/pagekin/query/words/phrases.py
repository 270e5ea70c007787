"""Phrase queries: words in quotes must follow each other in a page's title or text."""

import re
from collections.abc import Sequence

import numpy as np

from pagekin import _core
from pagekin.arrays import Numbers
from pagekin.index import IndexReader
from pagekin.query.languages import term_of
from pagekin.query.words.postings import postings_of_all

__all__ = ["phrases_of", "with_phrases"]

QUOTED = re.compile(r'"([^"]*)"|“([^”]*)”|„([^“”]*)[“”]|«([^»]*)»')
STEP = 256
"""Pages that are read at once."""


def phrases_of(q: str) -> list[str]:
    """The phrases in quotes, as words with single spaces between them."""
    quoted = ("".join(filter(None, found)) for found in QUOTED.findall(q))
    phrases = (" ".join(_core.words_of(text)) for text in quoted)
    return [phrase for phrase in dict.fromkeys(phrases) if phrase]


def with_phrases(
    index: IndexReader,
    phrases: Sequence[str],
    languages: Sequence[str | None],
    rows: Numbers,
    most: int,
) -> Numbers:
    """The first `most` of these rows whose pages have all phrases."""
    if not phrases:
        return rows[:most]
    rows = rows[np.isin(rows, _with_all_words(index, phrases, languages))]
    kept, count = [rows[:0]], 0
    for start in range(0, len(rows), STEP):
        part = rows[start : start + STEP]
        has_all = index.phrases(part, phrases).all(axis=1)
        kept.append(part[has_all])
        count += len(kept[-1])
        if count >= most:
            break
    return np.concatenate(kept)[:most]


def _with_all_words(
    index: IndexReader, phrases: Sequence[str], languages: Sequence[str | None]
) -> Numbers:
    """The pages that have every word of the phrases that is indexed."""
    words = dict.fromkeys(word for phrase in phrases for word in phrase.split(" "))
    terms = (term_of(index, word, languages) for word in words)
    known = list(dict.fromkeys(term for term in terms if term is not None))
    return postings_of_all(index, known).pages if known else np.empty(0, np.uint32)
