"""Methods of choosing pairs, compared on the pages of three universities.

    python -m bench.questions.pairs_judge

A query is (word for the site, subject, kind of page). An answer of one site is right if its pages
together are of the kind (a class of universities.classes.tsv) and about the subject (all its words
in the title, or three times in the text); where the first word names a university, the pages must
be labelled with it. It is spread if two different pages do it. Ways are judged on the same sites.
"""

import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import Any

import numpy as np

from bench.indexes import kept_index
from bench.measure import DATA
from pagekin import _core
from pagekin.arrays import Numbers
from pagekin.index import IndexReader
from pagekin.pairs.graph import (
    Features,
    SiteGraph,
    SiteRanking,
    cohesive,
    cosine,
    features,
    sites_about,
)
from pagekin.pairs.question import parse, postings

SUBJECTS = [
    *("data structures", "artificial intelligence", "compiler", "operating systems", "databases"),
    *("computer graphics", "robotics", "parallel computing", "natural language", "networks"),
    *("computer vision", "machine learning", "distributed systems", "programming languages"),
    *("numerical analysis", "multimedia", "theory of computation", "computer architecture"),
]
KINDS = {"faculty": "professor", "course": "course", "project": "project", "student": "student"}
NAMES = ("university", "cornell", "texas", "washington")
OTHERS = ("random arc", "the best arc there is")
ALPHAS = (0.5, 0.6, 0.8, 1.0)
SITES = 3
"""Number of sites per query that are evaluated."""
Weigh = Callable[[Numbers, Numbers], Numbers]
Order = Callable[[SiteRanking, Numbers], Numbers]


@dataclass(frozen=True, slots=True)
class Query:
    """The keywords, and what a right answer is."""

    name: str
    subject: str
    kind: str

    @property
    def keywords(self) -> list[str]:
        """In order: site, kind of page, subject."""
        return [self.name, KINDS[self.kind], self.subject]


@dataclass(frozen=True, slots=True)
class Arcs:
    """The arcs of a site between pages that carry a keyword, and the features of those."""

    found: Features
    source: Numbers
    target: Numbers
    rank: Numbers
    """The PageRank of the pages, of which the highest is 1."""


class Judge:
    """Labels and texts of the pages, by their numbers in the index."""

    def __init__(self, index: IndexReader) -> None:
        rows = (DATA / "universities.classes.tsv").read_text(encoding="utf-8").splitlines()
        labels = dict(row.split("\t")[:2] for row in rows)
        self.index, self.graph = index, SiteGraph(index)
        self.core = _core.Strategy(index.strategy.to_core())
        pages = [index.tables["pages"].batch(n) for n in range(index.tables["pages"].batch_count)]
        listed: list[dict[str, Any]] = [row for batch in pages for row in batch.to_pylist()]
        self.titles = [set(self._terms(row["title"] or "")) for row in listed]
        self.labels = [labels.get(row["url"], "/").split("/") for row in listed]

    def _terms(self, text: str) -> Iterator[int]:
        for word in _core.words_of(text):
            if term := _core.term_of(self.core, word):
                yield term.id

    def about(self, subject: str) -> set[int]:
        """The pages about a subject."""
        (keyword,) = parse(self.index, [subject, "zebra"])[:1]
        found = postings(self.index, keyword)
        titled = {n for n, title in enumerate(self.titles) if title >= set(keyword.terms)}
        return titled | set(found.pages[found.content >= 3].tolist())

    def of_kind(self, query: Query) -> set[int]:
        """The pages of the kind, of the university that is named."""
        return {
            number
            for number, (university, kind) in enumerate(self.labels)
            if kind == query.kind and query.name in ("university", university)
        }


def main() -> int:
    """Evaluate every query by every method, and print the tables."""
    if not (DATA / "universities.warc.gz").exists():
        print(f"skipped: no universities.warc.gz in {DATA}, nothing was judged")
        return 0
    judge = Judge(IndexReader(kept_index(DATA / "universities.warc.gz")))
    queries = [Query(*each) for each in product(NAMES, SUBJECTS, KINDS)]
    print_ways(judge, queries)
    print_orders(judge, queries)
    return 0


ORDERS: dict[str, Order] = {
    "PageRank times URLs that carry the word": lambda sites, _: sites.rank * sites.about,
    "PageRank times their share": lambda sites, urls: sites.rank * sites.about / urls,
    "PageRank": lambda sites, _: sites.rank,
    "URLs that carry the word": lambda sites, _: sites.about,
    "their share": lambda sites, urls: sites.about / urls,
}
WAYS: dict[str, Weigh] = {
    **{f"CAM, alpha {alpha:g}": partial(cohesive, alpha=alpha) for alpha in ALPHAS},
    "cosine of the two pages": cosine,
    "cosine, of equals the strongest": lambda a, b: (
        cosine(a, b).round(6) + 1e-7 * (a + b).sum(axis=1)
    ),
    "sum of all strengths": lambda a, b: (a + b).sum(axis=1),
}


