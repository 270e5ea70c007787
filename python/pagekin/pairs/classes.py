"""Sigma by hand: a keyword leads to the sites that a directory lists in classes of that name.

The paper keeps an index of websites for each foremost keyword, made by hand (section 3.1). Any
directory is such an index. A class is about a keyword if one of the names on its path has all words
of it. Sites are ordered as those that a word selects: by PageRank times the number of their pages
in such classes.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from pagekin import _core
from pagekin.errors import UnknownWord
from pagekin.index import IndexReader
from pagekin.pairs.graph import SiteGraph, SiteRanking, ranked_sites
from pagekin.pairs.question import Keyword
from pagekin.query.languages import languages_of, term_of

__all__ = ["PagesByClass", "sites_of_classes"]

Ids = np.ndarray[Any, np.dtype[np.uint64]]
PagesByClass = Mapping[tuple[str, ...], Ids]
"""The ids of the pages of each class, by the names on its path."""


def sites_of_classes(
    index: IndexReader, graph: SiteGraph, keyword: Keyword, classes: PagesByClass
) -> SiteRanking:
    """The sites with crawled pages that are listed in classes of this name, the best first."""
    named = [pages for path, pages in classes.items() if _is_about(index, path, keyword)]
    if not named:
        raise UnknownWord(
            "no class of the directory has this word in its name",
            word=keyword.text,
            advice="give a word of a class name, or leave the directory out",
        )
    ids = index.tables["pages"].scan(["id"]).column("id").to_numpy()
    pages = np.flatnonzero(np.isin(ids, np.concatenate(named)))
    return ranked_sites(graph, *np.unique(graph.site_of(pages), return_counts=True))


def _is_about(index: IndexReader, path: tuple[str, ...], keyword: Keyword) -> bool:
    return any(_terms(index, name).issuperset(keyword.terms) for name in path)


def _terms(index: IndexReader, name: str) -> set[int]:
    # Names of classes are often written as one word: clubs_and_associations.
    words = _core.words_of(name.replace("_", " "))
    languages = languages_of(index, words)
    terms = (term_of(index, word, languages) for word in words)
    return {term for term in terms if term is not None}
