"""Growth: what an index costs and how it answers at 100 thousand, 1 million and 10 million bags.

    python -m bench.build.growth [--sizes 100000 1000000 10000000] [--write]

The bags are made, not read: each page has a topic; most of its terms are of the topic, the others
of all topics, both by Zipf's law. What is timed is what a build does with bags:
sketching, inverting, writing and publishing. Each step is a process of its own.
"""

import argparse
import json
import random
import resource
import shutil
import sys
import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from matplotlib.figure import Figure

import pagekin
from bench.measure import BENCH, OUT, child_output
from bench.tables import put_table
from pagekin import _core
from pagekin.index import IndexWriter, ShardFiles, ShardInvertedSketches, position_steps
from pagekin.query.filters import ExclusionLists
from pagekin.strategy import Strategy

Words = np.ndarray[Any, np.dtype[np.uint64]]

SIZES = (100_000, 1_000_000, 10_000_000)
TOKENS = 80
"""Words drawn for a page: about 50 distinct terms."""
TOPIC_PAGES = 100
"""Pages that share a topic."""
TOPIC_TERMS = 150
ALL_TERMS = 1_000_000
OWN_SHARE = 0.75
"""Words of a page that are drawn from its topic."""
COMMON = np.uint64(1 << 60)
"""Set in the number of a term without a topic."""
CHUNK = 1 << 16
SHARD = 1 << 20
QUESTIONS, EXACT_QUESTIONS = 300, 40


def main() -> int:
    """Build and query at every size, print the table."""
    options = _options()
    if options.child:
        print(json.dumps({"build": build, "ask": ask}[options.child](options.sizes[0])))
        return 0
    rows = [_measured(size) for size in options.sizes]
    text = markdown(rows)
    print(text)
    if options.write:
        put_table("bench.build.growth", text)
        draw(rows, BENCH.parent / "docs" / "growth.svg")
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES)
    parser.add_argument("--write", action="store_true", help="put the table into BENCHMARKS.md")
    parser.add_argument("--child", choices=("build", "ask"), help=argparse.SUPPRESS)
    return parser.parse_args()


def _measured(size: int) -> dict[str, float]:
    row: dict[str, float] = {"size": size}
    for child in ("build", "ask"):
        print(f"{size:,}: {child}", file=sys.stderr, flush=True)
        command = [
            sys.executable,
            "-m",
            "bench.build.growth",
            "--child",
            child,
            "--sizes",
            str(size),
        ]
        row |= json.loads(child_output(command, cores=1))
    shutil.rmtree(_folder(size))
    return row


def _folder(size: int) -> Path:
    return OUT / f"growth-{size}"


