"""BM25F and pairs of words, against a plain computation from the raw tables."""

import itertools
import math
import re
from pathlib import Path

import pytest

import pagekin
from pagekin import _core
from pagekin.query import PageSelection
from pagekin.query.words import bm25f
from pagekin.query.words.bm25f import MOST_WORDS, WordQuery, score_pages
from tests.crawls import build_pages, page_words, rows

EVERY_PAGE = PageSelection("all").to_core()
QUERIES = [
    "roses",
    "pruning old roses",
    "how do I prune the old roses in winter",
    "thunderstorm hail",
    "glider glider thermals and the roses",
    "roses qwzx",
]


class PlainIndex:
    """The tables of an index as plain values."""

    def __init__(self, path: Path) -> None:
        self.reader = pagekin.open(path).reader
        self.pages = rows(path, "pages")
        self.texts = page_words(path)
        self.postings = {row["term"]: row for row in rows(path, "postings")}
        self.frequency = {row["term"]: row["frequency"] for row in rows(path, "lexicon")}

    def term(self, word: str) -> int | None:
        term = _core.term_of(self.reader.core_strategy, word)
        return None if term is None else term.id

    def mean(self, lengths: list[int]) -> float:
        crawled = [
            length for page, length in zip(self.pages, lengths, strict=True) if page["crawled"]
        ]
        return sum(crawled) / len(crawled)

    def score(self, text: str, row: int) -> float:
        """The score of a page, by the formulas of `docs/query.md`."""
        words = _core.words_of(text)
        terms = [*dict.fromkeys(filter(None, map(self.term, words)))]
        terms = [term for term in terms if self.frequency.get(term)]
        weights = {term: self.idf(term) for term in terms}
        stop = [*dict.fromkeys(word for word in words if self.term(word) is None)]
        total = sum(weights.values()) + bm25f.STOP_IDF * len(stop)
        found = sum(weight * saturated(self.tf(term, row)) for term, weight in weights.items())
        found += sum(bm25f.STOP_IDF * saturated(self.stop_tf(word, row)) for word in stop)
        pairs = [*dict.fromkeys(itertools.pairwise(words))]
        if not pairs:
            return found / total
        return (1 - bm25f.PAIRS) * found / total + bm25f.PAIRS * self.pairs(pairs, weights, row)

    def pairs(self, pairs: list[tuple[str, str]], idf: dict[int, float], row: int) -> float:
        title = " ".join(_core.words_of(self.pages[row]["title"] or ""))
        texts = [f" {self.texts[row]} ", f" {title} "]
        weight = {
            pair: sum(idf.get(self.term(word) or 0, bm25f.STOP_IDF) for word in pair)
            for pair in pairs
        }
        has = [pair for pair in pairs if any(f" {' '.join(pair)} " in text for text in texts)]
        return sum(weight[pair] for pair in has) / sum(weight.values())

    def idf(self, term: int) -> float:
        bags, frequency = len(self.pages), self.frequency[term]
        return math.log(1 + (bags - frequency + 0.5) / (frequency + 0.5))

    def tf(self, term: int, row: int) -> float:
        posted = self.postings[term]
        content, anchor = 0, 0
        if row in posted["pages"]:
            place = posted["pages"].index(row)
            content, anchor = posted["content"][place], posted["anchor"][place]
        lengths = [len(text.split()) for text in self.texts]
        inlinks = [page["inlinks"] for page in self.pages]
        return (
            content / self.discount(lengths, row, bm25f.TEXT_B)
            + bm25f.ANCHOR * anchor / 1024 / self.discount(inlinks, row, bm25f.ANCHOR_B)
            + self.title_and_url(
                row,
                [self.term(word) == term for word in self.title(row)],
                [self.term(word) == term for word in self.path(row)],
            )
        )

    def stop_tf(self, stop: str, row: int) -> float:
        return self.title_and_url(
            row,
            [word == stop for word in self.title(row)],
            [word == stop for word in self.path(row)],
        )

    def title_and_url(self, row: int, title: list[bool], url: list[bool]) -> float:
        lengths = [len((page["title"] or "").encode()) for page in self.pages]
        by_title = bm25f.TITLE * sum(title) / self.discount(lengths, row, bm25f.TITLE_B)
        return by_title + bm25f.URL * sum(url)

    def title(self, row: int) -> list[str]:
        return _core.words_of(self.pages[row]["title"] or "")

    def path(self, row: int) -> list[str]:
        path = self.pages[row]["url"].partition("://")[2].partition("/")[2]
        return _core.words_of(re.sub(r"[\W_]", " ", path))

    def discount(self, lengths: list[int], row: int, b: float) -> float:
        mean = max(self.mean(lengths), 1)
        return 1 - b + b * (lengths[row] or mean) / mean


def saturated(tf: float) -> float:
    return tf / (bm25f.K1 + tf)


@pytest.fixture(scope="module")
def plain(index: Path) -> PlainIndex:
    return PlainIndex(index)


@pytest.mark.parametrize("text", QUERIES)
@pytest.mark.parametrize("pages", ["crawled", "uncrawled", "all"])
def test_scores_are_those_of_the_formula(plain: PlainIndex, text: str, pages: str) -> None:
    query = WordQuery.of(plain.reader, _core.words_of(text))
    scores = score_pages(plain.reader, query, PageSelection(pages).to_core())
    wanted = {"crawled": [True], "uncrawled": [False], "all": [True, False]}[pages]
    has_word = {row for term in query.terms for row in plain.postings[term]["pages"]}
    assert has_word
    for row, score in enumerate(scores.tolist()):
        is_candidate = row in has_word and plain.pages[row]["crawled"] in wanted
        assert score == pytest.approx(plain.score(text, row) if is_candidate else 0), row
        assert 0 <= score < 1


def test_long_text_is_reduced_to_its_rarest_words(plain: PlainIndex) -> None:
    words = [word for text in plain.texts for word in text.split()]
    query = WordQuery.of(plain.reader, words)
    assert len(query.terms) == MOST_WORDS < query.known
    rarest = sorted(plain.frequency[term] for term in {*filter(None, map(plain.term, words))})
    assert sorted(plain.frequency[term] for term in query.terms) == rarest[:MOST_WORDS]


def test_pages_beyond_the_limits_never_overtake(
    plain: PlainIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    query = WordQuery.of(plain.reader, ["pruning", "old", "roses"])
    whole = score_pages(plain.reader, query, EVERY_PAGE)
    monkeypatch.setattr(bm25f, "PARAMS", {**bm25f.PARAMS, "looked_up": 5})
    monkeypatch.setattr(bm25f, "RERANKED", 3)
    part = score_pages(plain.reader, query, EVERY_PAGE)
    assert (part <= whole + 1e-12).all()
    assert (part == whole).sum() >= 3
    assert (part[whole > 0] > 0).all()


def test_unknown_word_scores_no_page(tmp_path: Path) -> None:
    index = pagekin.open(build_pages(tmp_path, {"a": "<p>pears"}, pagekin.Strategy())).reader
    scores = score_pages(index, WordQuery.of(index, ["roses"]), EVERY_PAGE)
    assert not scores.any()
