"""The pages on which a person explores a crawl.

They work without JavaScript; all state is in their addresses; whatever comes from the crawl is
escaped by the templates.
"""

from fastapi import APIRouter

from pagekin.serve.errors import Problem
from pagekin.serve.pages import static
from pagekin.serve.pages.links import root_of
from pagekin.serve.pages.rendering import filled
from pagekin.serve.pages.views import (
    compare,
    evaluation,
    neighbourhood,
    pairs,
    related,
    search,
    start,
)

__all__ = ["error_page", "router"]

router = APIRouter(include_in_schema=False)
for view in (start, related, search, pairs, compare, neighbourhood, evaluation, static):
    router.include_router(view.router)


def error_page(path: str, problem: Problem) -> str:
    """A problem as a page, for a request of this path."""
    heading = HEADINGS.get(problem.code, "This cannot be asked")
    return filled("error.html", root=root_of(path), heading=heading, problem=problem)


HEADINGS = {
    "unknown_page": "This crawl knows no such page",
    "unknown_word": "No page has this word",
    "not_found": "There is nothing here",
    "method_not_allowed": "This cannot be done here",
    "slow_request": "That came too slowly",
    "body_too_large": "That is too much",
    "url_too_long": "That is too much",
    "internal_error": "This went wrong here",
    "overloaded": "Not now",
    "too_slow": "That took too long",
    "index_fault": "The index cannot be read",
}
