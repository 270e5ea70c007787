"""Known items: parts of pages, asked as texts, whose page should come back (Azzopardi et al. 2007).

Every page knows its own title, sentences and passages, so a crawl needs no labels. An index stores
words without punctuation: a sentence is a run of as many words as an average sentence has. Titles
that several pages share say nothing about either of them and are left out.

The truth has a bias: it prefers exact words, and knows of one right page only.
"""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

import numpy as np

from pagekin import _core
from pagekin.evaluation.template_links import page_texts
from pagekin.index import IndexReader

__all__ = ["KNOWN_ITEM_KINDS", "KnownItem", "KnownItems", "draw_known_items"]

Ids = np.ndarray[Any, np.dtype[np.uint64]]
Kind = Literal["title", "sentence", "passage"]
KNOWN_ITEM_KINDS: tuple[Kind, ...] = get_args(Kind)
WORDS: dict[Kind, int] = {"sentence": 15, "passage": 100}
"""How many words are drawn."""
SHORTEST_TITLE = 2


@dataclass(frozen=True, slots=True)
class KnownItem:
    """A text, and the page that it was taken from."""

    page: int
    text: str


@dataclass(frozen=True, slots=True)
class KnownItems:
    """Texts of each kind, and how many pages had none to give, by reason."""

    items: dict[Kind, list[KnownItem]]
    skipped: dict[str, int] = field(default_factory=dict)


def draw_known_items(index: IndexReader, count: int, seed: int) -> KnownItems:
    """Draw at most `count` texts of each kind from pages that were crawled, with a seed."""
    table = index.tables["pages"].scan(["id", "crawled", "title"])
    ids, crawled = (table.column(name).to_numpy() for name in ("id", "crawled"))
    titles = table.column("title").to_pylist()
    random = np.random.default_rng(seed)
    pages = random.permutation(np.flatnonzero(crawled.astype(bool)))
    skipped: Counter[str] = Counter()
    named = _titles(ids, titles, pages, count, skipped)
    parts = _parts(index, ids[pages], count, random, skipped)
    return KnownItems({"title": named, **parts}, dict(skipped))


def _titles(
    ids: Ids, titles: list[Any], pages: Any, count: int, skipped: Counter[str]
) -> list[KnownItem]:
    shared = Counter(" ".join(_core.words_of(title)) for title in titles if title)
    found: list[KnownItem] = []
    for row in pages.tolist():
        words = _core.words_of(titles[row] or "")
        if len(found) == count:
            break
        if len(words) < SHORTEST_TITLE:
            skipped["the title is missing or of one word"] += 1
        elif shared[" ".join(words)] > 1:
            skipped["several pages have the title"] += 1
        else:
            found.append(KnownItem(int(ids[row]), titles[row]))
    return found


def _parts(
    index: IndexReader, pages: Ids, count: int, random: np.random.Generator, skipped: Counter[str]
) -> dict[Kind, list[KnownItem]]:
    """Sentences and passages of the first pages that are long enough."""
    found: dict[Kind, list[KnownItem]] = {kind: [] for kind in WORDS}
    step = max(count, 1)
    for start in range(0, len(pages), step):
        if all(len(items) == count for items in found.values()):
            break
        for page, text in page_texts(index, np.sort(pages[start : start + step])):
            words = text.split(" ")
            for kind, length in WORDS.items():
                if len(found[kind]) == count:
                    continue
                if len(words) < length:
                    skipped[f"the page is too short for a {kind}"] += 1
                else:
                    first = int(random.integers(len(words) - length + 1))
                    found[kind].append(KnownItem(page, " ".join(words[first : first + length])))
    return found
