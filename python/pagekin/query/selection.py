"""Which pages may be hits, whatever the question, and how many each condition leaves.

The core answers a selection inside the search, by a mask over all rows that it keeps for the next
question. Flags, HTTP parameters and form controls are generated from the fields.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Self, TypedDict

import numpy as np

from pagekin import _core
from pagekin.arrays import Numbers
from pagekin.dates import DATE, seconds_of
from pagekin.errors import InputError
from pagekin.fields import check_options, option, options_of
from pagekin.index import IndexReader

__all__ = [
    "PageSelection",
    "SelectionKeywords",
    "emptied_by",
    "left_out",
    "selected_rows",
]

PAGES = ("crawled", "uncrawled", "all")
"""Which pages may be hits."""
LONGEST = 2**32 - 1
"""More words than any page has."""
AUTO, ANY = "auto", "any"
"""Stand for the language of the question, and for every language."""
LANGUAGE = "auto, any, or the code of a language such as fr"
SITE = "a host or a domain such as example.org"
PREFIX = "the start of a URL such as https://example.org/docs/"


class SelectionKeywords(TypedDict, total=False):
    """The fields of `PageSelection` as keyword arguments."""

    pages: str
    site: str | None
    prefix: str | None
    from_date: str | None
    to_date: str | None
    min_length: int
    language: str


def host_of(site: str) -> str | None:
    """The host that a site is, or that a URL has; None if there is none."""
    address = _canonical(site if "://" in site else f"http://{site}")
    if address is None or ("://" not in site and "/" in site.strip().rstrip("/")):
        return None
    return _core.site(address)


def language_of(tag: str) -> str | None:
    """The code of a language, or what stands for one; None if it is not known."""
    return tag if tag in (AUTO, ANY) else _core.language_named(tag)


def prefix_of(prefix: str) -> str | None:
    """The start of canonical URLs that is meant; None if no URL starts so."""
    if "://" in prefix:
        return _canonical(prefix)
    address = _canonical(f"http://{prefix}")
    return address and address.removeprefix("http://")


def _canonical(url: str) -> str | None:
    """The canonical form of a URL of the web."""
    try:
        address = _core.canonical(url)
    except UnicodeEncodeError:
        # Bytes that are not UTF-8 arrive from the command line as lone surrogates.
        return None
    return address if address and address.startswith(("http://", "https://")) else None


@dataclass(frozen=True, slots=True)
class PageSelection:
    """Which pages may be hits: all conditions must hold.

    `site` is a host, or a domain with all its hosts. `prefix` may lack its scheme. Dates are those
    of the captures: a page without one is outside of every range. Both ends are included, and
    either may be open. `min_length` counts words.
    """

    pages: str = option(
        "crawled",
        "which pages may be hits: crawled, uncrawled (only linked to) or all",
        label="Which pages",
        placeholder="KIND",
        choices=PAGES,
    )
    site: str | None = option(
        None,
        "only pages of this host or domain",
        label="Site",
        placeholder="HOST",
        accepts=host_of,
        expects=SITE,
    )
    prefix: str | None = option(
        None,
        "only pages whose URL begins with this",
        label="URL begins with",
        placeholder="URL",
        accepts=prefix_of,
        expects=PREFIX,
    )
    from_date: str | None = option(
        None,
        "only pages fetched on this date or later: 2024, 2024-05 or 2024-05-17",
        label="Fetched from",
        flag="--from",
        parameter="from",
        placeholder="DATE",
        accepts=seconds_of,
        expects=DATE,
    )
    to_date: str | None = option(
        None,
        "only pages fetched on this date or earlier",
        label="Fetched to",
        flag="--to",
        parameter="to",
        placeholder="DATE",
        accepts=seconds_of,
        expects=DATE,
    )
    min_length: int = option(
        0, "only pages of at least this many words", low=0, label="Minimum words", placeholder="N"
    )

    language: str = option(
        AUTO,
        "only pages in this language, such as fr; auto: that of the question if the crawl has "
        "several; any: pages in every language",
        label="Language",
        placeholder="CODE",
        accepts=language_of,
        expects=LANGUAGE,
    )

    def __post_init__(self) -> None:
        check_options(self)
        first, last = self._seconds
        if first is not None and last is not None and first > last:
            raise InputError(
                f"{self.from_date} is after {self.to_date}",
                source="from",
                advice="give an earlier date, or leave one end open",
            )

    @property
    def _seconds(self) -> tuple[int | None, int | None]:
        """The first and the last second of the range; None where it is open."""
        start, end = (seconds_of(date) if date else None for date in (self.from_date, self.to_date))
        return start and start[0], end and end[1]

    def to_core(self) -> _core.PageSelection:
        """The conditions, for the core."""
        first, last = self._seconds
        return _core.PageSelection(
            {
                "crawled": None if self.pages == "all" else self.pages == "crawled",
                "site": host_of(self.site) if self.site else None,
                "prefix": prefix_of(self.prefix) if self.prefix else None,
                "from_date": first,
                "to_date": last,
                "min_length": min(self.min_length, LONGEST) or None,
                "language": None if self.language in (AUTO, ANY) else language_of(self.language),
            }
        )

    def in_language(self, language: str | None) -> Self:
        """The same for a question in this language, if that decides."""
        return replace(self, language=language or ANY) if self.language == AUTO else self


def selected_rows(index: IndexReader, selection: _core.PageSelection) -> Numbers:
    """For each row whether its page may be a hit."""
    return np.frombuffer(index.searcher.selected_rows(selection), bool)


def left_out(index: IndexReader, wanted: PageSelection) -> list[str]:
    """How many pages each condition left out of those that the conditions before it left."""
    return [
        f"{before - count:,} left out by {told}"
        for told, before, count in _steps(index, wanted)
        if count < before and not told.startswith("pages ")
    ]


def emptied_by(index: IndexReader, wanted: PageSelection) -> str | None:
    """Which condition left no page; None if some are left."""
    earlier = left_out(index, wanted)[:-1]
    for told, before, count in _steps(index, wanted):
        if before and not count:
            others = f" ({', '.join(earlier)})" if earlier else ""
            return f"none of {before:,} pages passes the filter {told}{others}"
    return None


def _steps(index: IndexReader, wanted: PageSelection) -> Iterator[tuple[str, int, int]]:
    """Each condition as people gave it, and the number of pages before and after it."""
    before = index.counts["bags"]
    options = {each.name: each for each in options_of(PageSelection)}
    for name, count in index.searcher.count_selected(wanted.to_core()):
        yield f"{options[name].parameter} {getattr(wanted, name)}", before, count
        before = count
