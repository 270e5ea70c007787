"""The matrix that datasketch takes."""

from typing import Any

from numpy.typing import NDArray

class csr_matrix:
    def __init__(
        self, arg1: tuple[NDArray[Any], NDArray[Any], NDArray[Any]], shape: tuple[int, int]
    ) -> None: ...
    def __getitem__(self, rows: slice) -> csr_matrix: ...
