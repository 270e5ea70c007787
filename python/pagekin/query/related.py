"""The related pages of a query, each with its reasons."""

import time
from collections.abc import Mapping

from pagekin import _core
from pagekin.index import IndexReader
from pagekin.query.asking import Asked
from pagekin.query.filters import Filters, LeftOut
from pagekin.query.why import why
from pagekin.types import Hit, Related

__all__ = ["related"]


def related(index: IndexReader, asked: Asked, filters: Filters) -> Related:
    """The pages most like what is asked, best first."""
    start = time.perf_counter()
    with index.blaming():
        options = filters.to_core(_left_out(index, asked, filters))
        answer = index.searcher.search(asked.bag, asked.sketch, options)
        hits = [_hit(index, asked, *found) for found in answer.hits]
    return Related(
        query=asked.query,
        hits=hits,
        note=_note(asked, filters, len(hits), answer.left_out),
        took_ms=round((time.perf_counter() - start) * 1000, 3),
    )


def _left_out(index: IndexReader, asked: Asked, filters: Filters) -> LeftOut:
    searcher = index.searcher
    sites = {searcher.card(place)[1] for place in asked.like} if filters.exclude_site else ()
    linked_from = [*map(searcher.id, asked.like)] if filters.exclude_linked else []
    return LeftOut([*asked.like, *asked.unlike], sorted(sites), linked_from)


def _hit(
    index: IndexReader,
    asked: Asked,
    place: tuple[int, int],
    overlap: int,
    mirrors: list[tuple[int, int]],
) -> Hit:
    url, site, title, crawled = index.searcher.card(place)
    return Hit(
        url=url,
        title=title,
        site=site,
        score=round(overlap / (2 * _core.TOTAL - overlap), 6),
        crawled=crawled,
        mirrors=[index.searcher.card(mirror)[0] for mirror in mirrors],
        why=why(index, asked, place),
    )


def _note(asked: Asked, filters: Filters, hits: int, left_out: Mapping[str, int]) -> str | None:
    """Why there are no hits, or fewer than were asked for; nothing if there are enough."""
    if hits >= filters.k:
        return None
    if not len(asked.bag):
        return _EMPTY_PAGE if asked.like else _EMPTY_TEXT
    reasons = [text.format(left_out[name]) for name, text in _REASONS.items() if left_out[name]]
    if not reasons:
        return "no page shares a term with it" if not hits else None
    found = f"only {hits} related pages" if hits else "no related page"
    return f"{found}: {', '.join(reasons)}"


_EMPTY_PAGE = (
    "nothing is known of this page by the index's strategy: its bag is empty, "
    "so it is related to no page"
)
_EMPTY_TEXT = "none of its words is a term of this index, so it is related to no page"
_REASONS = {
    "score": "{:,} below the least score",
    "site": "{:,} on the same site were left out",
    "linked": "{:,} that it links to were left out",
    "same_site": "{:,} on the site of a better hit were left out",
}
