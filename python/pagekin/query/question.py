"""The input of a query: pages of the crawl, a text, or an HTML page outside of the crawl."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from pagekin import _core
from pagekin.errors import InputError
from pagekin.fields import option
from pagekin.index import IndexReader
from pagekin.query.show import find_page
from pagekin.types import Query

__all__ = ["Question", "ResolvedQuestion", "has_words", "resolve"]

LARGEST_PAGE = 64 << 20
"""Maximum size of an HTML file, in bytes."""
NOWHERE = "http://nowhere.invalid/"
"""Stands for the URL of a page without one."""
SOURCE = "the question"


@dataclass(frozen=True, slots=True)
class Question:
    """Exactly one of URLs, a text, an HTML file, or an HTML page as bytes.

    `unlike` names pages whose terms are subtracted; it needs URLs.
    """

    urls: tuple[str, ...] = option((), "page of the crawl; give several to mix", parameter="url")
    unlike: tuple[str, ...] = option((), "subtract the subject of this page", placeholder="URL")
    text: str | None = option(None, "a text that is not in the crawl")
    file: str | None = option(
        None, "an HTML page that is not in the crawl", placeholder="PAGE.html"
    )
    page: bytes | None = option(None, "an HTML page that is not in the crawl")

    def __post_init__(self) -> None:
        given = [bool(self.urls), *(each is not None for each in (self.text, self.file, self.page))]
        if sum(given) != 1:
            what = "more than one question given" if sum(given) else "no question given"
            raise InputError(what, source=SOURCE, advice="give URLs, or a text, or an HTML page")
        if self.unlike and not self.urls:
            raise InputError(
                "unlike needs a URL", source=SOURCE, advice="give the URL of a page of the crawl"
            )

    @classmethod
    def about(cls, urls: "str | Iterable[str]", unlike: Iterable[str] = ()) -> "Question":
        """A question about one page, or several."""
        return cls((urls,) if isinstance(urls, str) else tuple(urls), tuple(unlike))


@dataclass(frozen=True, slots=True)
class ResolvedQuestion:
    """A question resolved against an index: its bag, its sketch, and its pages."""

    query: Query
    bag: _core.PreparedQuery
    sketch: list[int]
    like: list[_core.PageRef]
    unlike: list[_core.PageRef]


def resolve(index: IndexReader, question: Question) -> ResolvedQuestion:
    """Resolve a question against an index; an unknown URL is an error."""
    with index.blaming():
        if question.text is not None:
            return _resolve_words(index, None, _core.words_of(_valid(question.text)), [])
        if question.page is not None:
            return _resolve_page(index, question.page, "the page")
        if question.file is not None:
            path = Path(question.file)
            return _resolve_page(index, _bytes_of(path), str(path))
        return _resolve_urls(index, question)


def has_words(index: IndexReader) -> bool:
    """Whether the index has words, so that it can answer a question about a text."""
    return bool(index.strategy.needs.content or index.strategy.needs.anchor)


def _resolve_urls(index: IndexReader, question: Question) -> ResolvedQuestion:
    """The mean of the bags of `urls`, minus those of `unlike`."""
    searcher = index.searcher
    likes = list(dict.fromkeys(find_page(index, url) for url in question.urls))
    others = list(dict.fromkeys(find_page(index, url) for url in question.unlike))
    pages = [searcher.page_meta(page) for page in (*likes, *others)]
    query = Query(
        url=pages[0].url,
        title=pages[0].title,
        also=[page.url for page in pages[1 : len(likes)]],
        unlike=[page.url for page in pages[len(likes) :]],
    )
    if len(likes) == 1 and not others:
        bag, sketch = searcher.bag(likes[0]), searcher.sketch(likes[0])
        return ResolvedQuestion(query, bag, sketch, likes, others)
    bags = [searcher.bag(page) for page in (*likes, *others)]
    bag = _core.PreparedQuery.mix(bags[: len(likes)], bags[len(likes) :])
    return ResolvedQuestion(query, bag, _sketch(index, bag), likes, others)


def _resolve_page(index: IndexReader, body: bytes, source: str) -> ResolvedQuestion:
    page = _core.parse_page(NOWHERE, body)
    if page is None:
        raise InputError("not an HTML page", source=source, advice="give an HTML file")
    return _resolve_words(index, page.title or None, page.words, _core.words_of(page.title))


def _resolve_words(
    index: IndexReader, title: str | None, words: list[str], title_words: list[str]
) -> ResolvedQuestion:
    if not has_words(index):
        raise InputError(
            "this index has no words: it represents pages by their inlinks",
            source=SOURCE,
            advice="ask about a page of the crawl, or build with content or anchor words",
        )
    bag = index.searcher.bag_of_text(
        _core.Strategy(index.strategy.to_core()),
        words,
        title_words,
        index.manifest.counts["bags"],
        index.concepts,
    )
    return ResolvedQuestion(Query(None, title, [], []), bag, _sketch(index, bag), [], [])


def _sketch(index: IndexReader, bag: _core.PreparedQuery) -> list[int]:
    sketch = index.strategy.sketch
    return bag.sketch(sketch.positions, sketch.seed)


def _valid(text: str) -> str:
    """Replace lone surrogates, which stand for bytes from the command line that are not UTF-8."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _bytes_of(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            body = file.read(LARGEST_PAGE + 1)
    except OSError as error:
        raise InputError(
            f"cannot be read ({error.strerror})", source=path, advice="give an HTML file"
        ) from error
    if len(body) > LARGEST_PAGE:
        raise InputError(
            f"larger than {LARGEST_PAGE >> 20} MiB", source=path, advice="give a smaller page"
        )
    return body
