"""Answers from an index: what is known of a page, which pages are related, and why."""

from pagekin.query.asking import (
    Asked,
    ask_page,
    ask_page_file,
    ask_pages,
    ask_text,
    knows_words,
)
from pagekin.query.filters import Filters
from pagekin.query.precompute import precompute
from pagekin.query.related import Found, explained, find, note, related
from pagekin.query.show import show
from pagekin.query.subjects import Subject, subjects

__all__ = [
    "Asked",
    "Filters",
    "Found",
    "Subject",
    "ask_page",
    "ask_page_file",
    "ask_pages",
    "ask_text",
    "explained",
    "find",
    "knows_words",
    "note",
    "precompute",
    "related",
    "show",
    "subjects",
]
