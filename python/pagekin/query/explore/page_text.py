"""The text of a crawled page as it is read, in parts."""

from dataclasses import dataclass

from pagekin.errors import InputError
from pagekin.index import IndexReader
from pagekin.query.explore.show import find_page, show

__all__ = ["CHARACTERS", "PageText", "page_text"]

CHARACTERS = 20_000
"""Characters of a part, unless others are wanted."""


@dataclass(frozen=True, slots=True)
class PageText:
    """A part of a page's text, and where the page is from.

    `text` begins at character `start` of `characters`; `next` is where the next part begins, if
    there is one. A page that was not crawled has no text.
    """

    url: str
    title: str | None
    date: str | None
    language: str | None
    file: str | None
    offset: int | None
    crawled: bool
    text: str
    start: int
    next: int | None
    characters: int


def page_text(
    index: IndexReader, url: str, start: int = 0, characters: int = CHARACTERS
) -> PageText:
    """The text of a page from `start` on; an unknown URL is an error."""
    if start < 0 or characters < 1:
        raise InputError(
            f"no part of a text: start {start}, characters {characters}",
            source=url,
            advice="start at 0 or later, and ask for at least one character",
        )
    with index.blaming():
        card = show(index, url, terms=0, links=0)
        row = index.tables["texts"].find(index.searcher.id(find_page(index, url)))
    text = "" if row is None else str(row["text"])
    end = start + characters
    return PageText(
        url=card.url,
        title=card.title,
        date=card.date,
        language=card.language,
        file=card.file,
        offset=card.offset,
        crawled=card.crawled,
        text=text[start:end],
        start=start,
        next=end if end < len(text) else None,
        characters=len(text),
    )
