"""Judges systems on one crawl by every truth that the crawl has.

    python -m bench.quality.judge CRAWL SYSTEM...

Prints a line of JSON for each system as soon as it is judged. The systems of one process share
what is known of the crawl, and the texts of its pages. Everything measured is a ratio of two sums
over groups that can be resampled: classes of a directory, queries of see-also lists and of held-out
links, texts of known items.
"""

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from bench.quality.systems import System, open_system
from bench.quality.truths.crawl_truths import CrawlTruths
from bench.quality.truths.crawls import CRAWLS, SharedCrawl
from bench.quality.truths.held_out_links import HOLD_OUT
from pagekin.evaluation.counts import Counts, percentiles
from pagekin.evaluation.known_item_judge import known_item_relevance
from pagekin.evaluation.measures import RELATIONS, K, Relation
from pagekin.evaluation.ranked import RankedAnswers, RankedMeasure, Relevance, resampled_means
from pagekin.evaluation.shown import count_hits
from pagekin.evaluation.truths.see_also import MatchedSeeAlso

__all__ = ["GroupedRatio", "Judged", "read_judged"]

Real = np.ndarray[Any, np.dtype[np.float64]]


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


def judge(crawl: SharedCrawl, name: str, truths: CrawlTruths) -> Judged:
    """Make the system, ask it everything."""
    system = open_system(crawl, name)
    measures = {
        **dict(_by_directory(system, truths)),
        **dict(_by_see_also(system, truths)),
        **dict(_by_held_out_links(system, truths)),
        **dict(_by_known_items(system, truths)),
        **dict(_by_paragraphs(system, truths)),
    }
    return Judged(system.milliseconds, measures)


Measured = Iterator[tuple[str, GroupedRatio]]


def _by_directory(system: System, truths: CrawlTruths) -> Measured:
    if truths.directory is None:
        return
    counts = system.order(truths.directory)
    for relation in ("sibling", "unrelated"):
        yield f"{relation} Γ", _gamma(counts, relation)
    right, _, classes = count_hits(system.related(truths.directory.ids), truths.directory, K)
    yield f"P@{K}", GroupedRatio.of(right / K, classes)


def _gamma(counts: Counts, relation: Relation) -> GroupedRatio:
    """Strict Γ: concordant less discordant pairs, of all pairs."""
    pairs = counts.by_class().pairs[:, RELATIONS.index(relation)]
    return GroupedRatio((pairs[:, 0] - pairs[:, 1]).tolist(), pairs.sum(axis=1).tolist())


def _by_see_also(system: System, truths: CrawlTruths) -> Measured:
    if truths.see_also is not None:
        measures = (RankedMeasure("R", K), RankedMeasure("AP", K))
        yield from _by_pairs(system, truths.see_also, measures)


def _by_held_out_links(system: System, truths: CrawlTruths) -> Measured:
    if truths.held_out_links is not None:
        measures = (RankedMeasure("R", K),)
        measured = _by_pairs(system.without(HOLD_OUT), truths.held_out_links, measures)
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


def _by_known_items(system: System, truths: CrawlTruths) -> Measured:
    """Nothing if the system knows no words."""
    if not system.has_words:
        return
    measure = RankedMeasure("RR", K)
    for kind, items in truths.known_items.items():
        if items:
            answers = system.search([item.text for item in items])
            relevance = known_item_relevance(items, answers, truths.copies)
            yield f"{kind} {measure}", GroupedRatio.of(measure.of(relevance))


def _by_paragraphs(system: System, truths: CrawlTruths) -> Measured:
    """The first paragraph of a page asked as a text: are the answers of its class?"""
    if truths.directory is None or not (system.has_words and truths.paragraphs):
        return
    pages = np.array([each.page for each in truths.paragraphs], dtype=np.uint64)
    found = system.search([each.text for each in truths.paragraphs], K + 1)
    others = [hits[hits != page][:K] for hits, page in zip(found, pages, strict=True)]
    right, _, classes = count_hits(RankedAnswers(pages, others), truths.directory, K)
    yield f"paragraph P@{K}", GroupedRatio.of(right / K, classes)


def main(words: Sequence[str]) -> int:
    """Judge the systems that are named, in their order."""
    crawl = CRAWLS[words[0]]
    truths = CrawlTruths(crawl)
    for name in words[1:]:
        print(json.dumps(asdict(judge(crawl, name, truths))), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
