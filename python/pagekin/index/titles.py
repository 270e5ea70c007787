"""Titles for display: without what the titles of a site share at their start or end.

A title is cut at separators such as `:`, `|` and dashes. A start or an end that at least half of
the distinct titles of a site have, three at the least, names the site and is left out. What is
shared is counted in a sample of the crawl, the first pages in order of their ids, which are hashes;
sites with few pages in it keep their titles.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator

__all__ = ["SAMPLE", "SiteTitles"]

SAMPLE = 1 << 14
"""Pages that are counted."""
LEAST = 3
"""Distinct titles that must share a start or an end."""
MOST_CUTS = 8
"""Separators of a title that are looked at, from either end."""
_MARKS = r":\uff1a|\uff5c\xbb\xab\u203a\u2039\xb7\u2022"
_DASHES = r"\-\u2013\u2014~/>_:"
_SEPARATOR = re.compile(rf"\s*[{_MARKS}]+\s+|\s+[{_DASHES}]+\s+|[|\uff5c]")


class SiteTitles:
    """The starts and ends that titles of a site share, from pairs of site and title."""

    def __init__(self, titles: Iterable[tuple[str, str | None]]) -> None:
        by_site: defaultdict[str, set[str]] = defaultdict(set)
        for site, title in titles:
            if title:
                by_site[site].add(title)
        self._starts = {site: _shared(found, _starts) for site, found in by_site.items()}
        self._ends = {site: _shared(found, _ends) for site, found in by_site.items()}

    def cut(self, site: str, title: str) -> str:
        """The title without what its site repeats; whole if nothing would be left."""
        starts, ends = self._starts.get(site, ()), self._ends.get(site, ())
        start = max((each for each in _starts(title) if each in starts), key=len, default="")
        rest = title.removeprefix(start)
        end = max((each for each in _ends(rest) if each in ends), key=len, default="")
        rest = rest.removesuffix(end).strip()
        return rest if any(map(str.isalnum, rest)) else title


def _starts(title: str) -> Iterator[str]:
    """What a title may begin with, separators included."""
    return (title[: cut.end()] for cut in [*_SEPARATOR.finditer(title)][:MOST_CUTS])


def _ends(title: str) -> Iterator[str]:
    """What a title may end with, separators included."""
    return (title[cut.start() :] for cut in [*_SEPARATOR.finditer(title)][-MOST_CUTS:])


def _shared(titles: set[str], parts: Callable[[str], Iterator[str]]) -> frozenset[str]:
    counts = Counter(part for title in titles for part in parts(title))
    least = max(LEAST, (len(titles) + 1) // 2)
    return frozenset(part for part, count in counts.items() if count >= least)
