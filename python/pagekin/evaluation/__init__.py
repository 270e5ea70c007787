"""Evaluation of strategies, or of the answers of other systems, by a hand-made directory."""

from pagekin.evaluation.judge import Evaluation, EvaluationKeywords, evaluate
from pagekin.evaluation.selection.grid import Grid
from pagekin.evaluation.selection.page_store import JudgedCrawl
from pagekin.evaluation.selection.results import Sweep
from pagekin.evaluation.selection.sweep import sweep
from pagekin.evaluation.selection.tune import Search, Tuning, tune
from pagekin.evaluation.truths import Directory

__all__ = [
    "Directory",
    "Evaluation",
    "EvaluationKeywords",
    "Grid",
    "JudgedCrawl",
    "Search",
    "Sweep",
    "Tuning",
    "evaluate",
    "sweep",
    "tune",
]
