"""`pagekin.open`: an index and the questions it answers."""

from collections.abc import Iterable, Sequence
from os import PathLike
from pathlib import Path

from pagekin import pairs, query
from pagekin.index import IndexReader, check
from pagekin.pairs import Pairs
from pagekin.progress import Progress
from pagekin.query import Filters
from pagekin.types import PageCard, Related

__all__ = ["Index"]


class Index(IndexReader):
    """A crawl that has been indexed. Safe to use from several threads at once."""

    def show(self, url: str, *, terms: int = 10, links: int = 5) -> PageCard:
        """What is known of a URL: its origin, its heaviest terms, who links to it."""
        return query.show(self, url, terms=terms, links=links)

    def related(
        self,
        url: str | Iterable[str],
        *,
        unlike: Iterable[str] = (),
        k: int = 10,
        filters: Filters | None = None,
    ) -> Related:
        """The pages most like a page, or like several at once and unlike others.

        `filters` says which hits are wanted; with it `k` is not looked at.
        """
        urls = [url] if isinstance(url, str) else list(url)
        with self.blaming():
            asked = query.ask_pages(self, urls, list(unlike))
        return query.related(self, asked, filters or Filters(k=k))

    def related_to_text(self, text: str, *, k: int = 10, filters: Filters | None = None) -> Related:
        """The pages most like a text that is not in the crawl."""
        with self.blaming():
            asked = query.ask_text(self, text)
        return query.related(self, asked, filters or Filters(k=k))

    def related_to_file(
        self, path: str | PathLike[str], *, k: int = 10, filters: Filters | None = None
    ) -> Related:
        """The pages most like an HTML page that is not in the crawl."""
        with self.blaming():
            asked = query.ask_page_file(self, Path(path))
        return query.related(self, asked, filters or Filters(k=k))

    def related_to_page(
        self, body: bytes, *, k: int = 10, filters: Filters | None = None
    ) -> Related:
        """The pages most like an HTML page that is given as its bytes."""
        with self.blaming():
            asked = query.ask_page(self, body, "the page")
        return query.related(self, asked, filters or Filters(k=k))

    def pairs(
        self, keywords: Sequence[str], *, alpha: float = 0.6, sites: int = 10, per_site: int = 1
    ) -> Pairs:
        """The linked pages of a site that together answer an ordered query.

        The first keyword picks the sites, the others the pages.
        """
        return pairs.search(self, keywords, alpha=alpha, sites=sites, per_site=per_site)

    def precompute(
        self,
        path: str | PathLike[str],
        *,
        k: int = 10,
        filters: Filters | None = None,
        threads: int | None = None,
        progress: Progress | None = None,
    ) -> int:
        """Write every page's related pages as a Parquet table; returns its number of rows."""
        filters = filters or Filters(k=k)
        return query.precompute(self, Path(path), filters, threads=threads, progress=progress)

    def check(self, progress: Progress | None = None) -> None:
        """Compute every checksum and invariant again; raises `IndexCorrupt` at the first fault."""
        check(self, progress)
        pairs.check(self)
