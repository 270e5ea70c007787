"""Bags about some subjects, their decomposition by NumPy, and the golden loadings.

`python -m tests.bags.concepts` writes the golden file anew; it changes only with the format.
"""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from pagekin.bags.concepts import learn_concepts
from pagekin.strategy import Concept

GOLDEN = Path(__file__).parent.parent / "data" / "concepts.json"
Bag = dict[int, int]
Matrix = np.ndarray[Any, np.dtype[np.float64]]


def subject_bags(subjects: int, pages: int, seed: int = 1) -> list[Bag]:
    """Pages of one subject each, with words of the subject and some common words.

    The subjects have different numbers of pages, so that no two are equally strong.
    """
    random = np.random.default_rng(seed)
    words = random.integers(1, 1 << 63, (subjects + 1, 30), dtype=np.uint64)
    share = np.arange(1, subjects + 1) / (subjects * (subjects + 1) / 2)
    bags = []
    for subject in random.choice(subjects, pages, p=share):
        own = random.choice(words[subject], 12, replace=False)
        others = random.choice(words[-1], 5, replace=False)
        terms = [*own.tolist(), *others.tolist()]
        bags.append(dict(sorted(zip(terms, random.integers(1, 4000, 17).tolist(), strict=True))))
    return bags


def batch_of(bags: list[Bag]) -> pa.RecordBatch:
    """Bags as a batch of their table."""
    columns = {
        "id": pa.array(range(len(bags)), pa.uint64()),
        "terms": pa.array([list(bag) for bag in bags], pa.large_list(pa.uint64())),
        "weights": pa.array([list(bag.values()) for bag in bags], pa.large_list(pa.uint16())),
    }
    return pa.RecordBatch.from_pydict(columns)


def decomposed(bags: list[Bag], power: float) -> tuple[list[int], Matrix, Matrix]:
    """The terms of two pages or more, singular values, and right singular vectors as rows."""
    counts: dict[int, int] = {}
    for bag in bags:
        for term in bag:
            counts[term] = counts.get(term, 0) + 1
    terms = sorted(term for term, count in counts.items() if count > 1)
    rows = np.array([[bag.get(term, 0) ** power for term in terms] for bag in bags])
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    _, values, vectors = np.linalg.svd(rows, full_matrices=False)
    return terms, values, vectors


def loadings_of(table: pa.RecordBatch) -> tuple[list[int], Matrix]:
    """Terms, and a row of loadings for each, 1 being 1."""
    rows = np.array(table.column("loadings").to_pylist(), dtype=np.float64)
    return table.column("term").to_numpy().tolist(), rows / 32_768


def golden() -> list[list[int]]:
    """The loadings of some bags: for each term the term, then its loadings."""
    table = learn_concepts([batch_of(subject_bags(5, 60))], Concept(components=4)).loadings
    columns = table.to_pydict()
    rows = zip(columns["term"], columns["loadings"], strict=True)
    return [[term, *loadings] for term, loadings in rows]


if __name__ == "__main__":
    GOLDEN.write_text("[\n" + ",\n".join(map(json.dumps, golden())) + "\n]\n")
