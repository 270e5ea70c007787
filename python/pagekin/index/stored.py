"""The pages of an index as a source of a build: made again from texts and layouts, without HTML."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from pagekin import _core
from pagekin.crawl import Source
from pagekin.index.reader import IndexReader

__all__ = ["Share", "pages_of_shard", "stored_pages"]

_TABLES = _core.StoredPages.TABLES


class Share(Protocol):
    """A share of the pages: every `of`th part, from `place` on."""

    @property
    def place(self) -> int:
        """Below `of`."""

    @property
    def of(self) -> int:
        """How many shares there are."""


@contextmanager
def stored_pages(
    source: Source, first_run: int, share: Share | None = None
) -> Iterator[_core.StoredPages]:
    """The pages of an index, for runs numbered from `first_run`; damage is told as the index's."""
    reader = IndexReader(source.path)
    with reader.blaming():
        tables = {name: [file.verified for file in reader.files[name]] for name in _TABLES}
        known = source.size or 0, {*source.without}
        yield _core.StoredPages(tables, *known, first_run, share)


def pages_of_shard(reader: IndexReader, shard: int) -> _core.StoredPages:
    """The pages of one shard of an index."""
    return _core.StoredPages({name: [reader.files[name][shard].verified] for name in _TABLES}, 0)
