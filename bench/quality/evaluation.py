"""The cost of evaluating a strategy by a directory, against plain SciPy and NumPy.

    python -m bench.quality.evaluation          one strategy on schools, and 50,000 synthetic pages
    python -m bench.quality.evaluation --sweep  also the grid of the paper, from WARC to report

Both sides start from the same weighed bags and must count the same pairs. Seconds are those on the
core, so that they can be compared on a machine that does other things.
"""

import argparse
import itertools
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from scipy import sparse

import pagekin
from bench.measure import DATA
from pagekin import _core
from pagekin.evaluation.counts import count_pairs
from pagekin.evaluation.judge import matched_with
from pagekin.evaluation.measures import ORDERINGS
from pagekin.evaluation.truths.matching import MatchedPages

PAGES, CLASSES, WORDS = 50_000, 600, 600
VOCABULARY, OF_CLASS = 200_000, 300
ITSELF = 255
Numbers = np.ndarray[Any, np.dtype[np.int64]]


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--sweep", action="store_true", help="also the grid of the paper")
    options = parser.parse_args()
    crawl, directory = DATA / "schools.warc.gz", DATA / "schools.directory.tsv"
    if not crawl.exists():
        print(f"skipped: no schools.warc.gz in {DATA}, nothing was measured")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        against_scipy(crawl, directory, Path(folder))
        large()
        if options.sweep:
            whole_sweep(crawl, directory, Path(folder) / "sweep")
    return 0


def against_scipy(crawl: Path, directory: Path, folder: Path) -> None:
    """One strategy, evaluated by both."""
    pagekin.build(crawl, folder / "index")
    index = pagekin.open(folder / "index")
    matched = matched_with(index.reader, pagekin.Directory.read(directory))
    batches = index.reader.tables["bags"].select(matched.ids)
    ours, seconds = timed(lambda: by_core(batches, matched, 1))
    theirs, plain = timed(lambda: by_scipy(batches, matched))
    if ours.tolist() != theirs.tolist():
        sys.exit(f"the counts differ: {ours.tolist()} and {theirs.tolist()}")
    print(f"one strategy on {len(matched.ids):,} pages, one thread: {seconds:.2f} s")
    print(f"the same by SciPy and NumPy: {plain:.2f} s; ratio {seconds / plain:.3f} (target: 0.25)")


def timed(work: Callable[[], Numbers]) -> tuple[Numbers, float]:
    """The result of the work, and its core time in seconds."""
    start = time.process_time()
    return work(), time.process_time() - start


def by_core(batches: list[pa.RecordBatch], matched: MatchedPages, threads: int) -> Numbers:
    """Concordant, discordant and tied pairs of each ordering, as pagekin counts them."""
    bags = _core.Collection(batches)
    counts = count_pairs(
        lambda ks, first, last: bags.tally(matched.family, "jaccard", ks, first, last),
        matched.first_class,
        len(matched.classes),
        [10],
        threads,
    )
    pairs: Numbers = counts.all().pairs[0].astype(np.int64)
    return pairs


def by_scipy(batches: list[pa.RecordBatch], matched: MatchedPages) -> Numbers:
    """The same with a sparse matrix by columns and sorted look-ups."""
    bags = matrix(batches)
    columns, pairs = bags.tocsc(), np.zeros((len(ORDERINGS), 3), dtype=np.int64)
    for query in range(bags.shape[0]):
        relations = np.frombuffer(matched.family.relations(query), dtype=np.uint8).copy()
        relations[query] = ITSELF
        if not (relations == 0).any():
            continue
        terms = slice(bags.indptr[query], bags.indptr[query + 1])
        part = columns[:, bags.indices[terms]]
        least = np.minimum(part.data, np.repeat(bags.data[terms], np.diff(part.indptr)))
        alike = np.bincount(part.indices, weights=least, minlength=bags.shape[0])
        pairs += by_ordering([np.sort(alike[relations == each]) for each in range(4)])
    return pairs


