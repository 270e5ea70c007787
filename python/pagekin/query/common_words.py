"""What two pages are both about, in a few words for the readers of a site.

Words of both pages that name a subject of both come first, then the other shared words, the
heaviest first. Numbers, parts of words already chosen, and the name of the site tell a reader
nothing.
"""

import re
from collections.abc import Iterator

from pagekin.query.why import both_about
from pagekin.types import Hit

__all__ = ["common_words"]

WORDS = 3
"""Words that a reader takes in at a glance."""
SHORTEST = 3
"""Shorter words of Latin letters rarely name a subject."""


def common_words(hit: Hit, most: int = WORDS) -> list[str]:
    """The words to put after "both about", at most `most`."""
    chosen: list[str] = []
    names = {*re.split(r"[.\-]", hit.site)}
    for word in _candidates(hit):
        if len(chosen) < most and word not in names and _is_new(word, chosen):
            chosen.append(word)
    return chosen


def _candidates(hit: Hit) -> Iterator[str]:
    shared = [term.term for term in hit.why.terms if _tells(term.term)]
    about = both_about(hit.why.concepts, hit.site)
    named = {word for subject in about for word in subject.words}
    yield from (word for word in shared if word in named)
    yield from (word for word in shared if word not in named)


def _tells(word: str) -> bool:
    """Whether it is a word and long enough; a page that links to both stands among terms by URL."""
    return word.isalpha() and (len(word) >= SHORTEST or not word.isascii())


def _is_new(word: str, chosen: list[str]) -> bool:
    return not any(word in other or other in word for other in chosen)
