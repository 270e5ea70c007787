"""Results made by hand."""

import numpy as np

from pagekin.evaluation.counts import PooledCounts
from pagekin.evaluation.selection import Contender, Result

__all__ = ["result"]


def result(rights: list[int], contender: Contender) -> Result:
    """A result whose classes have ten sibling pairs each, of which `rights` are right."""
    pairs = np.zeros((len(rights), 4, 3))
    pairs[:, 0, 0] = rights
    pairs[:, 0, 1] = 10 - np.array(rights)
    ones = np.ones(len(rights))
    pooled = PooledCounts(pairs, ones, ones * 0, {10: ones}, ones)
    return Result(contender, pooled, pooled, 0.0)
