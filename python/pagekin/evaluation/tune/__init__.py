"""A search for the best strategy, with classes held back for an honest value."""

from pagekin.evaluation.tune.comparison import Comparison
from pagekin.evaluation.tune.search import HINT, Search, Tuned, tune
from pagekin.evaluation.tune.split import Halves, split
from pagekin.evaluation.tune.workbench import Workbench

__all__ = ["HINT", "Comparison", "Halves", "Search", "Tuned", "Workbench", "split", "tune"]
