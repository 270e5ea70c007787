"""pagekin finds related pages in a web crawl, and says why."""

from pagekin import errors
from pagekin.build import build
from pagekin.crawl import Source
from pagekin.evaluation import Directory, Evaluation, JudgedCrawl, sweep, tune
from pagekin.opened import Index, evaluate
from pagekin.outcome import BuildSummary
from pagekin.pairs import Pairs
from pagekin.query import Filters, Question
from pagekin.settings import Limits, Settings
from pagekin.strategy import Strategy
from pagekin.types import PageCard, Related

__all__ = [
    "BuildSummary",
    "Directory",
    "Evaluation",
    "Filters",
    "Index",
    "JudgedCrawl",
    "Limits",
    "PageCard",
    "Pairs",
    "Question",
    "Related",
    "Settings",
    "Source",
    "Strategy",
    "build",
    "errors",
    "evaluate",
    "open",
    "sweep",
    "tune",
]

open = Index
