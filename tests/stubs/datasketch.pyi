"""The part of datasketch that the benchmark uses."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

class MinHash:
    hashvalues: NDArray[np.uint64]
    @classmethod
    def bulk(cls, b: Iterable[Iterable[bytes]], *, num_perm: int) -> list[MinHash]: ...

class WeightedMinHash: ...

class WeightedMinHashGenerator:
    def __init__(self, dim: int, sample_size: int = 128, seed: int = 1) -> None: ...
    def minhash_many(self, X: csr_matrix) -> list[WeightedMinHash | None]: ...
