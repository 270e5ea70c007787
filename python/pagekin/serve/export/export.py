"""`pagekin export`: every crawled page's related pages as a JSON file.

Threads answer a few dozen pages at a time, and the answers are written as they come, so memory does
not grow with the crawl.
"""

import html
import os
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from importlib.resources import files
from itertools import islice
from pathlib import Path
from string import Template

from pagekin.opened import Index
from pagekin.progress import Progress, Silent
from pagekin.query import Asked, Filters, Found, ask_pages, explained, find
from pagekin.serve.export.names import file_name
from pagekin.serve.export.publishing import drafting
from pagekin.threads import by_threads

__all__ = ["Exported", "export"]

PAGES = 32
"""Pages answered at a time: their answers are what is held in memory."""
OVER = 4
"""So many times the wanted hits are looked for: a page that was not crawled is no hit here."""
TERMS = 3
"""Shared terms told of each hit."""
EXAMPLES = 3
"""Pages on the demo page."""
FILES = ("related.js", "related.css", "demo.css")


@dataclass(frozen=True, slots=True)
class Linked:
    """A related page as a site's visitors see it."""

    url: str
    title: str
    site: str
    score: float
    terms: list[str]


@dataclass(frozen=True, slots=True)
class Answer:
    """The content of a page's file under its URL."""

    title: str
    related: list[Linked]


@dataclass(frozen=True, slots=True)
class Exported:
    """How many pages have a file, and the demo page."""

    pages: int
    demo: Path


def export(
    index: Index,
    folder: Path,
    filters: Filters,
    *,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Exported:
    """Write the files; they appear when all of them are there."""
    progress = progress or Silent()
    examples: list[tuple[str, Answer]] = []
    try:
        with index.blaming(), drafting(folder) as draft:
            progress.stage("export", index.manifest.counts["pages"], "pages")
            for url, answer in _answers(index, filters, threads or os.cpu_count() or 1):
                if answer.related:
                    draft.add(file_name(url), url, asdict(answer))
                    examples = _best([*examples, (url, answer)])
                progress.advance(1)
            draft.publish(_beside(examples))
    finally:
        progress.done()
    return Exported(draft.pages, folder / "demo.html")


def _answers(index: Index, filters: Filters, threads: int) -> Iterator[tuple[str, Answer]]:
    """The answers of all crawled pages in order of their ids, few of them waiting."""

    def answer(urls: tuple[str, ...]) -> list[tuple[str, Answer]]:
        return [(url, _answer(index, url, filters)) for url in urls]

    crawled = _crawled(index)
    some = iter(lambda: tuple(islice(crawled, PAGES)), ())
    for answers in by_threads(answer, some, threads):
        yield from answers


def _crawled(index: Index) -> Iterator[str]:
    for batch in index.tables["pages"].batches():
        crawled = batch.column("url").filter(batch.column("crawled"))
        yield from map(str, crawled.to_pylist())


def _answer(index: Index, url: str, filters: Filters) -> Answer:
    asked = ask_pages(index, [url])
    related = [
        Linked(
            url=hit.url,
            title=hit.title or hit.url,
            site=hit.site,
            score=hit.score,
            terms=[term.term for term in hit.why.terms[:TERMS]],
        )
        for hit in explained(index, asked, _found(index, asked, filters)[: filters.k])
    ]
    return Answer(asked.query.title or url, related)


def _found(index: Index, asked: Asked, filters: Filters) -> list[Found]:
    """The crawled pages most like it, best first.

    Where one page a site is wanted, the best of a site may be one that was not crawled: then the
    next best is found among the pages of all sites.
    """
    wider = replace(filters, k=OVER * filters.k)
    hits = _only_crawled(index, find(index, asked, wider).hits)
    if not filters.group_by_site:
        return hits
    hits += _only_crawled(index, find(index, asked, replace(wider, group_by_site=False)).hits)
    best: dict[str, Found] = {}
    for hit in sorted(hits, key=lambda hit: (-hit[1], hit[0])):
        best.setdefault(index.searcher.card(hit[0])[1], hit)
    return [*best.values()]


def _only_crawled(index: Index, found: list[Found]) -> list[Found]:
    return [hit for hit in found if index.searcher.card(hit[0])[3]]


def _best(examples: list[tuple[str, Answer]]) -> list[tuple[str, Answer]]:
    """Those with the most related pages, of equals the first."""
    return sorted(examples, key=lambda example: -len(example[1].related))[:EXAMPLES]


def _beside(examples: list[tuple[str, Answer]]) -> dict[str, str]:
    """The script, its style and the demo page."""
    box = files("pagekin.serve.export") / "box"
    texts = {name: (box / name).read_text(encoding="utf-8") for name in FILES}
    demo = Template((box / "demo.html").read_text(encoding="utf-8"))
    shown = "".join(_example(url, answer) for url, answer in examples)
    return texts | {"demo.html": demo.substitute(examples=shown)}


def _example(url: str, answer: Answer) -> str:
    return (
        f"<section>\n<h2>{html.escape(answer.title)}</h2>\n"
        f"<p><code>{html.escape(url)}</code></p>\n"
        f'<script src="related.js" data-url="{html.escape(url)}" defer></script>\n</section>\n'
    )
