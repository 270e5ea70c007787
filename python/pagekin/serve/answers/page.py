"""What is known of one page: the card that `pagekin show` prints."""

import time
from dataclasses import dataclass, fields
from typing import Any

from pagekin.opened import Index
from pagekin.types import PageCard

__all__ = ["PageAnswer", "page"]


@dataclass(frozen=True, slots=True)
class PageAnswer(PageCard):
    """The card of a page."""

    took_ms: float


def page(index: Index, url: str, terms: int = 10, links: int = 5) -> PageAnswer:
    """The card of the page of a URL."""
    start = time.perf_counter()
    card = index.show(url, terms=terms, links=links)
    known: dict[str, Any] = {each.name: getattr(card, each.name) for each in fields(card)}
    return PageAnswer(**known, took_ms=round((time.perf_counter() - start) * 1000, 3))
