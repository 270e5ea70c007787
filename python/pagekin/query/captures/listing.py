"""All captures of a URL, as a capture index (CDX) lists them.

A page has the captures of all its addresses; those of one moment are in order of their kinds. A URL
of an archive that is no page, such as that of an image or of an error, can be asked for as well.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, ClassVar

from pagekin.dates import iso_date, moment_of
from pagekin.errors import UnknownPage
from pagekin.index import IndexReader, canonical_url, capture_rows
from pagekin.query.explore.show import find_page
from pagekin.tabular import Tabular

__all__ = ["Capture", "Captures", "captures"]

NEVER = datetime(1, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Capture:
    """One answer of a server, or a record that another had the same.

    `kind` is response, redirect, revisit, resource or file. `length` counts the stored bytes from
    `offset` on; without it, everything before the record must be read. `indexed` is the capture
    whose text the index has. `replay` is a link, if there is a template and a date.
    """

    url: str
    date: str | None
    kind: str
    status: int | None
    media: str | None
    digest: str | None
    length: int | None
    file: str
    offset: int
    indexed: bool
    replay: str | None

    @property
    def seconds(self) -> int | None:
        """The date in seconds since 1970."""
        found = None if self.date is None else moment_of(self.date)
        return found and found[0]


@dataclass(frozen=True, slots=True)
class Captures(Tabular):
    """The captures of a URL, the earliest first; those without a date come before."""

    url: str
    captures: list[Capture]

    COLUMNS: ClassVar[Mapping[str, type]] = {
        "url": str,
        "date": str,
        "kind": str,
        "status": int,
        "media": str,
        "digest": str,
        "length": int,
        "file": str,
        "offset": int,
        "indexed": bool,
    }

    def rows(self) -> Iterator[dict[str, Any]]:
        """One row for each capture."""
        for each in self.captures:
            yield {name: getattr(each, name) for name in self.COLUMNS}

    def __iter__(self) -> Iterator[Capture]:
        return iter(self.captures)

    def __len__(self) -> int:
        return len(self.captures)


def captures(index: IndexReader, url: str) -> Captures:
    """The captures of a URL, none if it was only linked to; an unknown URL is an error."""
    wanted = canonical_url(url)
    with index.blaming():
        try:
            place = find_page(index, wanted)
        except UnknownPage:
            found = [_capture(index, row, None) for row in _rows(index, wanted)]
            if not found:
                raise
            return Captures(wanted, found)
        page = index.tables["pages"].find(index.searcher.id(place))
        if page is None:
            raise index.tables["pages"].corrupt("a page cannot be found by its id")
        rows = [row for each in (page["url"], *page["variants"]) for row in _rows(index, each)]
        rows.sort(key=lambda row: row["date"] or NEVER)
        return Captures(page["url"], [_capture(index, row, page) for row in rows])


def _rows(index: IndexReader, url: str) -> Iterator[dict[str, Any]]:
    return capture_rows(index.tables["captures"], url)


def _capture(index: IndexReader, row: dict[str, Any], page: dict[str, Any] | None) -> Capture:
    date: datetime | None = row.pop("date")
    del row["id"]
    seconds = None if date is None else int(date.timestamp())
    same = ("url", "file", "offset")
    return Capture(
        **row,
        date=iso_date(seconds),
        indexed=page is not None and all(row[name] == page[name] for name in same),
        replay=index.replay_link(row["url"], seconds),
    )
