"""What a page is called in answers."""

from pagekin import _core
from pagekin.index import IndexReader

__all__ = ["page_title"]


def page_title(index: IndexReader, page: _core.PageRef) -> str | None:
    """The title of a page without what its site repeats in titles; if it was not crawled, the words
    of the links to it."""
    meta = index.searcher.page_meta(page)
    if not meta.crawled:
        return index.searcher.link_text(page)
    return meta.title and index.titles.cut(meta.site, meta.title)
