"""The part of rensa that the benchmark uses."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

class RMinHashDigestMatrix: ...

class RMinHash:
    @classmethod
    def digest_matrix_from_flat_token_hashes(
        cls,
        token_hashes: NDArray[np.uint64],
        row_offsets: NDArray[np.uint64],
        num_perm: int,
        seed: int,
    ) -> RMinHashDigestMatrix: ...
    @classmethod
    def digest_matrix_from_token_sets(
        cls, token_sets: Iterable[Iterable[str]], num_perm: int, seed: int
    ) -> RMinHashDigestMatrix: ...
