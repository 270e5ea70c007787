"""The benchmark of sketches: speed against datasketch and rensa, and error against theory.

    python -m bench.build.sketches            a minute or two
    python -m bench.build.sketches --write    also put the tables into BENCHMARKS.md

The bags are those of schools with about 230 terms. Nothing here fails for being slow.
"""

import argparse
import platform
import sys
from dataclasses import dataclass
from importlib.metadata import version
from math import sqrt
from pathlib import Path

import numpy as np
import pyarrow as pa

import pagekin
from bench.build.sketchers import WAYS, Bags
from bench.indexes import kept_index
from bench.measure import DATA, OUT, Sample, child_sample
from bench.report import by_clock, machine, on_core, ratio, table
from bench.tables import put_table
from pagekin import _core
from pagekin.index import schema_of
from pagekin.strategy import Sketch

POSITIONS = Sketch().positions

ROUNDS = 5
TERMS = (180, 280)
SEEDS = 5000
SHARES = (0.05, 0.2, 0.4, 0.6, 0.8, 0.95)
TARGETS = {
    "datasketch": "≥ 100",
    "datasketch-whole": "≥ 100",
    "rensa": "≥ 0.3, aim 1",
    "rensa-words": "",
}
ARCHIVE = DATA / "schools.warc.gz"
BAGS = OUT / "bags.arrow"

Bag = dict[int, int]


@dataclass(frozen=True, slots=True)
class Error:
    """How far estimates of one pair are from its similarity, over many seeds."""

    similarity: float
    mean: float
    bias: float
    """In standard errors of the mean."""
    spread: float
    """Root mean square, as a multiple of sqrt(J (1 - J) / m)."""


def main() -> int:
    """Measure, print, store."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="default: %(default)s")
    parser.add_argument("--write", action="store_true", help="put the tables into BENCHMARKS.md")
    options = parser.parse_args()
    if not ARCHIVE.exists():
        print(f"skipped: no schools in {DATA}, nothing was measured")
        return 0
    OUT.mkdir(exist_ok=True)
    bags = select_bags()
    text = markdown(bags, speeds(options.rounds), [error(bags, share) for share in SHARES])
    print(text)
    if options.write:
        put_table("bench.build.sketches", text)
    return 0


def select_bags() -> Bags:
    """Index schools, and keep the bags of about 230 terms in a file."""
    index = pagekin.open(kept_index(ARCHIVE))
    files = sorted(Path(index.path / index.reader.manifest.folder).glob("bags-*.arrow"))
    tables = [pa.ipc.open_file(pa.memory_map(str(file))).read_all() for file in files]
    all_bags = pa.concat_tables(tables)
    lengths = np.array([len(terms) for terms in all_bags["terms"]])
    chosen = (lengths >= TERMS[0]) & (lengths <= TERMS[1])
    (batch,) = all_bags.filter(pa.array(chosen)).combine_chunks().to_batches()
    with pa.ipc.new_file(str(BAGS), schema_of("bags", 80)) as writer:
        writer.write_batch(batch)
    return Bags(str(BAGS))


def speeds(rounds: int) -> dict[str, list[Sample]]:
    """One sample of each library per round."""
    samples: dict[str, list[Sample]] = {way: [] for way in WAYS}
    for number in range(rounds):
        print(f"round {number + 1} of {rounds}: sketches", file=sys.stderr, flush=True)
        for way, each in samples.items():
            each.append(child_sample("build.sketchers", way, str(BAGS)))
    return samples


def error(bags: Bags, share: float) -> Error:
    """Estimates of a bag and one that has this share of it, against the truth."""
    one, other = bags.bag(0), bags.bag(1)
    pair = [one, blend(one, other, share)]
    rows = [{"id": 0, "terms": list(bag), "weights": list(bag.values())} for bag in pair]
    batch = pa.RecordBatch.from_pylist(rows, schema=schema_of("bags", 80))
    similarity = jaccard(*pair)
    start = int(share * 100) * SEEDS
    found = np.array([agreement(batch, seed) for seed in range(start, start + SEEDS)]) - similarity
    theory = sqrt(similarity * (1 - similarity) / POSITIONS)
    spread = float(np.sqrt((found**2).mean())) / theory
    return Error(
        similarity, float(found.mean()), float(found.mean()) / theory * sqrt(SEEDS), spread
    )


def blend(one: Bag, other: Bag, share: float) -> Bag:
    """A bag between two."""
    mixed = {term: round(weight * (1 - share)) for term, weight in other.items()}
    for term, weight in one.items():
        mixed[term] = min(mixed.get(term, 0) + round(weight * share), 65_535)
    return {term: weight for term, weight in mixed.items() if weight}


def jaccard(one: Bag, other: Bag) -> float:
    """Exact weighted Jaccard similarity."""
    smaller = sum(min(weight, other.get(term, 0)) for term, weight in one.items())
    return smaller / (sum(one.values()) + sum(other.values()) - smaller)


def agreement(batch: pa.RecordBatch, seed: int) -> float:
    """The share of positions at which two sketches agree."""
    made = _core.sketch(batch, POSITIONS, seed).column("sketch")
    assert isinstance(made, pa.FixedSizeListArray)
    one, other = made.values.to_numpy().reshape(2, POSITIONS)
    return float((one == other).mean())


def markdown(bags: Bags, samples: dict[str, list[Sample]], errors: list[Error]) -> str:
    """Everything for BENCHMARKS.md."""
    count, terms = bags.batch.num_rows, len(bags.terms) / bags.batch.num_rows
    libraries = [f"{name} {version(name)}" for name in ("pagekin", "datasketch", "rensa", "numpy")]
    head = (
        f"{machine()}; rounds: {len(samples['pagekin'])}.\n{', '.join(libraries)}, Python"
        f" {platform.python_version()}. {count} bags of {terms:.0f} terms, {POSITIONS} positions."
    )
    return "\n\n".join([head, _ratios(samples), _seconds(samples, count), _errors(errors)])


def _ratios(samples: dict[str, list[Sample]]) -> str:
    ours = samples["pagekin"]
    rows = [
        [f"bags per second: pagekin / {way}", target, ratio(samples[way], ours, on_core)]
        for way, target in TARGETS.items()
    ]
    return table(["ratio (spread)", "target", "on the core"], rows)


def _seconds(samples: dict[str, list[Sample]], count: int) -> str:
    rows = []
    for way, each in samples.items():
        micros = [
            [seconds(sample) / count * 1e6 for sample in each] for seconds in (on_core, by_clock)
        ]
        rows.append([way, *(f"{min(found):.2f} ({max(found):.2f})" for found in micros)])
    return table(["µs per bag, best (worst)", "on the core", "by the clock"], rows)


def _errors(errors: list[Error]) -> str:
    rows = [
        [f"{each.similarity:.3f}", f"{each.mean:+.5f}", f"{each.bias:+.2f}", f"{each.spread:.3f}"]
        for each in errors
    ]
    names = ["similarity J", "bias", "in standard errors (target: within 2)"]
    return table([*names, "error / sqrt(J(1-J)/m) (target: within 10 %)"], rows)


if __name__ == "__main__":
    sys.exit(main())
