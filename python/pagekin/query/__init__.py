"""Queries to an index: show a page, find related pages with reasons, search by words."""

from pagekin.query.captures import (
    ArchivedResponse,
    Capture,
    Captures,
    CdxjSummary,
    capture,
    captures,
    write_cdxj,
)
from pagekin.query.common_words import common_words
from pagekin.query.explore import (
    CHARACTERS,
    ComparedTerm,
    Comparison,
    Neighbourhood,
    Overview,
    PageText,
    compare,
    neighbourhood,
    overview,
    page_text,
    show,
)
from pagekin.query.filters import ExclusionLists, FilterKeywords, Filters
from pagekin.query.precompute import precompute
from pagekin.query.question import Question, resolve
from pagekin.query.related import RelatedPart, related, related_part
from pagekin.query.search import SearchResults, best_match, recognise_url, search
from pagekin.query.selection import PageSelection, SelectionKeywords
from pagekin.query.why import Subject, both_about, subjects

__all__ = [
    "CHARACTERS",
    "ArchivedResponse",
    "Capture",
    "Captures",
    "CdxjSummary",
    "ComparedTerm",
    "Comparison",
    "ExclusionLists",
    "FilterKeywords",
    "Filters",
    "Neighbourhood",
    "Overview",
    "PageSelection",
    "PageText",
    "Question",
    "RelatedPart",
    "SearchResults",
    "SelectionKeywords",
    "Subject",
    "best_match",
    "both_about",
    "capture",
    "captures",
    "common_words",
    "compare",
    "neighbourhood",
    "overview",
    "page_text",
    "precompute",
    "recognise_url",
    "related",
    "related_part",
    "resolve",
    "search",
    "show",
    "subjects",
    "write_cdxj",
]
