"""Evaluation: strategies, and anybody's answers, judged by a hand-made directory."""

from pagekin.evaluation.directory import Directory
from pagekin.evaluation.judge import evaluate
from pagekin.evaluation.summary import Evaluation

__all__ = ["Directory", "Evaluation", "evaluate"]
