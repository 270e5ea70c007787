"""Pairs of pages: which two linked pages of one site together answer a keyword query.

From the paper on cohesive arcs; `docs/pairs.md` explains its nouns and steps.
"""

from pagekin.pairs.check import check
from pagekin.pairs.find import (
    Pair,
    PairPage,
    Pairs,
    PairsPart,
    SitePairs,
    find_pairs,
    find_pairs_part,
)
from pagekin.pairs.question import PairsQuestion, split_keywords

__all__ = [
    "Pair",
    "PairPage",
    "Pairs",
    "PairsPart",
    "PairsQuestion",
    "SitePairs",
    "check",
    "find_pairs",
    "find_pairs_part",
    "split_keywords",
]
