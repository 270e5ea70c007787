"""The texts of a crawl's pages for everybody but pagekin: title and text, by selectolax.

Texts come in two forms: whole, and without templates. Of the latter every block (what stands
between two block-level tags) that is on ten or more pages of its host is left out, and nothing
else is.
"""

import hashlib
import json
import tempfile
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import numpy as np
from selectolax.lexbor import LexborHTMLParser

from bench.build.python_way import NOISE, captures
from bench.quality.truths.crawls import SharedCrawl
from pagekin import _core

__all__ = ["PageTexts", "read_texts"]

Ids = np.ndarray[Any, np.dtype[np.uint64]]
REPEATED = 10
"""Pages of a host that have a block of its template."""
_BREAK = "\x1f"
_INLINE = [
    *("a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "del", "dfn", "em"),
    *("font", "i", "ins", "kbd", "label", "mark", "nobr", "q", "s", "samp", "small", "span"),
    *("strike", "strong", "sub", "sup", "time", "tt", "u", "var", "wbr"),
]


@dataclass(frozen=True, slots=True)
class PageTexts:
    """The crawled pages in order of their ids, and the text of each."""

    ids: Ids
    texts: list[str]

    @property
    def digest(self) -> str:
        """Sixteen hexadecimal digits that differ where texts do."""
        found = hashlib.sha256(self.ids.tobytes())
        for text in self.texts:
            found.update(f"{text}\0".encode(errors="surrogatepass"))
        return found.hexdigest()[:16]


@cache
def read_texts(crawl: SharedCrawl, *, templates: bool) -> PageTexts:
    """The texts of a crawl, with or without templates; made once, and read once in a process."""
    path = crawl.folder / ("texts.json" if templates else "texts-without-templates.json")
    if not path.exists():
        crawl.folder.mkdir(parents=True, exist_ok=True)
        texts = _without_templates(crawl) if not templates else _joined(_blocks(crawl))
        # Whoever comes first at the same time writes the same.
        with tempfile.TemporaryDirectory(dir=crawl.folder) as folder:
            draft = Path(folder) / path.name
            draft.write_text(json.dumps(texts), encoding="utf-8")
            draft.replace(path)
    found: dict[str, str] = json.loads(path.read_text(encoding="utf-8"))
    ids = np.array([*map(int, found)], dtype=np.uint64)
    return PageTexts(ids, [*found.values()])


Blocks = dict[int, tuple[str, list[str]]]
"""The host and the blocks of each page."""


def _blocks(crawl: SharedCrawl) -> Blocks:
    found: Blocks = {}
    for url, html in captures(crawl.archive):
        canonical = _core.canonical(url)
        if canonical is not None:
            found[_core.url_id(canonical)] = urlsplit(canonical).netloc, blocks_of(html)
    return dict(sorted(found.items()))


def _joined(pages: Blocks) -> dict[int, str]:
    return {page: " ".join(blocks) for page, (_, blocks) in pages.items()}


def _without_templates(crawl: SharedCrawl) -> dict[int, str]:
    pages = _blocks(crawl)
    seen = Counter((host, block) for host, blocks in pages.values() for block in {*blocks})
    own: Blocks = {
        page: (host, [block for block in blocks if seen[host, block] < REPEATED])
        for page, (host, blocks) in pages.items()
    }
    return _joined(own)


def blocks_of(html: str) -> list[str]:
    """The title of a page, and the texts between its block-level tags."""
    tree = LexborHTMLParser(html)
    tree.strip_tags(NOISE)
    tree.unwrap_tags(_INLINE)
    title, body = tree.css_first("title"), tree.body
    parts: list[str] = [] if title is None else [title.text()]
    if body is not None:
        body.merge_text_nodes()
        parts += body.text(separator=_BREAK).split(_BREAK)
    return [*_squeezed(parts)]


def _squeezed(parts: Iterable[str]) -> Iterable[str]:
    for part in parts:
        words = part.split()
        if words:
            yield " ".join(words)
