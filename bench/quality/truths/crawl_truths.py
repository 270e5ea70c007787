"""Everything that is known of a crawl's pages, read once for all systems of a process."""

from functools import cached_property

import numpy as np

import pagekin
from bench.quality.truths.crawls import SharedCrawl
from bench.quality.truths.held_out_links import held_out_links
from bench.quality.truths.known_texts import known_texts
from bench.quality.truths.paragraphs import Paragraph, first_paragraphs
from pagekin.evaluation.judge import crawl_pages, matched_with
from pagekin.evaluation.known_item_judge import PageCopies
from pagekin.evaluation.truths.known_items import KnownItem
from pagekin.evaluation.truths.matching import MatchedPages
from pagekin.evaluation.truths.see_also import MatchedSeeAlso, SeeAlso, match_see_also
from pagekin.index import IndexReader

__all__ = ["CrawlTruths"]

PARAGRAPHS = 500
"""Pages of a directory whose first paragraph is asked, about."""


class CrawlTruths:
    """The truths of one crawl, None where it has none. They need its index by the default."""

    def __init__(self, crawl: SharedCrawl) -> None:
        self._crawl = crawl

    @cached_property
    def _index(self) -> IndexReader:
        return pagekin.open(self._crawl.default_index).reader

    @cached_property
    def directory(self) -> MatchedPages | None:
        """The crawled pages of the directory: nobody but pagekin knows the others."""
        if self._crawl.directory is None:
            return None
        pages = crawl_pages(self._index)
        everything = matched_with(self._index, pagekin.Directory.read(self._crawl.directory))
        return everything.only(np.isin(everything.ids, pages.ids[pages.crawled]))

    @cached_property
    def see_also(self) -> MatchedSeeAlso | None:
        """What authors wrote under "See also"."""
        if self._crawl.see_also is None:
            return None
        return match_see_also(self._index, SeeAlso.read(self._crawl.see_also))

    @cached_property
    def held_out_links(self) -> MatchedSeeAlso | None:
        """Pages that a page names side by side."""
        return held_out_links(self._crawl)

    @cached_property
    def known_items(self) -> dict[str, list[KnownItem]]:
        """Texts of pages, by kind."""
        return known_texts(self._crawl, self._index)

    @cached_property
    def copies(self) -> PageCopies:
        """Which pages have the same text."""
        return PageCopies(self._index)

    @cached_property
    def paragraphs(self) -> list[Paragraph]:
        """First paragraphs of the directory's pages, drawn evenly; their ids are hashes."""
        if self.directory is None:
            return []
        ids = self.directory.ids
        return [*first_paragraphs(self._index, ids[:: max(len(ids) // PARAGRAPHS, 1)])]
