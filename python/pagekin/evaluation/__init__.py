"""Evaluation: strategies, and anybody's answers, judged by a hand-made directory."""

from pagekin.evaluation.directory import Directory
from pagekin.evaluation.judge import evaluate
from pagekin.evaluation.summary import Evaluation
from pagekin.evaluation.sweeps.grid import Grid
from pagekin.evaluation.sweeps.results import Sweep
from pagekin.evaluation.sweeps.sweep import sweep
from pagekin.evaluation.tuning.optimise import Search, Tuning, tune

__all__ = [
    "Directory",
    "Evaluation",
    "Grid",
    "Search",
    "Sweep",
    "Tuning",
    "evaluate",
    "sweep",
    "tune",
]
