"""The settings of an author: the length of a list, its pages, and the words around it."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any

from pagekin.fields import check_options, option

__all__ = ["ListSettings"]

NAVIGATION_PAGES = frozenset({"404", "genindex", "modindex", "py-modindex", "search"})
"""Names of pages that only help to find others; they are left out."""


@dataclass(frozen=True, slots=True)
class ListSettings:
    """The number of pages of a list, which pages it may have, and the words around them."""

    k: int = option(5, "number of related pages", low=1)
    heading: str = option("Related pages", "heading of the list")
    reason: str = option("Both mention {words}", "line below a title; empty for none")
    exclude: tuple[str, ...] = option((), "pattern of pages to leave out")
    min_score: float = option(0.02, "minimum score", low=0, high=1)
    exclude_linked: bool = option(False, "leave out pages that the page links to")

    def __post_init__(self) -> None:
        check_options(self)

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> "ListSettings":
        """The settings as generators read them; one pattern may stand for a list of one."""
        exclude = given["exclude"]
        patterns = (exclude,) if isinstance(exclude, str) else tuple(exclude)
        return cls(**{**given, "exclude": patterns})

    def excludes(self, name: str) -> bool:
        """Whether a page is left out, by the name that its author gave it."""
        last = re.sub(r"\.\w+$", "", name.rpartition("/")[2])
        return last in NAVIGATION_PAGES or any(
            fnmatchcase(name, pattern) for pattern in self.exclude
        )

    def reason_for(self, words: Sequence[str]) -> str:
        """The line below a title, by the words that two pages have in common."""
        return self.reason.replace("{words}", ", ".join(words)) if words else ""
