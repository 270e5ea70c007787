"""Known items: parts of pages, asked as texts, whose page should come back (Azzopardi et al. 2007).

Every page knows its own title, sentences and passages, so a crawl needs no labels. A sentence is
asked as it stands on the page. Titles and texts that several pages share, such as menus, say
nothing about either of them and are left out: of a sentence or passage, every run of as many words
as an average sentence has stands on one page only.

The truth has a bias: it prefers exact words, and knows of one right page only.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

import numpy as np

from pagekin import _core
from pagekin.evaluation.shown import text_digests
from pagekin.index import IndexReader

__all__ = ["BIAS", "KNOWN_ITEM_KINDS", "KnownItem", "KnownItems", "draw_known_items"]

BIAS = "known items prefer exact words; of all good pages only that of the text is right"
"""What this truth prefers."""

Ids = np.ndarray[Any, np.dtype[np.uint64]]
Kind = Literal["title", "sentence", "passage"]
KNOWN_ITEM_KINDS: tuple[Kind, ...] = get_args(Kind)
PASSAGE = 100
"""Words of a passage."""
SENTENCE = range(8, 41)
"""How many words a sentence has; shorter ones say little, longer ones are lists."""
RUN = 15
"""Words of an average sentence: so long are the runs that no other page may have."""
SHORTEST_TITLE = 2
TRIED = 4
"""Pages that texts are drawn from, for each that is wanted."""
STEP = 256
"""Pages that are compared with the texts at a time."""
NO_TEXT = (0, 0)
"""The digest of a page without words."""


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
    """Sentences and passages of the first pages that have one of their own."""
    drawn: dict[Kind, list[KnownItem]] = {kind: [] for kind in _DRAW}
    for page in np.sort(pages[: TRIED * count]).tolist():
        text = index.text_of(page)
        for kind, draw in _DRAW.items():
            part = draw(text, random)
            if part is None:
                skipped[f"the page is too short for a {kind}"] += 1
            else:
                drawn[kind].append(KnownItem(page, part))
    shared = _shared_runs(index, {run for items in drawn.values() for run in _runs(items)})
    found: dict[Kind, list[KnownItem]] = {}
    for kind, items in drawn.items():
        own = [item for item in items if shared.isdisjoint(_runs([item]))]
        found[kind] = own[:count]
        if len(own) < len(items):
            skipped[f"another page has words of the {kind}"] += len(items) - len(own)
    return found


def _sentence(text: str, random: np.random.Generator) -> str | None:
    """A sentence of a page, as it stands there; of a page without any, as many words as one has."""
    found = [part for part in _core.sentences(text) if len(_core.words_of(part)) in SENTENCE]
    return found[int(random.integers(len(found)))] if found else _words(text, RUN, random)


def _passage(text: str, random: np.random.Generator) -> str | None:
    return _words(text, PASSAGE, random)


def _words(text: str, count: int, random: np.random.Generator) -> str | None:
    """Words of a page that follow each other."""
    words = _core.words_of(text)
    if len(words) < count:
        return None
    first = int(random.integers(len(words) - count + 1))
    return " ".join(words[first : first + count])


_DRAW: dict[Kind, Callable[[str, np.random.Generator], str | None]] = {
    "sentence": _sentence,
    "passage": _passage,
}


def _runs(items: Iterable[KnownItem]) -> Iterator[str]:
    """Texts cut into runs of words; a short text is one run, the rest of a long one is left."""
    for item in items:
        words = _core.words_of(item.text)
        for start in range(0, max(len(words) - RUN, 0) + 1, RUN):
            yield " ".join(words[start : start + RUN])


def _shared_runs(index: IndexReader, runs: Collection[str]) -> set[str]:
    """The runs of words that pages of different texts have."""
    listed, shared = sorted(runs), set()
    first: dict[str, tuple[int, int]] = {}
    digests = text_digests(index) if listed else {}
    rows = sum(index.searcher.rows())
    for start in range(0, rows if listed else 0, STEP):
        part = np.arange(start, min(start + STEP, rows), dtype=np.int64)
        places = index.place(part)
        for at, number in np.argwhere(index.phrases(part, listed)).tolist():
            run = listed[number]
            if run not in shared:
                digest = digests.get(index.searcher.id(places[at]), NO_TEXT)
                if first.setdefault(run, digest) != digest:
                    shared.add(run)
    return shared
