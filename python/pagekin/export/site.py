"""Every crawled page's related pages as a JSON file, for a static site."""

import html
from dataclasses import asdict, dataclass
from importlib.resources import files
from pathlib import Path
from string import Template
from urllib.parse import urlsplit

from pagekin.export.answers import PageLinks, answers, crawled_urls
from pagekin.export.publishing import drafting, file_name
from pagekin.index import IndexReader
from pagekin.query.filters import Filters
from pagekin.work.progress import Progress, SilentProgress

__all__ = ["ExportSummary", "export"]

ORIGINS = 20
"""Maximum number of origins that the script gets; it gets none of a crawl with more."""
EXAMPLES = 3
"""Pages on the demo page."""
FILES = ("related.js", "demo.css")


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
    origins: set[str] = set()
    try:
        with index.blaming(), drafting(folder) as draft:
            progress.stage("export", index.manifest.counts["pages"], "pages")
            for url, answer in answers(index, crawled_urls(index), filters, threads):
                if answer.related:
                    draft.add(file_name(url), url, asdict(answer))
                    examples = _best([*examples, (url, answer)])
                    if len(origins) <= ORIGINS:
                        origins.add("{0.scheme}://{0.netloc}".format(urlsplit(url)))
                progress.advance(1)
            listed = sorted(origins) if len(origins) <= ORIGINS else []
            draft.publish(_beside(examples), {"origins": listed})
    finally:
        progress.done()
    return ExportSummary(draft.pages, folder / "demo.html")


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