def by_ordering(groups: list[Any]) -> Numbers:
    """The pairs of one query page, by the sorted similarities of pages at each distance."""
    found = np.zeros((len(ORDERINGS), 3), dtype=np.int64)
    for nearer, farther in itertools.combinations(range(4), 2):
        near = groups[nearer]
        below = np.searchsorted(near, groups[farther], side="left")
        upto = np.searchsorted(near, groups[farther], side="right")
        counts = [(len(near) - upto).sum(), below.sum(), (upto - below).sum()]
        found[ORDERINGS.index("whole")] += counts
        if nearer == 0:
            found[farther - 1] = counts
    return found


def matrix(batches: list[pa.RecordBatch]) -> Any:
    """The bags as a sparse matrix, one row per page."""
    terms = np.concatenate([values(batch, "terms") for batch in batches])
    weights = np.concatenate([values(batch, "weights") for batch in batches])
    distinct, numbers = np.unique(terms, return_inverse=True)
    lengths = [len(bag) for batch in batches for bag in batch.column("terms")]
    starts = np.concatenate([[0], np.cumsum(lengths)])
    shape = (len(lengths), len(distinct))
    return sparse.csr_matrix((weights.astype(np.int64), numbers, starts), shape=shape)


def values(batch: pa.RecordBatch, name: str) -> Any:
    """A column of lists, one list after another."""
    return np.concatenate([bag.values.to_numpy() for bag in batch.column(name)])


def large() -> None:
    """A directory as large as the paper's, with bags drawn at random."""
    random = np.random.default_rng(1)
    group = random.integers(0, CLASSES, PAGES)
    batch = drawn_bags(random, group)
    paths = [[number // 60, number // 6 % 10, number % 6] for number in range(CLASSES)]
    family = _core.Family(paths, [[number] for number in group.tolist()])
    start, on_core = time.perf_counter(), time.process_time()
    bags = _core.Collection([batch])
    counts = count_pairs(
        lambda ks, first, last: bags.tally(family, "jaccard", ks, first, last),
        group,
        CLASSES,
        [10],
        2,
    )
    seconds, core = time.perf_counter() - start, time.process_time() - on_core
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    entries = batch.column("ends").to_numpy()[-1] / PAGES
    print(
        f"{PAGES:,} pages in {CLASSES} classes, {entries:.0f} terms a bag, two threads: "
        f"{seconds:.0f} s by the clock, {core:.0f} s on the cores, {peak:.1f} GB; "
        f"{int(counts.all().pairs.sum()):,} pairs"
    )


def drawn_bags(random: np.random.Generator, group: Numbers) -> pa.RecordBatch:
    """Bags of words drawn by rank: three quarters from all words, a quarter from the class's."""
    terms, weights, ends = [], [], [0]
    for number in group.tolist():
        anywhere = (random.pareto(0.6, WORDS * 3 // 4) * 20).astype(np.int64) % VOCABULARY
        own = (random.pareto(0.8, WORDS // 4) * 10).astype(np.int64) % OF_CLASS
        drawn = np.concatenate([anywhere, VOCABULARY + number * OF_CLASS + own])
        words, counts = np.unique(drawn, return_counts=True)
        shares = counts * 65_535 // WORDS
        shares[0] += 65_535 - shares.sum()
        terms.append(words)
        weights.append(shares)
        ends.append(ends[-1] + len(words))
    hashes = np.concatenate(terms).astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    offsets = pa.array(ends, pa.int64())
    lists = pa.LargeListArray.from_arrays
    return pa.record_batch(
        {
            "id": pa.array(range(len(group)), pa.uint64()),
            "ends": pa.array(ends[1:], pa.int64()),
            "terms": lists(offsets, pa.array(hashes)),
            "weights": lists(offsets, pa.array(np.concatenate(weights).astype(np.uint16))),
        }
    )


def whole_sweep(crawl: Path, directory: Path, folder: Path) -> None:
    """The grid of the paper, in a process of its own."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    words = ["sweep", str(crawl), "--directory", str(directory), "-o", str(folder)]
    subprocess.run([sys.executable, "-m", "pagekin", *words], check=True)
    seconds = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    core = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    results = len((folder / "journal.jsonl").read_text().splitlines())
    print(
        f"{results} strategies, from WARC to report: {seconds:.0f} s by the clock, "
        f"{core:.0f} s on the cores, {core / results:.2f} s a strategy"
    )


if __name__ == "__main__":
    sys.exit(main())
