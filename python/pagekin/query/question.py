"""The input of a query: pages of the crawl, texts and HTML pages outside of the crawl, mixed."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from pagekin import _core
from pagekin.errors import InputError
from pagekin.fields import option
from pagekin.index import IndexReader
from pagekin.query.explore.show import find_page
from pagekin.query.languages import certain_language, languages_of, only_language
from pagekin.query.titles import page_title
from pagekin.query.words.bm25f import MOST_WORDS, WordQuery
from pagekin.query.words.scorer import WordScorer
from pagekin.types import Query

__all__ = ["Question", "ResolvedQuestion", "has_words", "resolve"]

LARGEST_PAGE = 64 << 20
"""Maximum size of an HTML file, in bytes."""
NOWHERE = "http://nowhere.invalid/"
"""Stands for the URL of a page without one."""
SOURCE = "the question"


@dataclass(frozen=True, slots=True)
class Question:
    """Pages of the crawl by URL, a text, an HTML file, an HTML page as bytes, or any of them mixed.

    `unlike` names pages and `unlike_text` a text whose subject is subtracted.
    """

    urls: tuple[str, ...] = option((), "page of the crawl; give several to mix", parameter="url")
    unlike: tuple[str, ...] = option((), "subtract the subject of this page", placeholder="URL")
    text: str | None = option(None, "a text that is not in the crawl")
    file: str | None = option(
        None, "an HTML page that is not in the crawl", placeholder="PAGE.html"
    )
    page: bytes | None = option(None, "an HTML page that is not in the crawl")
    unlike_text: str | None = option(None, "subtract the subject of this text", placeholder="TEXT")

    def __post_init__(self) -> None:
        if not self.urls and self.text is None and self.file is None and self.page is None:
            unlike = self.unlike or self.unlike_text is not None
            what = "only what pages should be unlike" if unlike else "no question given"
            raise InputError(what, source=SOURCE, advice="give URLs, a text or an HTML page")

    @classmethod
    def about(cls, urls: "str | Iterable[str]", unlike: Iterable[str] = ()) -> "Question":
        """A question about one page, or several."""
        return cls((urls,) if isinstance(urls, str) else tuple(urls), tuple(unlike))


@dataclass(frozen=True, slots=True)
class ResolvedQuestion:
    """A question resolved against an index: its bag, its pages, its words if it has
    texts, and the language that hits are in unless others are wanted."""

    query: Query
    bag: _core.QueryBag
    like: list[_core.PageRef]
    unlike: list[_core.PageRef]
    words: WordScorer | None = None
    language: str | None = None


@dataclass(frozen=True, slots=True)
class _Text:
    """A text outside of the crawl."""

    words: list[str]
    title: str | None = None
    title_words: list[str] = field(default_factory=list)
    language: str | None = None

    def languages(self, index: IndexReader) -> list[str | None]:
        """The languages that it may be in."""
        if self.language is not None:
            return [self.language]
        return languages_of(index, [*self.title_words, *self.words])

    def certain_language(self, index: IndexReader) -> str | None:
        """The language that it is in, if that is certain."""
        return self.language or certain_language(index, [*self.title_words, *self.words])


def resolve(index: IndexReader, question: Question) -> ResolvedQuestion:
    """Resolve a question against an index; an unknown URL is an error."""
    with index.blaming():
        texts, unlike_texts = [*_texts(question)], [*_unlike_texts(question)]
        if (texts or unlike_texts) and not has_words(index):
            raise InputError(
                "this index has no words: it represents pages by their inlinks",
                source=SOURCE,
                advice="ask about a page of the crawl, or build with content or anchor words",
            )
        likes = list(dict.fromkeys(find_page(index, url) for url in question.urls))
        others = list(dict.fromkeys(find_page(index, url) for url in question.unlike))
        bags = [*map(index.searcher.bag, likes), *(_bag(index, text) for text in texts)]
        unlike = [*map(index.searcher.bag, others), *(_bag(index, text) for text in unlike_texts)]
        words = None
        if texts:
            queries = [_word_query(index, text) for text in texts]
            away = [_page_query(index, page) for page in others]
            away += [_word_query(index, text) for text in unlike_texts]
            words = WordScorer(index, queries, away, pages_like=len(likes))
        language = _language(index, likes, texts)
        query = replace(_query(index, likes, others, texts, words), language=language)
        is_one = len(bags) == 1 and not unlike
        bag = bags[0] if is_one else _core.QueryBag.mix(bags, unlike)
        return ResolvedQuestion(query, bag, likes, others, words, language)


def _texts(question: Question) -> Iterator[_Text]:
    """The texts that pages should be like."""
    if question.text is not None:
        yield _Text(_core.words_of(_valid(question.text)))
    if question.file is not None:
        path = Path(question.file)
        yield _parsed(_bytes_of(path), str(path))
    if question.page is not None:
        yield _parsed(question.page, "the page")


def _unlike_texts(question: Question) -> Iterator[_Text]:
    if question.unlike_text is not None:
        yield _Text(_core.words_of(_valid(question.unlike_text)))


def _parsed(body: bytes, source: str) -> _Text:
    page = _core.parse_page(NOWHERE, body)
    if page is None:
        raise InputError("not an HTML page", source=source, advice="give an HTML file")
    title = _core.words_of(page.title)
    return _Text(page.content_words, page.title or None, title, page.language)


def _query(
    index: IndexReader,
    likes: list[_core.PageRef],
    others: list[_core.PageRef],
    texts: list[_Text],
    words: WordScorer | None,
) -> Query:
    urls = [index.searcher.page_meta(page).url for page in likes]
    titles = [page_title(index, page) for page in likes] + [text.title for text in texts]
    return Query(
        url=urls[0] if urls else None,
        title=titles[0],
        also=urls[1:],
        unlike=[index.searcher.page_meta(page).url for page in others],
        word_share=None if words is None else round(words.share, 6),
    )


def _language(index: IndexReader, likes: list[_core.PageRef], texts: list[_Text]) -> str | None:
    """The language of all pages and texts, if they are in one and the crawl has several."""
    languages = {index.searcher.page_meta(page).language for page in likes}
    languages.update(text.certain_language(index) for text in texts)
    return only_language(index, [*languages])


def has_words(index: IndexReader) -> bool:
    """Whether the index has words, so that it can answer a question about a text."""
    return bool(index.strategy.needs.content or index.strategy.needs.anchor)


def _bag(index: IndexReader, text: _Text) -> _core.QueryBag:
    given = text.words, text.title_words, text.languages(index)
    bags = index.manifest.model["bags"]
    return index.searcher.bag_of_text(index.core_strategy, given, bags, index.concepts)


def _word_query(index: IndexReader, text: _Text) -> WordQuery:
    words = [*text.title_words, *text.words]
    return WordQuery.of(index, words, text.languages(index))


def _page_query(index: IndexReader, page: _core.PageRef) -> WordQuery:
    """The heaviest words of a page of the crawl."""
    bag = index.searcher.bag(page)
    terms = [
        (-weight, term)
        for term, weight in zip(bag.terms, bag.weights, strict=True)
        if not term & _core.LINK_BIT and _core.concept_number(term) is None
    ]
    words = [index.word(term) for _, term in sorted(terms)[:MOST_WORDS]]
    language = index.searcher.page_meta(page).language
    return WordQuery.of(index, words, [language]).without_pairs()


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
