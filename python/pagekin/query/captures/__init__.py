"""Captures over time: which there are of a URL, what their records hold, and links to replay them."""

from pagekin.query.captures.listing import Capture, Captures, captures
from pagekin.query.captures.read_back import ArchivedResponse, capture

__all__ = [
    "ArchivedResponse",
    "Capture",
    "Captures",
    "capture",
    "captures",
]
