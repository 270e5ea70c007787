"""The pages on which a person explores a crawl.

They work without JavaScript; all state is in their addresses; whatever comes from the crawl is
escaped by the templates.
"""

from pagekin.serve.errors import Problem
from pagekin.serve.pages.forms import root_of
from pagekin.serve.pages.menu import menu_of
from pagekin.serve.pages.rendering import render_text
from pagekin.serve.pages.views import routes
from pagekin.serve.service import Snapshot

__all__ = ["error_page", "routes"]


def error_page(snapshot: Snapshot, path: str, problem: Problem) -> str:
    """A problem as a page, for a request of this path."""
    heading = HEADINGS.get(problem.code, "This request cannot be answered")
    if path == "/site" and problem.code == "unknown_page":
        heading = "This site is not in the crawl"
    values = {"root": root_of(path), "menu": menu_of(snapshot)}
    return render_text("error.html", heading=heading, problem=problem, **values)


HEADINGS = {
    "unknown_page": "This page is not in the crawl",
    "unknown_word": "No page has this word",
    "not_found": "Page not found",
    "method_not_allowed": "Method not allowed",
    "slow_request": "The request took too long",
    "body_too_large": "The request is too large",
    "url_too_long": "The URL is too long",
    "internal_error": "Something went wrong",
    "overloaded": "The service is busy",
    "too_slow": "The answer took too long",
    "index_fault": "The index cannot be read",
}
