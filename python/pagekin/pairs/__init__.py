"""Pairs of pages: which two linked pages of one site together answer a keyword query.

The paper on cohesive arcs; `docs/pairs.md` has the nouns and the flow.
"""

from pagekin.pairs.answer import Carried, Pair, PairPage, Pairs, SitePairs
from pagekin.pairs.check import check
from pagekin.pairs.search import search

__all__ = ["Carried", "Pair", "PairPage", "Pairs", "SitePairs", "check", "search"]
