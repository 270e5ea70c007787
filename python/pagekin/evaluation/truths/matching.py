"""The pages that a directory and a crawl have in common, and their classes in parts.

To avoid bias in tuning, the children of each parent class are divided between the parts, so that
all have siblings. A page whose classes fall into both what is tuned on and what is held back is
left out: it would leak what was learnt.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from pagekin import _core
from pagekin.errors import DirectoryError
from pagekin.evaluation.truths import Directory

__all__ = [
    "BANDS",
    "Bounds",
    "Coverage",
    "CrawlPages",
    "Halves",
    "MatchedPages",
    "band_names",
    "match",
    "split",
    "split_folds",
    "within_bands",
]

Ids = np.ndarray[Any, np.dtype[np.uint64]]
Numbers = np.ndarray[Any, np.dtype[np.int64]]
Flags = np.ndarray[Any, np.dtype[np.bool_]]
Bounds = tuple[int, int | None]

BANDS: tuple[Bounds, ...] = ((0, 0), (1, 3), (4, 15), (16, 63), (64, None))
"""Bands of in-degree: the fewest and the most inlinks of a page."""


@dataclass(frozen=True, slots=True)
class CrawlPages:
    """Every URL of a crawl, crawled or only linked to, in order of ids, and its inlinks."""

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
class MatchedPages:
    """The pages of the directory that have a bag, in order of ids, and their classes.

    Pages and classes have new numbers; a class without a page is left out.
    """

    ids: Ids
    inlinks: Numbers
    classes: tuple[tuple[str, ...], ...]
    pages_of_pairs: Numbers
    classes_of_pairs: Numbers
    coverage: Coverage

    @cached_property
    def family(self) -> _core.Family:
        """The directory in the form of the core."""
        names: dict[str, int] = {}
        paths = [[names.setdefault(name, len(names)) for name in path] for path in self.classes]
        ends = np.searchsorted(self.pages_of_pairs, np.arange(len(self.ids)), side="right")
        pages = np.split(self.classes_of_pairs, ends[:-1])
        return _core.Family(paths, [page.tolist() for page in pages])

    @cached_property
    def first_class(self) -> Numbers:
        """The class that each page counts for: its first."""
        starts = np.searchsorted(self.pages_of_pairs, np.arange(len(self.ids)))
        return self.classes_of_pairs[starts]

    @property
    def alone(self) -> int:
        """How many classes have one page only."""
        return int((np.bincount(self.classes_of_pairs, minlength=len(self.classes)) == 1).sum())

    def only(self, wanted: Flags) -> "MatchedPages":
        """The same with some of the pages, and the classes that they are in."""
        kept = wanted[self.pages_of_pairs]
        pages = (np.cumsum(wanted) - 1)[self.pages_of_pairs[kept]]
        used, classes = np.unique(self.classes_of_pairs[kept], return_inverse=True)
        names = tuple(self.classes[number] for number in used.tolist())
        ids, inlinks = self.ids[wanted], self.inlinks[wanted]
        return MatchedPages(ids, inlinks, names, pages, classes.astype(np.int64), self.coverage)


def match(directory: Directory, crawl: CrawlPages) -> MatchedPages:
    """The pages of the directory that the crawl contains or links to.

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
    everything = MatchedPages(
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


def _check(directory: Directory, matched: MatchedPages) -> None:
    """Reject a directory that leaves nothing to count."""
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


def within_bands(matched: MatchedPages, bands: Sequence[Bounds] = BANDS) -> list[tuple[str, Flags]]:
    """The bands of in-degree by name, and which pages are in each."""
    found = []
    for least, most in bands:
        within = matched.inlinks >= least
        if most is not None:
            within &= matched.inlinks <= most
        found.append((_band_name(least, most), within))
    return found


def band_names(bands: Sequence[Bounds] = BANDS) -> list[str]:
    """The bands of in-degree by name."""
    return [_band_name(*bounds) for bounds in bands]


def _band_name(least: int, most: int | None) -> str:
    if most is None:
        return f"{least}+"
    return str(least) if least == most else f"{least}-{most}"


@dataclass(frozen=True, slots=True)
class Halves:
    """The pages to tune on and the pages held back, each a directory of its own."""

    tuning: MatchedPages
    held_back: MatchedPages
    left_out: int


def split(matched: MatchedPages, seed: int) -> Halves:
    """Split the classes in two at random, by a seed."""
    return split_folds(matched, 2, seed)[-1]


def split_folds(matched: MatchedPages, folds: int, seed: int) -> list[Halves]:
    """Deal the classes into folds at random, by a seed; each fold is held back once."""
    dealt = _dealt(matched.classes, folds, seed)
    return [_hold_back(matched, dealt == fold, folds) for fold in range(folds)]


def _hold_back(matched: MatchedPages, held: Flags, folds: int) -> Halves:
    of_pairs = held[matched.classes_of_pairs]
    pages = len(matched.ids)
    in_held = np.bincount(matched.pages_of_pairs, weights=of_pairs, minlength=pages) > 0
    in_tuning = np.bincount(matched.pages_of_pairs, weights=~of_pairs, minlength=pages) > 0
    tuning, back = matched.only(in_tuning & ~in_held), matched.only(in_held & ~in_tuning)
    for part in (tuning, back):
        if len(part.classes) < 2 or part.alone == len(part.classes):
            raise DirectoryError(
                f"{len(matched.classes)} classes are too few to be split in {_name(folds)}",
                source="the directory",
                advice=f"give one with at least {2 * folds} classes of several pages",
            )
    return Halves(tuning, back, int((in_held & in_tuning).sum()))


def _name(folds: int) -> str:
    return "two" if folds == 2 else f"{folds} folds"


def _dealt(classes: tuple[tuple[str, ...], ...], folds: int, seed: int) -> Numbers:
    """The fold of each class: the children of a parent are dealt in turn, in any order."""
    families: dict[tuple[str, ...], list[int]] = {}
    for number, path in enumerate(classes):
        families.setdefault(path[:-1], []).append(number)
    random = np.random.default_rng(seed)
    shuffled = [random.permutation(children) for children in families.values()]
    dealt = np.zeros(len(classes), dtype=np.int64)
    dealt[np.concatenate(shuffled)] = np.arange(len(classes)) % folds
    return dealt
