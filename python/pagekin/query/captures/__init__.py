"""Captures over time: which there are of a URL, and what their records hold."""

from pagekin.query.captures.cdxj import CdxjSummary, write_cdxj
from pagekin.query.captures.listing import Capture, Captures, captures
from pagekin.query.captures.read_back import ArchivedResponse, capture

__all__ = [
    "ArchivedResponse",
    "Capture",
    "Captures",
    "CdxjSummary",
    "capture",
    "captures",
    "write_cdxj",
]
