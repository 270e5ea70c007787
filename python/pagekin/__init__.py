"""pagekin finds related pages in a web crawl, and says why."""

from pagekin import errors
from pagekin.build import build
from pagekin.crawl import Limits, Source
from pagekin.engines.settings import Settings
from pagekin.evaluation import Directory, Evaluation, evaluate
from pagekin.opened import Index
from pagekin.pairs import Pairs
from pagekin.query import Filters
from pagekin.strategy import Strategy
from pagekin.types import BuildSummary, PageCard, Related

__all__ = [
    "BuildSummary",
    "Directory",
    "Evaluation",
    "Filters",
    "Index",
    "Limits",
    "PageCard",
    "Pairs",
    "Related",
    "Settings",
    "Source",
    "Strategy",
    "build",
    "errors",
    "evaluate",
    "open",
]

open = Index
