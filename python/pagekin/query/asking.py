"""From pages, texts or files to the bag that is asked about."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pagekin import _core
from pagekin.errors import InputError
from pagekin.index import IndexReader
from pagekin.query.show import known
from pagekin.types import Query

__all__ = ["Asked", "ask_page", "ask_page_file", "ask_pages", "ask_text", "knows_words"]

Place = tuple[int, int]
MOST_BYTES = 64 << 20
"""A page in a file may have so many bytes, as one in a crawl may."""
NOWHERE = "http://nowhere.invalid/"
"""The address of a page that has none."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A query made ready: its bag, its sketch, and the pages it is made of."""

    query: Query
    bag: _core.QueryBag
    sketch: list[int]
    like: list[Place]
    unlike: list[Place]


def ask_pages(index: IndexReader, urls: Sequence[str], unlike: Sequence[str] = ()) -> Asked:
    """Ask about pages of the index: what they have in common and `unlike` do not."""
    if not urls:
        raise InputError("nothing is asked", source="the query", advice="give a URL or a text")
    searcher = index.searcher
    likes = list(dict.fromkeys(known(index, url) for url in urls))
    others = list(dict.fromkeys(known(index, url) for url in unlike))
    cards = [searcher.card(place) for place in (*likes, *others)]
    query = Query(
        url=cards[0][0],
        title=cards[0][2],
        also=[card[0] for card in cards[1 : len(likes)]],
        unlike=[card[0] for card in cards[len(likes) :]],
    )
    if len(likes) == 1 and not others:
        return Asked(query, searcher.bag(likes[0]), searcher.sketch(likes[0]), likes, others)
    bags = [searcher.bag(place) for place in (*likes, *others)]
    bag = _core.QueryBag.mixed(bags[: len(likes)], bags[len(likes) :])
    return Asked(query, bag, _sketch(index, bag), likes, others)


def ask_text(index: IndexReader, text: str) -> Asked:
    """Ask about a text that is not in the crawl."""
    return _ask_words(index, None, _core.words_of(_whole(text)), [])


def ask_page_file(index: IndexReader, path: Path) -> Asked:
    """Ask about an HTML page in a file."""
    return ask_page(index, _bytes_of(path), str(path))


def ask_page(index: IndexReader, body: bytes, source: str) -> Asked:
    """Ask about an HTML page that is not in the crawl; `source` is what to call it."""
    page = _core.parse_page(NOWHERE, body)
    if page is None:
        raise InputError("is no page", source=source, advice="give an HTML file")
    return _ask_words(index, page.title or None, page.words, _core.words_of(page.title))


def knows_words(index: IndexReader) -> bool:
    """Whether a text can be asked about at all."""
    return bool(index.strategy.needs.content or index.strategy.needs.anchor)


def _ask_words(index: IndexReader, title: str | None, words: list[str], named: list[str]) -> Asked:
    if not knows_words(index):
        raise InputError(
            "this index knows pages by who links to them, and by no words",
            source=index.path,
            advice="ask about a page of the crawl, or build with content or anchor words",
        )
    bag = index.searcher.bag_of_text(
        _core.Strategy(index.strategy.to_core()),
        (words, named),
        index.manifest.counts["bags"],
        index.concepts,
    )
    return Asked(Query(None, title, [], []), bag, _sketch(index, bag), [], [])


def _sketch(index: IndexReader, bag: _core.QueryBag) -> list[int]:
    sketch = index.strategy.sketch
    return bag.sketch(sketch.positions, sketch.seed)


def _whole(text: str) -> str:
    """Without the halves of characters that reach us from bytes that are no UTF-8."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _bytes_of(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            body = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise InputError(
            f"cannot be read ({error.strerror})", source=path, advice="give an HTML file"
        ) from error
    if len(body) > MOST_BYTES:
        raise InputError(
            f"is larger than {MOST_BYTES >> 20} MB", source=path, advice="give a smaller page"
        )
    return body
