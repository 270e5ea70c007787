"""Indexes for query tests, with an exhaustive comparison of bags."""

from collections.abc import Callable
from functools import cached_property
from pathlib import Path

import pagekin
from pagekin import _core
from pagekin.sample.pack import write_sample
from pagekin.strategy import Strategy
from tests.crawls import bags, rows

TOTAL = 65_535


class Built:
    """An index, with its tables as plain values."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.index = pagekin.open(path)

    @cached_property
    def bags(self) -> dict[int, dict[int, int]]:
        return bags(self.path)

    @cached_property
    def urls(self) -> dict[int, str]:
        return {row["id"]: row["url"] for row in rows(self.path, "pages")}

    @cached_property
    def sites(self) -> dict[str, str]:
        return {row["url"]: row["site"] for row in rows(self.path, "pages")}

    @cached_property
    def crawled(self) -> dict[str, bool]:
        return {row["url"]: row["crawled"] for row in rows(self.path, "pages")}

    @cached_property
    def links(self) -> set[tuple[str, str]]:
        found = rows(self.path, "links")
        return {(self.urls[row["source"]], self.urls[row["target"]]) for row in found}

    def bag(self, url: str) -> dict[int, int]:
        return self.bags[_core.url_id(url)]

    def similarity(self, one: str, other: str) -> float:
        return jaccard(self.bag(one), self.bag(other))

    def ranked(self, bag: dict[int, int], wanted: Callable[[str], bool]) -> list[tuple[str, float]]:
        """Every wanted page with a common term, best first, ties by id."""
        scored = [(-jaccard(bag, other), key) for key, other in self.bags.items()]
        return [
            (self.urls[key], -score)
            for score, key in sorted(scored)
            if score < 0 and wanted(self.urls[key])
        ]


def jaccard(one: dict[int, int], other: dict[int, int]) -> float:
    """Σ min / Σ max, term by term."""
    shared = sum(min(weight, other.get(term, 0)) for term, weight in one.items())
    union = sum(one.values()) + sum(other.values()) - shared
    return shared / union if union else 0.0


def sample(folder: Path, strategy: Strategy | None = None) -> Built:
    """An index of the bundled sample crawl."""
    write_sample(folder / "sample.warc.gz")
    pagekin.build(folder / "sample.warc.gz", folder / "index", strategy=strategy)
    return Built(folder / "index")
