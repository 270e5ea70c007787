"""Many strategies on one crawl, judged by one directory."""

from pagekin.evaluation.sweeps.grid import Contender, Grid
from pagekin.evaluation.sweeps.results import Result, Sweep, difference

__all__ = ["Contender", "Grid", "Result", "Sweep", "difference"]
