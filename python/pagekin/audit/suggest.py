"""Missing links and near duplicates of every page, by the core, on several threads."""

from collections.abc import Iterator

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pagekin import _core
from pagekin.arrays import Numbers, numbers
from pagekin.audit.options import AuditQuestion
from pagekin.audit.site import AuditedSite
from pagekin.index import IndexReader
from pagekin.query.filters import ExclusionLists, Filters
from pagekin.work.progress import Progress
from pagekin.work.threads import map_by_threads

__all__ = ["near_duplicates", "suggested"]

PAGES = 64
"""Pages of one piece of work."""
RELATED = 30
"""Similar pages that are considered for each page."""


def suggested(
    index: IndexReader,
    site: AuditedSite,
    question: AuditQuestion,
    threads: int,
    progress: Progress,
) -> tuple[pa.Table, Numbers]:
    """The missing links as a table of source, target, score and place of the name; pairs of near
    duplicates."""
    searcher = index.searcher
    options = Filters(k=RELATED, site=site.name).options(ExclusionLists())
    progress.stage("suggest", len(site), "pages")
    pages = [page for page in map(searcher.find, site.ids.tolist()) if page is not None]
    titles = [_core.words_of(title or "") for title in site.titles]
    suggester = _core.LinkSuggester(searcher, pages, site.link_batch, titles)

    def suggest(start: int) -> _core.SiteSuggestions:
        end = min(start + PAGES, len(site))
        return suggester.suggest(searcher, start, end, options, question.per_page)

    links: list[pa.Table] = []
    pairs = [np.empty((0, 2), np.uint32)]
    try:
        for found in map_by_threads(suggest, range(0, len(site), PAGES), threads):
            is_shown = pc.greater_equal(found.links.column("score"), pa.scalar(question.min_score))
            links.append(pa.Table.from_batches([found.links.filter(is_shown)]))
            pairs.append(np.stack([numbers(found.duplicates.column(at)) for at in (0, 1)], axis=1))
            progress.advance(PAGES)
    finally:
        progress.done()
    return pa.concat_tables(links), np.concatenate(pairs)


def near_duplicates(pairs: Numbers) -> Iterator[list[int]]:
    """The connected components of a graph of pairs (union-find), in order of their first page."""
    leader: dict[int, int] = {}

    def find(page: int) -> int:
        while leader.setdefault(page, page) != page:
            leader[page] = leader[leader[page]]
            page = leader[page]
        return page

    for one, other in pairs.tolist():
        low, high = sorted((find(one), find(other)))
        leader[high] = low
    groups: dict[int, list[int]] = {}
    for page in sorted(leader):
        groups.setdefault(find(page), []).append(page)
    yield from groups.values()
