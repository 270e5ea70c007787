"""The pages that a directory and a crawl have in common."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from pagekin import _core
from pagekin.errors import DirectoryError
from pagekin.evaluation.directory import Directory

__all__ = ["Coverage", "CrawlPages", "Matched", "match"]

Ids = np.ndarray[Any, np.dtype[np.uint64]]
Numbers = np.ndarray[Any, np.dtype[np.int64]]
Flags = np.ndarray[Any, np.dtype[np.bool_]]


@dataclass(frozen=True, slots=True)
class CrawlPages:
    """Every URL that a crawl speaks of, in order of ids: crawled or not, and its inlinks."""

    ids: Ids
    crawled: Flags
    inlinks: Numbers


@dataclass(frozen=True, slots=True)
class Coverage:
    """How many pages are in both, only in one, and in both without having been crawled."""

    both: int
    directory_only: int
    crawl_only: int
    not_crawled: int


@dataclass(frozen=True)
class Matched:
    """The pages of the directory that have a bag, in order of ids, and their classes.

    Pages and classes are numbered anew; a class without a page is left out.
    """

    ids: Ids
    inlinks: Numbers
    classes: tuple[tuple[str, ...], ...]
    pages_of_pairs: Numbers
    classes_of_pairs: Numbers
    coverage: Coverage

    @cached_property
    def family(self) -> _core.Family:
        """The directory as the core wants it."""
        names: dict[str, int] = {}
        paths = [[names.setdefault(name, len(names)) for name in path] for path in self.classes]
        ends = np.searchsorted(self.pages_of_pairs, np.arange(len(self.ids)), side="right")
        pages = np.split(self.classes_of_pairs, ends[:-1])
        return _core.Family(paths, [page.tolist() for page in pages])

    @cached_property
    def first_class(self) -> Numbers:
        """The class that each page stands with where it may stand with one only: its first."""
        starts = np.searchsorted(self.pages_of_pairs, np.arange(len(self.ids)))
        return self.classes_of_pairs[starts]

    @property
    def alone(self) -> int:
        """How many classes have one page only."""
        return int((np.bincount(self.classes_of_pairs, minlength=len(self.classes)) == 1).sum())

    def only(self, wanted: Flags) -> "Matched":
        """The same with some of the pages, and the classes that they are in."""
        kept = wanted[self.pages_of_pairs]
        pages = (np.cumsum(wanted) - 1)[self.pages_of_pairs[kept]]
        used, classes = np.unique(self.classes_of_pairs[kept], return_inverse=True)
        names = tuple(self.classes[number] for number in used.tolist())
        ids, inlinks = self.ids[wanted], self.inlinks[wanted]
        return Matched(ids, inlinks, names, pages, classes.astype(np.int64), self.coverage)


def match(directory: Directory, crawl: CrawlPages) -> Matched:
    """The directory's pages that the crawl speaks of.

    A page that was only linked to has a bag like any other, and counts.
    """
    at = np.minimum(np.searchsorted(crawl.ids, directory.ids), max(len(crawl.ids) - 1, 0))
    found = crawl.ids[at] == directory.ids if len(crawl.ids) else np.zeros(len(at), dtype=bool)
    both, crawled = int(found.sum()), int(crawl.crawled[at[found]].sum())
    coverage = Coverage(
        both=both,
        directory_only=len(found) - both,
        crawl_only=int(crawl.crawled.sum()) - crawled,
        not_crawled=both - crawled,
    )
    inlinks = crawl.inlinks[at] if len(crawl.ids) else np.zeros(len(at), dtype=np.int64)
    everything = Matched(
        directory.ids,
        inlinks,
        directory.classes,
        directory.pages_of_pairs,
        directory.classes_of_pairs,
        coverage,
    )
    matched = everything.only(found)
    _check(directory, matched)
    return matched


def _check(directory: Directory, matched: Matched) -> None:
    """Refuse what leaves nothing to count."""
    reasons: Sequence[tuple[bool, str, str]] = (
        (
            not len(matched.ids),
            f"none of its {len(directory.ids):,} pages is in the crawl",
            "give the directory of this crawl, with URLs as they are in it",
        ),
        (
            len(matched.classes) == 1,
            f"only one class ({'/'.join(matched.classes[0]) if matched.classes else ''}) has pages "
            "in the crawl, and nothing to compare it with",
            "give a directory of several classes, or a greater --depth",
        ),
        (
            matched.alone == len(matched.classes),
            "every class has one page in the crawl, and none a second to find",
            "give a directory with several pages a class, or a smaller --depth",
        ),
    )
    for wrong, what, advice in reasons:
        if wrong:
            raise DirectoryError(what, source=directory.source, advice=advice)
