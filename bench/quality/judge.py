"""Judges one system on one crawl by every truth that the crawl has.

    python -m bench.quality.judge CRAWL SYSTEM

Prints the result as JSON. Everything measured is a ratio of two sums over groups that can be
resampled: classes of a directory, queries of see-also lists and of held-out links, texts of known
items.
"""

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

import pagekin
from bench.quality.systems import System, open_system, truth_index
from bench.quality.truths.crawls import CRAWLS, SharedCrawl
from bench.quality.truths.held_out_links import HOLD_OUT, held_out_links
from bench.quality.truths.known_texts import known_texts
from bench.quality.truths.paragraphs import first_paragraphs
from pagekin.evaluation.counts import Counts, percentiles
from pagekin.evaluation.judge import crawl_pages, matched_with
from pagekin.evaluation.known_item_judge import PageCopies, known_item_relevance
from pagekin.evaluation.measures import RELATIONS, K, Relation
from pagekin.evaluation.ranked import RankedAnswers, RankedMeasure, Relevance, resampled_means
from pagekin.evaluation.shown import count_hits
from pagekin.evaluation.truths.matching import MatchedPages
from pagekin.evaluation.truths.see_also import MatchedSeeAlso, SeeAlso, match_see_also
from pagekin.index import IndexReader

__all__ = ["GroupedRatio", "Judged", "read_judged"]

Real = np.ndarray[Any, np.dtype[np.float64]]
PARAGRAPHS = 500
"""Pages of a directory whose first paragraph is asked, about."""


@dataclass(frozen=True, slots=True)
class GroupedRatio:
    """A measure as the ratio of two sums over groups."""

    sums: list[float]
    counts: list[float]

    @property
    def value(self) -> float:
        """The measure over all groups."""
        return sum(self.sums) / sum(self.counts)

    def gain_interval(self, other: "GroupedRatio") -> tuple[float, float]:
        """Where the difference to another system lies for 95 of 100 resamples of the groups."""
        return percentiles(self._resampled() - other._resampled())

    def _resampled(self) -> Real:
        return resampled_means(np.array(self.sums), np.array(self.counts))

    @classmethod
    def of(cls, values: Real, group: Any = None) -> "GroupedRatio":
        """The mean of values over queries, each of which is a group unless it belongs to one."""
        group = np.arange(len(values)) if group is None else group
        sums, counts = np.bincount(group, weights=values), np.bincount(group)
        return cls(sums.tolist(), counts.tolist())


@dataclass(frozen=True, slots=True)
class Judged:
    """What a system costs per page, and its measures by name."""

    milliseconds: float
    measures: dict[str, GroupedRatio]


def read_judged(text: str) -> Judged:
    """What `python -m bench.quality.judge` printed."""
    fields = json.loads(text)
    measures = {name: GroupedRatio(**ratio) for name, ratio in fields["measures"].items()}
    return Judged(fields["milliseconds"], measures)


def judge(crawl: SharedCrawl, name: str) -> Judged:
    """Make the system, ask it everything."""
    system = open_system(crawl, name)
    index = pagekin.open(truth_index(crawl)).reader
    measures = {
        **dict(_by_directory(crawl, system, index)),
        **dict(_by_see_also(crawl, system, index)),
        **dict(_by_held_out_links(crawl, system)),
        **dict(_by_known_items(crawl, system, index)),
        **dict(_by_paragraphs(crawl, system, index)),
    }
    return Judged(system.milliseconds, measures)


Measured = Iterator[tuple[str, GroupedRatio]]


def _by_directory(crawl: SharedCrawl, system: System, index: IndexReader) -> Measured:
    """Only crawled pages: nobody else knows the others."""
    if crawl.directory is None:
        return
    matched = _crawled_of(crawl.directory, index)
    counts = system.order(matched)
    for relation in ("sibling", "unrelated"):
        yield f"{relation} Γ", _gamma(counts, relation)
    right, _, classes = count_hits(system.related(matched.ids), matched, K)
    yield f"P@{K}", GroupedRatio.of(right / K, classes)


def _crawled_of(directory: Path, index: IndexReader) -> MatchedPages:
    """The crawled pages of a directory."""
    pages = crawl_pages(index)
    everything = matched_with(index, pagekin.Directory.read(directory))
    return everything.only(np.isin(everything.ids, pages.ids[pages.crawled]))


def _gamma(counts: Counts, relation: Relation) -> GroupedRatio:
    """Strict Γ: concordant less discordant pairs, of all pairs."""
    pairs = counts.by_class().pairs[:, RELATIONS.index(relation)]
    return GroupedRatio((pairs[:, 0] - pairs[:, 1]).tolist(), pairs.sum(axis=1).tolist())


def _by_see_also(crawl: SharedCrawl, system: System, index: IndexReader) -> Measured:
    if crawl.see_also is None:
        return
    pairs = match_see_also(index, SeeAlso.read(crawl.see_also))
    yield from _by_pairs(system, pairs, (RankedMeasure("R", K), RankedMeasure("AP", K)))


def _by_held_out_links(crawl: SharedCrawl, system: System) -> Measured:
    pairs = held_out_links(crawl)
    if pairs is not None:
        measured = _by_pairs(system.without(HOLD_OUT), pairs, (RankedMeasure("R", K),))
        yield from ((f"links {name}", ratio) for name, ratio in measured)


def _by_pairs(system: System, pairs: MatchedSeeAlso, measures: Sequence[RankedMeasure]) -> Measured:
    """All pairs, then those whose query page links to the other nowhere else."""
    answers = system.related(np.unique(pairs.queries))
    for form, listed in (("", pairs), (" strict", pairs.only(~pairs.linked))):
        if not len(listed.queries):
            continue
        relevance = Relevance.of(answers, listed.queries, listed.related, K)
        for measure in measures:
            yield f"{measure}{form}", GroupedRatio.of(measure.of(relevance))


def _by_known_items(crawl: SharedCrawl, system: System, index: IndexReader) -> Measured:
    """Nothing if the system knows no words."""
    if not system.has_words:
        return
    copies, measure = PageCopies(index), RankedMeasure("RR", K)
    for kind, items in known_texts(crawl, index).items():
        if items:
            answers = system.search([item.text for item in items])
            relevance = known_item_relevance(items, answers, copies)
            yield f"{kind} {measure}", GroupedRatio.of(measure.of(relevance))


def _by_paragraphs(crawl: SharedCrawl, system: System, index: IndexReader) -> Measured:
    """Of the directory's pages, drawn evenly; their ids are hashes."""
    if crawl.directory is None or not system.has_words:
        return
    matched = _crawled_of(crawl.directory, index)
    drawn = [*first_paragraphs(index, matched.ids[:: max(len(matched.ids) // PARAGRAPHS, 1)])]
    pages = np.array([each.page for each in drawn], dtype=np.uint64)
    found = system.search([each.text for each in drawn], K + 1)
    others = [hits[hits != page][:K] for hits, page in zip(found, pages, strict=True)]
    right, _, classes = count_hits(RankedAnswers(pages, others), matched, K)
    yield f"paragraph P@{K}", GroupedRatio.of(right / K, classes)


if __name__ == "__main__":
    print(json.dumps(asdict(judge(CRAWLS[sys.argv[1]], sys.argv[2]))))
