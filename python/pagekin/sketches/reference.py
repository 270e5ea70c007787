"""What a sketch is, in plain NumPy: the specification, which the core matches bit for bit.

A term of weight w stands for w elements, its copies 0 to w - 1. Darts hit elements at random times:
a Poisson process that is the same for all bags. A bag sees the darts that hit its own elements, and
at each of m positions the first one wins. The first dart among the elements of two bags is the
winner of both if its element is in both, and all elements are equally likely; so a position agrees
with probability Σmin / Σmax, the weighted Jaccard similarity. Time is cut into rounds. In the first
each dart has a random position; a position that got none has rounds of its own, each as long as
all its rounds before. The copies of a term are cut into cells, so that one hash a cell says how many
darts it has, and one hash a dart says where and when it hits. Numbers wrap at 64 bits.
"""

from itertools import count

import numpy as np
from numpy.typing import NDArray

__all__ = ["sketch"]

Words = NDArray[np.uint64]

STEP = 0x9E3779B97F4A7C15
NONE = 2**64 - 1
SHARED_MEAN, OWN_MEAN = 1.5, 0.0625  # darts a cell
OWN_BITS = 9  # cells of 512 copies in a position's first own round


def sketch(terms: Words, weights: NDArray[np.uint16], m: int, seed: int) -> NDArray[np.uint32]:
    """The m values of the bag of these distinct terms; zeros if it is empty."""
    terms, copies = terms[weights > 0], weights[weights > 0].astype(np.uint64)
    if not terms.size:
        return np.zeros(m, np.uint32)
    bits = max(1, 65536 // (3 * m)).bit_length() - 1
    ranks = round_ranks(terms + round_key(seed, 0, 0), copies, bits, SHARED_MEAN, m)
    for position in np.flatnonzero(ranks == NONE):
        ranks[position] = own_rank(terms, copies, int(position), seed)
    return (mix(ranks) >> 32).astype(np.uint32)


def own_rank(terms: Words, copies: Words, position: int, seed: int) -> np.uint64:
    """The winner of a position that the first round left empty."""
    for number in count(1):
        inputs = terms + round_key(seed, number, position)
        bits = max(OWN_BITS + 1 - number, 0)
        slices = 1 << max(number - 1 - OWN_BITS, 0)  # cells of one copy, once they are that narrow
        (rank,) = round_ranks(inputs, copies * np.uint64(slices), bits, OWN_MEAN, 1)
        if rank != NONE:
            return rank
    raise AssertionError("there is always another round")


def round_ranks(inputs: Words, copies: Words, bits: int, mean: float, m: int) -> Words:
    """The lowest rank at each of m positions in one round, NONE where no dart has hit."""
    ranks, chance = np.full(m, NONE, np.uint64), chances(mean)
    cells = ((copies + np.uint64((1 << bits) - 1)) >> bits).astype(np.int64)
    number = (np.arange(cells.sum()) - np.repeat(cells.cumsum() - cells, cells)).astype(np.uint64)
    left = np.repeat(copies, cells) - (number << bits)
    hashes = mix(np.repeat(inputs, cells) + number * np.uint64(STEP))
    there, scale = hashes >> 32 < chance[0], (m << 48) // chance[0]
    for following in chance[1:]:
        hashes, left = hashes[there], left[there]
        low, place = hashes & 0xFFFFFFFF, (hashes >> 32) * np.uint64(scale)
        rank = (place >> 16) << 32 | low  # the position is shifted out
        hit = low & ((1 << bits) - 1) < left
        np.minimum.at(ranks, (place >> 48)[hit].astype(np.intp), rank[hit])
        there = low >> bits < following >> bits
        hashes, scale = mix(hashes + np.uint64(STEP)), m << 16
    return ranks


def chances(mean: float) -> list[int]:
    """P(N > k | N >= k) for k < 15 as fractions of 2^32; N is Poisson. Then 0: no more darts."""
    found = []
    for k in range(15):
        part = total = 1.0
        for i in range(k + 1, k + 40):
            part = part * mean / i
            total += part
        found.append(int((1.0 - 1.0 / total) * 2**32))
    return [*found, 0]


def round_key(seed: int, number: int, position: int) -> np.uint64:
    """What a round adds to each term."""
    key: np.uint64 = mix(mix(np.array([seed], np.uint64)) + np.uint64(number << 32 | position))[0]
    return key


def mix(z: Words) -> Words:
    """A bijection of 64 bits that leaves no pattern: the finaliser of SplitMix64."""
    z = (z ^ (z >> 30)) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> 27)) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> 31)
