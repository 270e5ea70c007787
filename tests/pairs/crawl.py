"""A small crawl of sites, and an exhaustive search for pairs."""

from collections import defaultdict
from pathlib import Path
from typing import Any

import pagekin
from pagekin import _core
from pagekin.api import Index
from pagekin.strategy import Strategy
from pagekin.work.settings import Settings
from tests.crawls import page_words, rows, write_warc
from tests.reference import Capture

# Site, path: title, text; the links are (target, words).
SITES: dict[str, tuple[str, str, list[tuple[str, str]]]] = {
    "http://one.example/": (
        "University of One",
        "The university trains students.",
        [
            ("/research", "research at one"),
            ("/courses", "all courses"),
            ("http://two.example/", "two"),
        ],
    ),
    "http://one.example/research": (
        "Research",
        "Research research groups and laboratories.",
        [("/", "portal"), ("/structures", "data structures group")],
    ),
    "http://one.example/structures": (
        "Data structures",
        "The group on data and structures: heaps, trees, structures for data.",
        [("/research", "back to research"), ("/", "portal")],
    ),
    "http://one.example/courses": ("Courses", "Lectures about algebra.", [("/", "portal")]),
    "http://one.example/island": (
        "Island",
        "research data structures",
        [("/research", "research")],
    ),
    "http://two.example/": (
        "Two",
        "A factory, not a university. Research.",
        [("/lab", "our laboratory"), ("http://one.example/", "the university")],
    ),
    "http://two.example/lab": (
        "Laboratory",
        "data structures",
        [("/jobs", "work here"), ("/price", "prices")],
    ),
    "http://two.example/jobs": ("Jobs", "none at all", []),
    "http://two.example/price": ("Prices", "costly", []),
    "http://alone.example/": ("Alone", "university hermitage", []),
}


def write_sites(path: Path) -> Path:
    """The crawl as an archive."""
    write_warc(path, [Capture(url, _html(*page), "utf-8", 1) for url, page in SITES.items()])
    return path


def _html(title: str, text: str, links: list[tuple[str, str]]) -> bytes:
    listed = "".join(f'<li><a href="{url}">{words}</a>' for url, words in links)
    return f"<title>{title}</title><p>{text}</p><ul>{listed}</ul>".encode()


def built(path: Path, folder: Path, **settings: Any) -> Index:
    """The index of an archive; `strategy` and settings by name."""
    strategy = settings.pop("strategy", Strategy())
    pagekin.build(path, folder, strategy=strategy, settings=Settings(**settings))
    return Index(folder)


class SlowSearch:
    """An exhaustive search over plain rows, without postings and site graphs."""

    def __init__(self, path: Path, strategy: Strategy, arcs: set[tuple[int, int]]) -> None:
        core = _core.Strategy(strategy.to_core())
        self.arcs = arcs
        self.pages = {row["id"]: row for row in rows(path, "pages")}
        self.counts: dict[int, dict[int, int]] = defaultdict(lambda: defaultdict(int))
        for page, words in zip(self.pages.values(), page_words(path), strict=True):
            for word in words.split() + _core.words_of(page["title"] or ""):
                if term := _core.term_of(core, word, page["language"]):
                    self.counts[page["id"]][term.id] += 1
        self.core = core

    def count(self, page: int, keyword: str) -> int:
        terms = [_core.term_of(self.core, word) for word in _core.words_of(keyword)]
        return min(self.counts[page][term.id] for term in terms if term)

    def best(self, site: str, keywords: list[str], alpha: float) -> dict[tuple[int, int], float]:
        """The weight of every arc of a site that has one."""
        pages = [key for key, row in self.pages.items() if row["site"] == site]
        most = {word: max([1, *(self.count(page, word) for page in pages)]) for word in keywords}

        def strength(page: int, place: int) -> float:
            return self.count(page, keywords[place]) / most[keywords[place]]

        places = range(len(keywords))
        weights = {
            arc: sum(
                strength(arc[0], x) * strength(arc[1], y) * (alpha if x < y else 1 - alpha)
                for x in places
                for y in places
                if x != y
            )
            for arc in self.arcs
            if self.pages[arc[0]]["site"] == site
        }
        return {arc: weight for arc, weight in weights.items() if weight > 0}


def arcs_of(path: Path) -> set[tuple[int, int]]:
    """The arcs of the index as ids of pages."""
    ids = [row["id"] for row in rows(path, "arcs")]
    return {(row["id"], ids[target]) for row in rows(path, "arcs") for target in row["targets"]}
