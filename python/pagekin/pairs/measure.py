"""The cohesive arc measure (section 3.2), and the cosine it is compared with.

A feature vector says how strongly a page carries each keyword, from 0 to 1, in query order.
Vectors come as the rows of a matrix, so that many arcs are weighed at once.
"""

import numpy as np

from pagekin.index.rows import Numbers

__all__ = ["cohesive", "cosine"]


def cohesive(source: Numbers, target: Numbers, alpha: float) -> Numbers:
    """The weight of each arc from a row of `source` to the same row of `target`.

    w(a, b) = Σ over x ≠ y of a[x]·b[y]·(alpha if x comes before y in the query, else 1 - alpha)
    """
    before = np.cumsum(source, axis=1) - source
    after = source.sum(axis=1, keepdims=True) - before - source
    weights: Numbers = (target * (alpha * before + (1 - alpha) * after)).sum(axis=1)
    return weights


def cosine(source: Numbers, target: Numbers) -> Numbers:
    """The cosine of the vectors in each row; 0 where one of them is nothing."""
    product = (source * target).sum(axis=1)
    length = np.linalg.norm(source, axis=1) * np.linalg.norm(target, axis=1)
    cosines: Numbers = np.divide(product, length, out=np.zeros_like(product), where=length > 0)
    return cosines
