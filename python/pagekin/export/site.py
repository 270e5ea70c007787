"""Every crawled page's related pages as a JSON file, for a static site.

Threads answer a few dozen pages at a time, and the answers are written as they come, so memory does
not grow with the crawl.
"""

import html
import os
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from importlib.resources import files
from itertools import islice
from pathlib import Path
from string import Template

from pagekin.export.publishing import drafting, file_name
from pagekin.index import IndexReader
from pagekin.query.filters import Filters
from pagekin.query.question import Question, resolve
from pagekin.query.related import explain, find
from pagekin.work.progress import Progress, SilentProgress
from pagekin.work.threads import map_by_threads

__all__ = ["ExportSummary", "export"]

PAGES = 32
"""Pages answered at a time; their answers are held in memory."""
TERMS = 3
"""Shared terms shown of each hit."""
EXAMPLES = 3
"""Pages on the demo page."""
FILES = ("related.js", "related.css", "demo.css")


@dataclass(frozen=True, slots=True)
class RelatedLink:
    """A related page as a site's visitors see it."""

    url: str
    title: str
    site: str
    score: float
    terms: list[str]
    replay: str | None


@dataclass(frozen=True, slots=True)
class PageLinks:
    """The content of a page's file under its URL."""

    title: str
    related: list[RelatedLink]


@dataclass(frozen=True, slots=True)
class ExportSummary:
    """How many pages have a file, and the demo page."""

    pages: int
    demo: Path


def export(
    index: IndexReader,
    folder: Path,
    filters: Filters,
    *,
    threads: int | None = None,
    progress: Progress | None = None,
) -> ExportSummary:
    """Write the files; they appear when all of them are there."""
    progress = progress or SilentProgress()
    examples: list[tuple[str, PageLinks]] = []
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
    return ExportSummary(draft.pages, folder / "demo.html")


def _answers(index: IndexReader, filters: Filters, threads: int) -> Iterator[tuple[str, PageLinks]]:
    """The answers of all crawled pages in order of their ids, few of them waiting."""

    def answer(urls: tuple[str, ...]) -> list[tuple[str, PageLinks]]:
        return [(url, _answer(index, url, filters)) for url in urls]

    crawled = _crawled(index)
    some = iter(lambda: tuple(islice(crawled, PAGES)), ())
    for answers in map_by_threads(answer, some, threads):
        yield from answers


def _crawled(index: IndexReader) -> Iterator[str]:
    for batch in index.tables["pages"].batches():
        crawled = batch.column("url").filter(batch.column("crawled"))
        yield from map(str, crawled.to_pylist())


def _answer(index: IndexReader, url: str, filters: Filters) -> PageLinks:
    question = resolve(index, Question.about(url))
    related = [
        RelatedLink(
            url=hit.url,
            title=hit.title or hit.url,
            site=hit.site,
            score=hit.score,
            terms=[term.term for term in hit.why.terms[:TERMS]],
            replay=hit.replay,
        )
        for hit in explain(index, question, find(index, question, filters).hits)
    ]
    return PageLinks(question.query.title or url, related)


def _best(examples: list[tuple[str, PageLinks]]) -> list[tuple[str, PageLinks]]:
    """The pages with the most related pages; ties keep their order."""
    return sorted(examples, key=lambda example: -len(example[1].related))[:EXAMPLES]


def _beside(examples: list[tuple[str, PageLinks]]) -> dict[str, str]:
    """The script, its style and the demo page."""
    box = files("pagekin.export") / "box"
    texts = {name: (box / name).read_text(encoding="utf-8") for name in FILES}
    demo = Template((box / "demo.html").read_text(encoding="utf-8"))
    shown = "".join(_example(url, answer) for url, answer in examples)
    return texts | {"demo.html": demo.substitute(examples=shown)}


def _example(url: str, answer: PageLinks) -> str:
    return (
        f"<section>\n<h2>{html.escape(answer.title)}</h2>\n"
        f"<p><code>{html.escape(url)}</code></p>\n"
        f'<script src="related.js" data-url="{html.escape(url)}" defer></script>\n</section>\n'
    )
