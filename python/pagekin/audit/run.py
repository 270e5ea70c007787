"""The audit itself: the graph of a site's links for what it lacks, and the core for what it could
have.

Links in templates (menus, Prev and Next) are links, but they tell little: a page that only they
lead to is nearly an orphan, and listed apart.
"""

import os
import time
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import urlsplit

import numpy as np

from pagekin import _core
from pagekin.arrays import Numbers
from pagekin.audit.findings import KINDS, Audit, Finding
from pagekin.audit.options import AuditQuestion
from pagekin.audit.site import OUTSIDE, AuditedSite, find_site
from pagekin.audit.suggest import near_duplicates, suggested
from pagekin.index import IndexReader
from pagekin.work.progress import Progress, SilentProgress

__all__ = ["audit"]

PAGE_NAMES = frozenset(
    ("", ".html", ".htm", ".xhtml", ".shtml", ".php", ".asp", ".aspx", ".jsp", ".cgi", ".cfm")
)
"""Endings of the names of pages; others are files such as pictures and downloads."""

AROUND = 12
"""Words quoted on each side of a link."""


def audit(
    index: IndexReader,
    question: AuditQuestion,
    *,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Audit:
    """Audit the links of a site."""
    start = time.perf_counter()
    progress = progress or SilentProgress()
    with index.blaming():
        site = find_site(index, question.site)
        broken, files = _broken_links(index, site)
        found = [*broken, *_orphans(site), *_dead_ends(site)]
        found += _found_by_core(index, site, question, threads or os.cpu_count() or 1, progress)
    order = {name: place for place, name in enumerate(KINDS)}
    found.sort(key=lambda finding: order[finding.kind])  # stable: each kind has its own order
    return Audit(
        site=site.name,
        pages=len(site),
        links=int(site.inside.sum()),
        files=files,
        findings=found,
        took_ms=round((time.perf_counter() - start) * 1000, 3),
    )


def _orphans(site: AuditedSite) -> Iterator[Finding]:
    """Pages without links to them from other pages of the site; the home page needs none."""
    linked, in_text = _reach(site, site.target)
    for page in sorted(range(len(site)), key=site.urls.__getitem__):
        if page == site.root or urlsplit(site.urls[page]).path in ("", "/", "/index.html"):
            continue
        if not linked[page]:
            yield _finding(site, "orphan", page, "no page of the site links here")
        elif not in_text[page]:
            yield _finding(site, "near-orphan", page, "only menus link here, no text does")


def _dead_ends(site: AuditedSite) -> Iterator[Finding]:
    linking, in_text = _reach(site, site.source)
    for page in sorted(range(len(site)), key=site.urls.__getitem__):
        if not linking[page]:
            yield _finding(site, "dead-end", page, "links to no other page of the site")
        elif not in_text[page]:
            yield _finding(site, "near-dead-end", page, "only its menus link to other pages")


def _reach(site: AuditedSite, ends: Numbers) -> tuple[Numbers, Numbers]:
    """Which pages are an end of a link within the site, and of one outside of templates."""
    in_text = site.inside & (site.template == 0)
    counts = [np.bincount(ends[kept], minlength=len(site)) for kept in (site.inside, in_text)]
    return counts[0] > 0, counts[1] > 0


def _broken_links(index: IndexReader, site: AuditedSite) -> tuple[list[Finding], int]:
    """Targets on the site that were not crawled, most linked first, and how many are files."""
    outside = np.flatnonzero(site.target == OUTSIDE)
    order = outside[np.argsort(site.target_id[outside], kind="stable")]
    ids, starts = np.unique(site.target_id[order], return_index=True)
    ends = np.append(starts, len(order))[1:].tolist()
    found, files = [], 0
    for key, start, end in zip(ids.tolist(), starts.tolist(), ends, strict=True):
        place = index.searcher.find(key)
        meta = None if place is None else index.searcher.page_meta(place)
        if meta is None or meta.site != site.name or meta.crawled:
            continue
        if PurePosixPath(urlsplit(meta.url).path).suffix.lower() not in PAGE_NAMES:
            files += 1
            continue
        found.append(_broken_link(index, site, meta.url, order[start:end]))
    return sorted(found, key=lambda finding: (-finding.pages, finding.target or "")), files


def _broken_link(index: IndexReader, site: AuditedSite, url: str, links: Numbers) -> Finding:
    # A link in the text says more about the target than one in a menu.
    first = int(min(links.tolist(), key=lambda link: (site.template[link], site.source[link])))
    source = int(site.source[first])
    pages = len(np.unique(site.source[links]))
    others = f"; {pages - 1:,} more pages link there" if pages > 1 else ""
    words = _quote(index, int(site.ids[source]), int(site.first[first]), int(site.last[first]))
    message = f"links to a page that is not in the crawl{others}"
    return _finding(site, "broken-link", source, message, target=url, pages=pages, words=words)


def _found_by_core(
    index: IndexReader,
    site: AuditedSite,
    question: AuditQuestion,
    threads: int,
    progress: Progress,
) -> Iterator[Finding]:
    missing, pairs = suggested(index, site, question, threads, progress)
    for group in near_duplicates(pairs):
        first, *others = sorted(group, key=lambda page: (len(site.urls[page]), site.urls[page]))
        for page in others:
            message = f"has nearly the same text as {len(others):,} other {_pages(len(others))}"
            kept = {"target": site.urls[first], "target_title": site.titles[first]}
            yield _finding(site, "near-duplicate", page, message, pages=len(group), **kept)
    best_first = missing.sort_by([("score", "descending"), ("source", "ascending")])
    for row in best_first.to_pylist():
        yield _missing_link(index, site, row)


def _missing_link(index: IndexReader, site: AuditedSite, row: dict[str, Any]) -> Finding:
    source, target, named = row["source"], row["target"], row["first"] is not None
    return _finding(
        site,
        "missing-link",
        source,
        "names a page that it does not link to" if named else "is like a page it does not link to",
        target=site.urls[target],
        target_title=site.titles[target],
        score=round(row["score"], 6),
        words=_quote(index, int(site.ids[source]), row["first"], row["last"]) if named else None,
    )


def _quote(index: IndexReader, page: int, first: int, last: int) -> str:
    """The words of a page around some of them, which are in brackets."""
    window = _core.LinkWindow(max(first - AROUND, 0), first, last, last + AROUND)
    return index.searcher.quote(page, [window])


def _pages(count: int) -> str:
    return "page" if count == 1 else "pages"


def _finding(site: AuditedSite, kind: str, page: int, message: str, **more: Any) -> Finding:
    return Finding(kind, site.urls[page], site.titles[page], message, **more)
