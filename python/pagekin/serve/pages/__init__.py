"""The pages on which a person explores a crawl."""

from html import escape

from fastapi import APIRouter

from pagekin.serve.errors import Problem

__all__ = ["error_page", "router"]

router = APIRouter(include_in_schema=False)


def error_page(problem: Problem) -> str:
    """A problem as a page."""
    return f"<!doctype html><title>{escape(problem.message)}</title><p>{escape(problem.hint)}"
