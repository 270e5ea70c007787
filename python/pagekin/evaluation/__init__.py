"""Evaluation of strategies, or of the answers of other systems, by what people know."""

from pagekin.evaluation.judge import Evaluation, EvaluationKeywords, evaluate
from pagekin.evaluation.known_item_judge import KnownItemEvaluation, evaluate_known_items
from pagekin.evaluation.ranked_judge import SeeAlsoEvaluation, evaluate_see_also
from pagekin.evaluation.selection.grid import Grid
from pagekin.evaluation.selection.page_store import JudgedCrawl
from pagekin.evaluation.selection.results import Sweep
from pagekin.evaluation.selection.search import Search
from pagekin.evaluation.selection.sweep import sweep
from pagekin.evaluation.selection.tune import Tuning, tune
from pagekin.evaluation.truths import Directory, SeeAlso

__all__ = [
    "Directory",
    "Evaluation",
    "EvaluationKeywords",
    "Grid",
    "JudgedCrawl",
    "KnownItemEvaluation",
    "Search",
    "SeeAlso",
    "SeeAlsoEvaluation",
    "Sweep",
    "Tuning",
    "evaluate",
    "evaluate_known_items",
    "evaluate_see_also",
    "sweep",
    "tune",
]
