"""Answers from an index: what is known of a page, which pages are related, and why."""

from pagekin.query.asking import Asked, ask_page, ask_page_file, ask_pages, ask_text
from pagekin.query.filters import Filters
from pagekin.query.precompute import precompute
from pagekin.query.related import related
from pagekin.query.show import show

__all__ = [
    "Asked",
    "Filters",
    "ask_page",
    "ask_page_file",
    "ask_pages",
    "ask_text",
    "precompute",
    "related",
    "show",
]
