"""The bags of any strategy, from pages that were parsed once and kept."""

from pagekin.evaluation.kept.cocitation import cocitation
from pagekin.evaluation.kept.merged import MergedBags, merge_key
from pagekin.evaluation.kept.pages import Kept, keep
from pagekin.evaluation.kept.resources import Resources
from pagekin.evaluation.kept.survey import Survey, survey

__all__ = [
    "Kept",
    "MergedBags",
    "Resources",
    "Survey",
    "cocitation",
    "keep",
    "merge_key",
    "survey",
]
