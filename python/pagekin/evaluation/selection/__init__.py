"""Strategy selection: a grid of strategies, or a search, on pages that are parsed once."""

from pagekin.evaluation.selection.grid import Contender, Grid
from pagekin.evaluation.selection.results import Result, Sweep, difference

__all__ = ["Contender", "Grid", "Result", "Sweep", "difference"]
