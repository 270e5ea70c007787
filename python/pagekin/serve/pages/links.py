"""Addresses on the pages: to other pages of the service, and out to the crawled web.

All state of a page is in its address. Addresses are relative, so that the service may stand
behind any path of another server.
"""

from urllib.parse import urlencode

__all__ = ["outward", "root_of", "to"]

Value = str | float | bool | None


def to(page: str, **state: Value) -> str:
    """A page of the service in some state; what is empty or off is left out."""
    kept = {
        name: "1" if value is True else value
        for name, value in state.items()
        if value not in (None, "", False)
    }
    return f"{page}?{urlencode(kept)}" if kept else page


def outward(url: str) -> str | None:
    """The URL as something to follow; nothing if following it could do more than load a page."""
    return url if url.startswith(("http://", "https://")) else None


def root_of(path: str) -> str:
    """The way from a path up to the first page."""
    return "../" * (path.count("/") - 1) or "./"