def build(size: int) -> dict[str, float]:
    """Write an index of synthetic bags; generating them is not timed."""
    folder = _folder(size)
    shutil.rmtree(folder, ignore_errors=True)
    spent, wall = 0.0, 0.0
    strategy = Strategy()
    bits = (size // SHARD).bit_length()
    with IndexWriter(folder, strategy) as writer:
        for shard, pages, bags in batches(size, bits):
            start, clock = time.process_time(), time.perf_counter()
            writer.write("pages", shard, pages)
            writer.write("bags", shard, bags)
            sketches = _core.sketch(bags, strategy.sketch.positions, strategy.sketch.seed)
            writer.write("sketches", shard, sketches)
            spent += time.process_time() - start
            wall += time.perf_counter() - clock
        start, clock = time.process_time(), time.perf_counter()
        for table in ("pages", "bags", "sketches"):
            writer.finish_table(table, 1 << bits)
        for shard in range(1 << bits):
            files = ShardFiles(writer.draft, shard, building=True)
            inverse = ShardInvertedSketches(files, strategy.sketch)
            for step in position_steps(strategy.sketch.positions):
                for batch in inverse.batches(step):
                    writer.write("inverse", shard, batch)
        counts = {"pages": size, "bags": size, "terms": 0, "links": 0}
        written = writer.publish(1 << bits, counts, strategy)
        spent += time.process_time() - start
        wall += time.perf_counter() - clock
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    return {"build": spent, "build_wall": wall, "bytes": written, "peak": peak}


def batches(size: int, bits: int) -> Iterator[tuple[int, pa.RecordBatch, pa.RecordBatch]]:
    """Pages and bags in order of their ids, a chunk of a shard at a time."""
    numbers = np.arange(size, dtype=np.uint64)
    ids = np.fromiter((_core.url_id(_url(number)) for number in range(size)), np.uint64, size)
    order = np.argsort(ids)
    ids, numbers = ids[order], numbers[order]
    edges = [np.uint64(shard << (64 - bits)) for shard in range(1, 1 << bits)]
    cuts = [0, *np.searchsorted(ids, edges).tolist(), size]
    for shard, (first, end) in enumerate(pairwise(cuts)):
        for start in range(first, end, CHUNK):
            part = slice(start, min(start + CHUNK, end))
            yield shard, _pages(ids[part], numbers[part]), _bags(ids[part], numbers[part], size)


def _url(number: int) -> str:
    return f"http://host{number % 1000}.example/{number}"


def _pages(ids: Words, numbers: Words) -> pa.RecordBatch:
    urls = [_url(number) for number in numbers.tolist()]
    rows = len(urls)
    nothing = [None] * rows
    columns: dict[str, pa.Array[Any]] = {
        "id": pa.array(ids),
        "url": pa.array(urls),
        "site": pa.array([url.split("/")[2] for url in urls]),
        "title": pa.array(nothing, pa.string()),
        "crawled": pa.array([False] * rows),
        "inlinks": pa.array(np.zeros(rows, np.uint32)),
        "file": pa.array(nothing, pa.string()),
        "offset": pa.array(nothing, pa.uint64()),
        "date": pa.array(nothing, pa.timestamp("s", tz="UTC")),
    }
    return pa.record_batch(columns)


def _bags(ids: Words, numbers: Words, size: int) -> pa.RecordBatch:
    """Bags of drawn terms, weighted by their expected document frequencies."""
    rng = np.random.default_rng(int(ids[0]))
    rows = len(ids)
    topics = _mixed(numbers) % np.uint64(max(size // TOPIC_PAGES, 1))
    own = _zipf(rng, (rows, TOKENS), TOPIC_TERMS) + topics[:, None] * np.uint64(TOPIC_TERMS)
    common = _zipf(rng, (rows, TOKENS), ALL_TERMS) | COMMON
    drawn = np.where(rng.random((rows, TOKENS)) < OWN_SHARE, own, common)
    drawn.sort(axis=1)
    first = np.ones((rows, TOKENS), bool)
    first[:, 1:] = drawn[:, 1:] != drawn[:, :-1]
    places = np.flatnonzero(first)
    counts = np.diff(np.append(places, first.size))
    terms = drawn.ravel()[places]
    lengths = first.sum(axis=1)
    owner = np.repeat(np.arange(rows), lengths)
    real = counts * _factors(terms, size)
    shares = np.floor(real / np.bincount(owner, real)[owner] * _core.TOTAL).astype(np.int64)
    order = np.lexsort((_mixed(terms) >> np.uint64(1), owner))
    terms, shares = (_mixed(terms) >> np.uint64(1))[order], shares[order]
    heaviest = np.lexsort((-shares, owner))[np.cumsum(lengths) - lengths]
    shares[heaviest] += _core.TOTAL - np.bincount(owner, shares).astype(np.int64)
    kept = shares > 0
    ends = np.cumsum(np.bincount(owner[kept], minlength=rows))
    offsets = pa.array([0, *ends.tolist()], pa.int64())
    weights = pa.array(shares[kept].astype(np.uint16))
    lists = [_lists(offsets, pa.array(terms[kept])), _lists(offsets, weights)]
    return pa.record_batch([pa.array(ids), *lists], names=["id", "terms", "weights"])


def _factors(terms: Words, size: int) -> np.ndarray[Any, np.dtype[np.float64]]:
    """NMDF, by the expected document frequency of a term of this rank."""
    is_common = terms >= COMMON
    rank = np.where(is_common, terms ^ COMMON, terms % np.uint64(TOPIC_TERMS) + np.uint64(1))
    drawn = np.where(
        is_common, (1 - OWN_SHARE) / np.log(ALL_TERMS), OWN_SHARE / np.log(TOPIC_TERMS)
    )
    pages = np.where(is_common, size, min(TOPIC_PAGES, size))
    expected = np.maximum(pages * -np.expm1(-TOKENS * drawn / np.maximum(rank, 1)), 1)
    frequency = Strategy().frequency
    scale = np.log(size)
    off = (np.log(expected) - (frequency.mu or 0) * scale) / ((frequency.sigma or 1) * scale)
    factors: np.ndarray[Any, np.dtype[np.float64]] = np.exp(-0.5 * off * off)
    return factors


def _lists(offsets: pa.Int64Array, values: "pa.Array[Any]") -> "pa.Array[Any]":
    item = pa.field("item", values.type, nullable=False)
    plain = pa.LargeListArray.from_arrays(offsets, values)
    return plain.cast(pa.large_list(item))


def _zipf(rng: np.random.Generator, shape: tuple[int, int], terms: int) -> Words:
    """Ranks from 1 with a chance of about 1 / rank."""
    ranks: Words = np.exp(rng.random(shape) * np.log(terms)).astype(np.uint64)
    return ranks


def _mixed(numbers: Words) -> Words:
    """Scattered over 64 bits."""
    mixed = numbers * np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9)
    return mixed ^ (mixed >> np.uint64(32))


def ask(size: int) -> dict[str, float]:
    """Open the index and query some of its pages."""
    start = time.perf_counter()
    index = pagekin.open(_folder(size))
    opened = time.perf_counter() - start
    searcher, rng = index.reader.searcher, random.Random(7)
    found = [searcher.find(_core.url_id(_url(rng.randrange(size)))) for _ in range(QUESTIONS)]
    places = [place for place in found if place is not None]
    seconds, recalls = [], []
    for number, place in enumerate(places):
        bag = searcher.bag(place)
        options = pagekin.Filters(copy_score=1.0).options(ExclusionLists([place]))
        start = time.perf_counter()
        hits = searcher.search(bag, options).hits
        seconds.append(time.perf_counter() - start)
        if number < EXACT_QUESTIONS:
            sure = pagekin.Filters(exact=True, copy_score=1.0).options(ExclusionLists([place]))
            best = searcher.search(bag, sure).hits
            recalls.append(sum(hit.overlap >= best[-1].overlap for hit in hits) / len(best))
    median = sorted(seconds)[len(seconds) // 2]
    return {"open": opened, "ask": median, "recall": sum(recalls) / len(recalls)}


def markdown(rows: list[dict[str, float]]) -> str:
    """The table."""
    lines = [
        "| bags | build, µs per bag | of the smallest | index, bytes per bag | peak memory | open "
        "| median question | recall@10 |",
        "| --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    least = rows[0]["build"] / rows[0]["size"]
    for row in rows:
        each = row["build"] / row["size"]
        lines.append(
            f"| {row['size']:,.0f} | {each * 1e6:.1f} | {each / least:.2f} "
            f"| {row['bytes'] / row['size']:,.0f} | {row['peak'] / 1e6:,.0f} MB "
            f"| {row['open'] * 1e3:.0f} ms | {row['ask'] * 1e3:.2f} ms | {row['recall']:.3f} |"
        )
    return "\n".join(lines)


def draw(rows: list[dict[str, float]], path: Path) -> None:
    """The same as a figure: each cost as a multiple of that of the smallest size."""
    figure = Figure(figsize=(7, 4), layout="constrained")
    axes = figure.add_subplot()
    sizes = [row["size"] for row in rows]
    for name, label in (("build", "build"), ("peak", "peak memory"), ("ask", "median question")):
        axes.plot(sizes, [row[name] / rows[0][name] for row in rows], marker="o", label=label)
    axes.plot(sizes, [size / sizes[0] for size in sizes], ":", color="grey", label="in proportion")
    axes.set(xscale="log", yscale="log", xlabel="bags", ylabel=f"times that of {sizes[0]:,.0f}")
    axes.legend()
    figure.savefig(path)


if __name__ == "__main__":
    sys.exit(main())
