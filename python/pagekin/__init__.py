"""pagekin finds related pages in a web crawl, and says why."""

from pagekin import errors
from pagekin.build import build
from pagekin.crawl import Limits, Source
from pagekin.engines.settings import Settings
from pagekin.index import Index
from pagekin.strategy import Strategy
from pagekin.types import BuildSummary, PageCard

__all__ = [
    "BuildSummary",
    "Index",
    "Limits",
    "PageCard",
    "Settings",
    "Source",
    "Strategy",
    "build",
    "errors",
    "open",
]

open = Index
