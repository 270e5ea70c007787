"""pagekin finds related pages in a web crawl, and says why.

A public name is imported when it is first used, so that a command waits for its own imports alone.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pagekin import errors
    from pagekin.api import Index, evaluate, open
    from pagekin.crawl import Source
    from pagekin.engines.build import build
    from pagekin.engines.update import add, compact, merge, remove
    from pagekin.evaluation import Directory, Evaluation, JudgedCrawl, sweep, tune
    from pagekin.pairs import Pairs
    from pagekin.query import Filters, Question
    from pagekin.strategy import Strategy
    from pagekin.types import PageCard, Related
    from pagekin.work.outcome import BuildSummary
    from pagekin.work.settings import Limits, Settings

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
    "add",
    "build",
    "compact",
    "errors",
    "evaluate",
    "merge",
    "open",
    "remove",
    "sweep",
    "tune",
]

_HOMES = {
    "BuildSummary": "work.outcome",
    "Directory": "evaluation",
    "Evaluation": "evaluation",
    "Filters": "query",
    "Index": "api",
    "JudgedCrawl": "evaluation",
    "Limits": "work.settings",
    "PageCard": "types",
    "Pairs": "pairs",
    "Question": "query",
    "Related": "types",
    "Settings": "work.settings",
    "Source": "crawl",
    "Strategy": "strategy",
    "add": "engines.update",
    "build": "engines.build",
    "compact": "engines.update",
    "evaluate": "api",
    "merge": "engines.update",
    "open": "api",
    "remove": "engines.update",
    "sweep": "evaluation",
    "tune": "evaluation",
}
"""The module that each public name is imported from."""
_PARTS = ("audit", "errors", "evaluation", "export")
"""Modules that are imported when they are first used."""

if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        """Import a public name, or a part of the package."""
        if name in _PARTS:
            return import_module(f"pagekin.{name}")
        if name not in _HOMES:
            raise AttributeError(f"module 'pagekin' has no attribute {name!r}")
        value = getattr(import_module(f"pagekin.{_HOMES[name]}"), name)
        globals()[name] = value
        return value

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__})
