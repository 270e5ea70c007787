"""Pairs of linked pages, part by part."""

import re
from dataclasses import dataclass

from pagekin.opened import Index
from pagekin.pairs import SitePairs
from pagekin.serve.answers.paging import Paging

__all__ = ["PairsAnswer", "PairsQuestion", "keywords_of", "pairs"]


@dataclass(frozen=True, slots=True)
class PairsAnswer:
    """What `pagekin pairs --json` prints, and where in the list of sites it is."""

    keywords: list[str]
    alpha: float
    sites: list[SitePairs]
    empty: str | None
    paging: Paging
    took_ms: float


@dataclass(frozen=True, slots=True)
class PairsQuestion:
    """The keywords in order, and which sites of the answer are wanted."""

    keywords: tuple[str, ...]
    alpha: float = 0.6
    per_site: int = 1
    k: int = 10
    offset: int = 0


def keywords_of(text: str) -> tuple[str, ...]:
    """The keywords of a line: words, and phrases in quotes."""
    return tuple(phrase or word for phrase, word in re.findall(r'"([^"]*)"|([^\s"]+)', text))


def pairs(index: Index, question: PairsQuestion) -> PairsAnswer:
    """The part of the sites that is asked for, each with its best pairs."""
    end = question.offset + question.k
    found = index.pairs(
        question.keywords, alpha=question.alpha, sites=end + 1, per_site=question.per_site
    )
    return PairsAnswer(
        keywords=found.keywords,
        alpha=found.alpha,
        sites=found.sites[question.offset : end],
        empty=found.empty,
        paging=Paging.of(question.offset, question.k, len(found.sites)),
        took_ms=found.took_ms,
    )
