"""The time of a query for pairs, on universities and on a synthetic crawl of many sites.

    python -m bench.questions.pairs_speed              universities, and 1,000 sites of 1,000 pages
    python -m bench.questions.pairs_speed --sites 100  a smaller made crawl

The made crawl is seeded: words by Zipf's law, a tree of pages in each site, links across it and
back, some to other sites. It is built once and kept in bench/out. Nothing fails for being slow.
"""

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from statistics import median

import numpy as np
from numpy.random import Generator, default_rng

from bench.indexes import kept_index
from bench.measure import DATA, OUT
from pagekin.index import IndexReader
from pagekin.pairs import PairsQuestion, find_pairs
from pagekin.pairs.question import parse, postings
from pagekin.strategy import Strategy, Window, Words

PAGES = 1_000
MADE = Strategy(window=Window("syntactic"), words=Words("nostem", stop_words="none"))
VOCABULARY = 50_000
WORDS, LINKS = 40, 6
REAL = [
    ["university", "research", "data structures"],
    ["university", "faculty", "compiler"],
    ["university", "course", "operating systems", "homework"],
    ["department", "student"],
    ["university", "project", "database", "publications", "distributed"],
]
RANKS = (20, 100, 300, 1_000, 5_000)
"""Places in the vocabulary, from common words to rare ones. The last query's words are as frequent
in a crawl of any size."""


@dataclass(frozen=True, slots=True)
class Timing:
    """A query, how many pages carry its keywords, and milliseconds of several runs."""

    query: Sequence[str]
    carriers: int
    sites: int
    cpu: list[float]
    wall: list[float]


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--sites", type=int, default=1_000, help="of the made crawl")
    options = parser.parse_args()
    OUT.mkdir(exist_ok=True)
    archive = DATA / "universities.warc.gz"
    if archive.exists():
        report("universities", timings(IndexReader(kept_index(archive)), REAL))
    crawl = OUT / f"sites-{options.sites}.warc"
    if not crawl.exists():
        write_crawl(crawl, options.sites)
    index = IndexReader(kept_index(crawl, MADE))
    words = [word(rank) for rank in RANKS]
    queries = [[word(0), *pair] for pair in pairwise(words)]
    rare = [word(options.sites * times) for times in (3, 5, 8)]
    found = timings(index, [*queries, words, rare])
    report(f"{options.sites:,} sites of {PAGES:,} pages", found)
    return 0


def timings(index: IndexReader, queries: Sequence[Sequence[str]]) -> Iterator[Timing]:
    """Each query once to load the files, then seven times."""
    for query in queries:
        first = find_pairs(index, PairsQuestion(tuple(query)))
        carriers = sum(len(postings(index, each).pages) for each in parse(index, query))
        wall, cpu = [], []
        for _ in range(7):
            clock, core = time.perf_counter(), time.process_time()
            find_pairs(index, PairsQuestion(tuple(query)))
            wall.append(1000 * (time.perf_counter() - clock))
            cpu.append(1000 * (time.process_time() - core))
        yield Timing(query, carriers, len(first.sites), cpu, wall)


def report(name: str, found: Iterator[Timing]) -> None:
    """A table."""
    print(f"\n{name}\n")
    print("| query | postings of its keywords | sites found | ms on the core | by the clock |")
    print("|---|---|---|---|---|")
    for each in found:
        print(
            f"| {', '.join(each.query)} | {each.carriers:,} | {each.sites} "
            f"| {median(each.cpu):.1f} (most {max(each.cpu):.1f}) "
            f"| {median(each.wall):.1f} (most {max(each.wall):.1f}) |"
        )


def word(rank: int) -> str:
    """A word of letters for a place in the vocabulary; `wa` is the first."""
    letters = ""
    while True:
        rank, letter = divmod(rank, 20)
        letters = "abcdfghjklmnopqrtuvx"[letter] + letters
        if not rank:
            return f"w{letters}"


def write_crawl(path: Path, sites: int) -> None:
    """The made crawl as an archive that is not compressed."""
    random = default_rng(1)
    vocabulary = [word(rank) for rank in range(VOCABULARY)]
    chances = 1 / np.arange(1, VOCABULARY + 1)
    chances /= chances.sum()
    draft = path.with_suffix(".draft")
    with draft.open("wb") as archive:
        for site in range(sites):
            drawn = random.choice(VOCABULARY, (PAGES, WORDS + LINKS + 3), p=chances)
            for page, words in enumerate(drawn.tolist()):
                named = [vocabulary[each] for each in words]
                archive.write(record(site, page, html(random, sites, page, named)))
    draft.rename(path)


def html(random: Generator, sites: int, page: int, words: list[str]) -> bytes:
    """A page: children in the tree, its parent, and somewhere."""
    children = [child for child in range(3 * page + 1, 3 * page + 4) if child < PAGES]
    inside = [*children, max(page - 1, 0) // 3, *random.integers(0, PAGES, 3).tolist()][:LINKS]
    targets = [f"/{target or ''}" for target in inside]
    if page % 10 == 0:
        targets[-1] = f"http://s{int(random.integers(sites))}.example/"
    links = zip(targets, words[3:], strict=False)
    listed = "".join(f"<li><a href='{target}'>{name}</a>" for target, name in links)
    text = " ".join(words[3 + LINKS :])
    title = " ".join(words[:3])
    return f"<title>{title}</title><p>{text}</p><ul>{listed}</ul>".encode()


def record(site: int, page: int, body: bytes) -> bytes:
    """A page as a record."""
    http = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n" + body
    url = f"http://s{site}.example/{page or ''}"
    head = (
        f"WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\n"
        f"WARC-Date: 2020-01-01T00:00:00Z\r\nContent-Length: {len(http)}\r\n\r\n"
    )
    return head.encode() + http + b"\r\n\r\n"


if __name__ == "__main__":
    sys.exit(main())
