"""Looking at a crawl: what it holds, one page, its text, its links, and two pages side by side."""

from pagekin.query.explore.compare import ComparedTerm, Comparison, compare
from pagekin.query.explore.neighbourhood import Neighbourhood, neighbourhood
from pagekin.query.explore.overview import Overview, overview
from pagekin.query.explore.page_text import CHARACTERS, PageText, page_text
from pagekin.query.explore.show import show

__all__ = [
    "CHARACTERS",
    "ComparedTerm",
    "Comparison",
    "Neighbourhood",
    "Overview",
    "PageText",
    "compare",
    "neighbourhood",
    "overview",
    "page_text",
    "show",
]
