"""The pages for evaluation: those of the directory of schools, in the order of their ids."""

import json
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from selectolax.lexbor import LexborHTMLParser

import pagekin
from bench.build.python_way import NOISE, captures
from bench.measure import DATA, OUT
from pagekin import _core
from pagekin.evaluation.judge import matched_with
from pagekin.evaluation.truths.matching import MatchedPages

__all__ = ["CRAWL", "FOLDER", "Judged"]

CRAWL = DATA / "schools.warc.gz"
DIRECTORY = DATA / "schools.directory.tsv"
FOLDER = OUT / "quality"


@dataclass(frozen=True)
class Judged:
    """An index of the crawl, which says what is in it, and the pages' texts for the others."""

    index: Path

    @cached_property
    def matched(self) -> MatchedPages:
        """The pages of the directory and their classes."""
        return matched_with(pagekin.open(self.index).reader, pagekin.Directory.read(DIRECTORY))

    @cached_property
    def texts(self) -> list[str]:
        """Title and text of each page, with capitals and punctuation; made once."""
        path = FOLDER / "texts.json"
        if not path.exists():
            path.write_text(json.dumps(self._read()), encoding="utf-8")
        found: list[str] = json.loads(path.read_text(encoding="utf-8"))
        return found

    def _read(self) -> list[str]:
        wanted = dict.fromkeys(self.matched.ids.tolist(), "")
        for url, html in captures(CRAWL):
            key = _core.url_id(_core.canonical(url) or "")
            if key in wanted:
                wanted[key] = text_of(html)
        return list(wanted.values())


def text_of(html: str) -> str:
    """The title and the text of a page."""
    tree = LexborHTMLParser(html)
    tree.strip_tags(NOISE)
    title = tree.css_first("title")
    parts = [each.text(separator=" ") for each in (title, tree.body) if each is not None]
    return " ".join(" ".join(parts).split())
