"""Related pages as one data file, which the templates of a site generator read.

Its keys are the paths of pages as links write them, so a template finds its page by its own path.
"""

import json
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import urlsplit

from pagekin.errors import InputError
from pagekin.export.answers import RelatedLink, answers, crawled_urls
from pagekin.index import IndexReader
from pagekin.query.filters import Filters
from pagekin.work.files import refuse_folder, write_errors, write_whole
from pagekin.work.progress import Progress, SilentProgress

__all__ = ["DataSummary", "export_data"]


@dataclass(frozen=True, slots=True)
class DataSummary:
    """How many pages of the site have an entry, and the file."""

    pages: int
    file: Path


def export_data(
    index: IndexReader,
    file: Path,
    filters: Filters,
    *,
    threads: int | None = None,
    progress: Progress | None = None,
) -> DataSummary:
    """Write the related pages of each page of a site, all on that site, by paths."""
    progress = progress or SilentProgress()
    refuse_folder("the data file", file)
    try:
        with index.blaming(), write_errors("the data file", file):
            host, urls = _site(index, filters.site)
            progress.stage("export", len(urls), "pages")
            found = {}
            for url, answer in answers(index, urls, replace(filters, site=host), threads):
                found[_path(url)] = [_entry(each) for each in answer.related]
                progress.advance(1)
            lists = {path: found[path] for path in sorted(found) if found[path]}
            file.parent.mkdir(parents=True, exist_ok=True)
            write_whole(file, json.dumps(lists, ensure_ascii=False, indent=1) + "\n")
    finally:
        progress.done()
    return DataSummary(len(lists), file)


def _site(index: IndexReader, host: str | None) -> tuple[str, list[str]]:
    """The host that was asked for, or the only one, and its pages."""
    by_host: dict[str, list[str]] = {}
    for url in crawled_urls(index):
        by_host.setdefault(urlsplit(url).netloc, []).append(url)
    if host is None and len(by_host) == 1:
        return next(iter(by_host.items()))
    if host is None:
        raise InputError(
            f"the crawl has pages of {len(by_host)} hosts, and a data file is for one",
            source=index.path,
            advice="say which: --site HOST",
        )
    if host not in by_host:
        raise InputError(
            "no page of this host was crawled", source=host, advice="give the host of a page"
        )
    return host, by_host[host]


def _path(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.path or '/'}{f'?{parts.query}' if parts.query else ''}"


def _entry(link: RelatedLink) -> dict[str, object]:
    return {"url": _path(link.url), "title": link.title, "words": link.terms}
