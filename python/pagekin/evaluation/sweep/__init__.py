"""Many strategies on one crawl, judged by one directory."""

from pagekin.evaluation.sweep.grid import Contender, Grid
from pagekin.evaluation.sweep.result import Result, difference
from pagekin.evaluation.sweep.work import Swept, sweep

__all__ = ["Contender", "Grid", "Result", "Swept", "difference", "sweep"]
