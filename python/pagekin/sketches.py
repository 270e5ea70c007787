"""Consistent weighted sampling (DartMinHash, Christiani 2020) in plain NumPy: the specification.

The core matches it bit for bit. A term of weight w stands for w elements, its copies 0 to w - 1.
Darts hit elements at random times: a Poisson process that is the same for all bags. A bag sees the
darts that hit its own elements, and at each of m positions the first one wins. The first dart among
the elements of two bags wins in both if its element is in both, and all elements are equally
likely; so a position agrees with probability Σmin / Σmax, the weighted Jaccard similarity. Time is
cut into rounds. In the first each dart has a random position; a position that got none has rounds
of its own. The copies of a term are cut into cells: one hash a cell says whether it has darts, one
hash a dart where and when it hits. The narrower the cells, the longer the round. Numbers wrap at 64
bits.
"""

from itertools import count

import numpy as np
from numpy import uint64 as u64
from numpy.typing import NDArray

__all__ = ["sketch"]

Words = NDArray[u64]

STEP = u64(0x9E3779B97F4A7C15)
NEVER = u64(2**64 - 1)
SHARED_MEAN, OWN_MEAN = 1.5, 0.25  # darts a cell
OWN_BITS = 11  # cells of 2048 copies in a position's first own round


def sketch(terms: Words, weights: NDArray[np.uint16], m: int, seed: int) -> NDArray[np.uint32]:
    """The m values of the bag of these distinct terms; zeros if it is empty."""
    terms, copies = terms[weights > 0], weights[weights > 0].astype(u64)
    if not terms.size:
        return np.zeros(m, np.uint32)
    bits = max(1, 65536 // (3 * m)).bit_length() - 1
    times = round_times(terms + round_key(seed, 0, 0), copies, bits, SHARED_MEAN, m)
    for position in np.flatnonzero(times == NEVER):
        times[position] = own_time(terms, copies, int(position), seed)
    return (mix(times) >> u64(32)).astype(np.uint32)


def own_time(terms: Words, copies: Words, position: int, seed: int) -> u64:
    """The winner of a position that the first round left empty."""
    time = NEVER
    for number in count(1):
        inputs = terms + round_key(seed, number, position)
        bits = max(OWN_BITS + 1 - number, 0)
        time = round_times(inputs, copies, bits, OWN_MEAN, 1)[0]
        if time != NEVER:
            break
    return time


def round_times(inputs: Words, copies: Words, bits: int, mean: float, m: int) -> Words:
    """The lowest time at each of m positions in one round, NEVER where no dart has hit."""
    times, chance, width = np.full(m, NEVER), chances(mean), u64(1 << bits)
    cells = ((copies + width - u64(1)) // width).astype(np.intp)
    index = (np.arange(cells.sum()) - np.repeat(cells.cumsum() - cells, cells)).astype(u64)
    left = np.repeat(copies, cells) - index * width
    hashes = mix(np.repeat(inputs, cells) + index * STEP)
    there, scale = hashes >> u64(32) < chance[0], (m << 48) // chance[0]
    for following in chance[1:]:
        hashes, left = hashes[there], left[there]
        low, place = hashes & u64(0xFFFFFFFF), (hashes >> u64(32)) * u64(scale) >> u64(48)
        time, hit = hashes * u64(0x9FB21C651E98DF25), low % width < left
        np.minimum.at(times, place[hit].astype(np.intp), time[hit])
        there, scale = low // width < following >> bits, m << 16
        hashes = hashes * u64(0xD1342543DE82EF95)
        hashes = hashes ^ (hashes >> u64(32))
    return times


def chances(mean: float) -> list[int]:
    """P(N > k | N >= k) for k < 15 as fractions of 2^32; N is Poisson. Then 0: no more darts."""
    found = []
    for k in range(15):
        part = total = 1.0
        for i in range(k + 1, k + 20):
            part = part * mean / i
            total += part
        found.append(int((1.0 - 1.0 / total) * 2**32))
    return [*found, 0]


def round_key(seed: int, number: int, position: int) -> u64:
    """The number that a round adds to each term."""
    key: u64 = mix(mix(np.array([seed], u64)) + u64(number << 32 | position))[0]
    return key


def mix(z: Words) -> Words:
    """A bijection of 64 bits that leaves no pattern: the finaliser of SplitMix64."""
    z = (z ^ (z >> u64(30))) * u64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> u64(27))) * u64(0x94D049BB133111EB)
    return z ^ (z >> u64(31))