FEATURES: dict[str, Callable[[Arcs], Numbers]] = {
    "log(1 + tf)": lambda arcs: _to_one(np.log1p(arcs.found.counts)),
    "tf times PageRank": lambda arcs: _to_one(arcs.found.strengths * arcs.rank[:, None]),
    "tf times the root of PageRank": lambda arcs: _to_one(
        arcs.found.strengths * np.sqrt(arcs.rank)[:, None]
    ),
    "tf and PageRank, the mean": lambda arcs: np.where(
        arcs.found.strengths > 0, (arcs.found.strengths + arcs.rank[:, None]) / 2, 0
    ),
}
"""Other features than the term frequency divided by the highest of the site."""
CAMS = [f"CAM, alpha {alpha:g}" for alpha in ALPHAS]


def _to_one(features: Numbers) -> Numbers:
    scaled: Numbers = features / np.maximum(features.max(axis=0), 1e-9)
    return scaled


def print_ways(judge: Judge, queries: list[Query]) -> None:
    """Right answers of each way of choosing an arc, a page, or at random."""
    right: dict[str, Numbers] = defaultdict(lambda: np.zeros(2))
    answers = 0
    for query in queries:
        kind, about = judge.of_kind(query), judge.about(query.subject)
        for arcs in judged_sites(judge, query):
            answers += 1
            for name, pair in chosen(arcs):
                right[name] += verdict([pair], kind, about)[0]
            page = arcs.found.pages[arcs.found.strengths.sum(axis=1).argmax()]
            right["best page"] += verdict([(page, page)], kind, about)[0]
            ends = arcs.found.pages[arcs.source], arcs.found.pages[arcs.target]
            every = verdict(list(zip(*ends, strict=True)), kind, about)
            right["random arc"] += every.mean(axis=0)
            right["the best arc there is"] += every.max(axis=0)
    print(f"{len(queries)} queries, {answers} answers of a site\n")
    print("| way | right | right and spread over two pages |\n|---|---|---|")
    for name, (all_right, spread) in right.items():
        if " with " not in name:
            print(f"| {name} | {all_right / answers:.1%} | {spread / answers:.1%} |")
    print(f"\n| right, by features and alpha | {' | '.join(map(str, ALPHAS))} |\n{'|---' * 5}|")
    for name in ("", *(f" with {other}" for other in FEATURES)):
        shares = (f"{right[cam + name][0] / answers:.1%}" for cam in CAMS)
        print(f"| {name.removeprefix(' with ') or 'tf'} | {' | '.join(shares)} |")


def judged_sites(judge: Judge, query: Query, order: Order | None = None) -> Iterator[Arcs]:
    """The first sites in order that have an arc between pages that carry different keywords."""
    site, *others = parse(judge.index, query.keywords)
    sites = sites_about(judge.graph, postings(judge.index, site))
    if order:
        urls = judge.graph.sites.take("urls", sites.number)
        best = np.argsort(-order(sites, urls), kind="stable")
        sites = SiteRanking(sites.number[best], sites.rank[best], sites.about[best])
    lists = [postings(judge.index, keyword) for keyword in others]
    given = 0
    for number in sites.number.tolist():
        found = features(judge.graph, lists, np.array([number]))
        if len(found.pages):
            arcs = _between(judge.graph, found)
            if cohesive(found.strengths[arcs.source], found.strengths[arcs.target], 0.5).any():
                yield arcs
                given += 1
        if given == SITES:
            return


def _between(graph: SiteGraph, found: Features) -> Arcs:
    source, targets = graph.arcs_from(found.pages)
    place = np.minimum(np.searchsorted(found.pages, targets), len(found.pages) - 1)
    there = found.pages[place] == targets
    rank = graph.pages.take("rank", found.pages).astype(np.float64)
    return Arcs(found, source[there], place[there], rank / rank.max())


def chosen(arcs: Arcs) -> Iterator[tuple[str, tuple[int, int]]]:
    """The heaviest arc by every method."""
    ways = [(name, arcs.found.strengths, weigh) for name, weigh in WAYS.items()]
    for name, features_of in FEATURES.items():
        used = features_of(arcs)
        ways += [(f"{cam} with {name}", used, WAYS[cam]) for cam in CAMS]
    for name, used, weigh in ways:
        best = int(weigh(used[arcs.source], used[arcs.target]).argmax())
        pages = arcs.found.pages
        yield name, (int(pages[arcs.source[best]]), int(pages[arcs.target[best]]))


def verdict(pairs: list[tuple[int, int]], kind: set[int], about: set[int]) -> Numbers:
    """For each pair, whether it is right, and whether that takes both pages."""
    found = np.zeros((len(pairs), 2))
    for place, (one, other) in enumerate(pairs):
        both = {one, other}
        spread = (one in kind and other in about) or (other in kind and one in about)
        found[place] = bool(both & kind and both & about), spread and one != other
    return found


def print_orders(judge: Judge, queries: list[Query]) -> None:
    """Right answers of the first sites by other orders of sites."""
    print("\n| order of sites | right, first site | right, first three |\n|---|---|---|")
    for name, order in ORDERS.items():
        first, several, answers = 0.0, 0.0, 0
        for query in queries:
            kind, about = judge.of_kind(query), judge.about(query.subject)
            found = [
                verdict([dict(chosen(arcs))["CAM, alpha 0.6"]], kind, about)[0, 0]
                for arcs in judged_sites(judge, query, order)
            ]
            first += found[0]
            several += sum(found)
            answers += len(found)
        print(f"| {name} | {first / len(queries):.1%} | {several / answers:.1%} |")


if __name__ == "__main__":
    sys.exit(main())
