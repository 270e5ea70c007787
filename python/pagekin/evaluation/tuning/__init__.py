"""A search for the best strategy, with classes held back for an honest value."""

from pagekin.evaluation.matching import Halves, split
from pagekin.evaluation.tuning.optimise import HINT, Search, Tuning, search_best
from pagekin.evaluation.tuning.trials import StrategyComparison, Workbench

__all__ = [
    "HINT",
    "Halves",
    "Search",
    "StrategyComparison",
    "Tuning",
    "Workbench",
    "search_best",
    "split",
]
