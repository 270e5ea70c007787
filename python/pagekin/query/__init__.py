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
    SITE_ORDERS,
    ComparedTerm,
    Comparison,
    CrawlSubject,
    Neighbourhood,
    Overview,
    PageText,
    SiteCard,
    SiteList,
    compare,
    crawl_subjects,
    neighbourhood,
    overview,
    page_text,
    show,
    site,
    sites,
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
    "SITE_ORDERS",
    "ArchivedResponse",
    "Capture",
    "Captures",
    "CdxjSummary",
    "ComparedTerm",
    "Comparison",
    "CrawlSubject",
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
    "SiteCard",
    "SiteList",
    "Subject",
    "best_match",
    "both_about",
    "capture",
    "captures",
    "common_words",
    "compare",
    "crawl_subjects",
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
    "site",
    "sites",
    "subjects",
    "write_cdxj",
]
