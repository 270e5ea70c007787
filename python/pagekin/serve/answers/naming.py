"""Which page a person means."""

from pagekin.opened import Index
from pagekin.serve.answers.search import search

__all__ = ["meant", "spelled_out"]

SCHEMES = ("http://", "https://")


def meant(index: Index, text: str) -> str:
    """The URL that the text is, or that of the first page that is found by its words."""
    if text.lower().startswith(SCHEMES):
        return text
    found = search(index, text, 1).hits
    return found[0].url if found else text


def spelled_out(index: Index, text: str) -> str | None:
    """The URL that the text is, if only without its http://; nothing if it is other words."""
    if text.lower().startswith(SCHEMES) and len(text.split()) == 1:
        return text
    found = search(index, text, 1).hits if len(text.split()) == 1 else []
    return found[0].url if found and "address" in found[0].matched else None
