"""Sketching, timed inside the process that does it.

    sketchers.py pagekin BAGS            _core.sketch, bags as they are in an index
    sketchers.py rensa BAGS              rensa's matrix from hashes that are ready; no weights
    sketchers.py rensa-words BAGS        the same from lists of words
    sketchers.py datasketch BAGS         minhash_many, a sparse matrix that is ready, 50 rows a call
    sketchers.py datasketch-whole BAGS   the same, all rows in one call

BAGS is an Arrow file with one batch of bags. The work is done again and again for a while; the
sample is one time of it, on average.
"""

import sys
import time
from collections.abc import Callable

import numpy as np
import pyarrow as pa
from datasketch import WeightedMinHashGenerator
from numpy.typing import NDArray
from rensa import RMinHash
from scipy.sparse import csr_matrix

from bench.measure import Sample, emit, timed
from pagekin import _core
from pagekin.strategy import Sketch

POSITIONS = Sketch().positions

__all__ = ["WAYS", "Bags"]

SECONDS = 1.0
ROWS = 50
"""Bags per call of datasketch: it was slower with 10, and slower with all of them."""

Work = Callable[[], None]


class Bags:
    """Bags as columns, for every library."""

    def __init__(self, path: str) -> None:
        with pa.OSFile(path, "rb") as file, pa.ipc.open_file(file) as reader:
            self.batch = reader.get_batch(0)
        lists = self.batch.column("terms")
        assert isinstance(lists, pa.LargeListArray)
        self.offsets: NDArray[np.int64] = lists.offsets.to_numpy()
        self.terms: NDArray[np.uint64] = lists.values.to_numpy()
        lists = self.batch.column("weights")
        assert isinstance(lists, pa.LargeListArray)
        self.weights: NDArray[np.uint16] = lists.values.to_numpy()

    def bag(self, row: int) -> dict[int, int]:
        """One bag: its terms and weights."""
        part = slice(self.offsets[row], self.offsets[row + 1])
        return dict(zip(self.terms[part].tolist(), self.weights[part].tolist(), strict=True))


def with_pagekin(bags: Bags) -> Work:
    """The core, as a build calls it."""

    def work() -> None:
        _core.sketch(bags.batch, POSITIONS, 0)

    return work


def with_rensa(bags: Bags) -> Work:
    """The quickest way into rensa."""
    offsets = bags.offsets.astype(np.uint64)

    def work() -> None:
        RMinHash.digest_matrix_from_flat_token_hashes(bags.terms, offsets, POSITIONS, 42)

    return work


def with_rensa_words(bags: Bags) -> Work:
    """The usual way into rensa."""
    words = [[str(term % 10**7) for term in bags.bag(row)] for row in range(bags.batch.num_rows)]

    def work() -> None:
        RMinHash.digest_matrix_from_token_sets(words, POSITIONS, 42)

    return work


def with_datasketch(bags: Bags, rows_a_call: int = ROWS) -> Work:
    """datasketch, with weights: a column for each term, whose number it must know."""
    terms, columns = np.unique(bags.terms, return_inverse=True)
    rows, shape = bags.batch.num_rows, (bags.batch.num_rows, len(terms))
    matrix = csr_matrix((bags.weights.astype(np.float32), columns, bags.offsets), shape=shape)
    parts = [matrix[start : start + rows_a_call] for start in range(0, rows, rows_a_call)]
    generator = WeightedMinHashGenerator(len(terms), POSITIONS)

    def work() -> None:
        for part in parts:
            generator.minhash_many(part)

    return work


WAYS: dict[str, Callable[[Bags], Work]] = {
    "pagekin": with_pagekin,
    "rensa": with_rensa,
    "rensa-words": with_rensa_words,
    "datasketch": with_datasketch,
    "datasketch-whole": lambda bags: with_datasketch(bags, bags.batch.num_rows),
}


def repeated(work: Work) -> Sample:
    """One time of the work, on average, after a first one that does not count."""
    work()
    times, end = 0, time.perf_counter() + SECONDS

    def all_of_it() -> None:
        nonlocal times
        while times == 0 or time.perf_counter() < end:
            work()
            times += 1

    whole = timed(all_of_it)
    return Sample(whole.wall / times, whole.cpu / times)


if __name__ == "__main__":
    emit(repeated(WAYS[sys.argv[1]](Bags(sys.argv[2]))))
