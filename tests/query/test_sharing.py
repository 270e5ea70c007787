"""MaxScore search against a comparison of every bag."""

import random
from collections.abc import Iterator
from dataclasses import replace

import pytest

import pagekin
from pagekin import Filters, _core
from pagekin.query import Question, resolve
from pagekin.query.related import find
from pagekin.strategy import Kinds, Strategy, presets
from tests.crawls import build_pages

PAGES = 700
SUBJECTS = 60
WORDS = 8_000


def word(number: int) -> str:
    """A word of letters for a number."""
    return "w" + "".join("bcdfghjklm"[int(digit)] for digit in str(number))


def made(rng: random.Random) -> Iterator[tuple[str, str]]:
    """Pages about subjects: common words, words of the subject, some links, a few near copies."""
    subjects = [rng.sample(range(WORDS), 120) for _ in range(SUBJECTS)]
    drawn: list[int] = []
    for page in range(PAGES):
        if page % 50 != 1:
            own = rng.choices(subjects[page % SUBJECTS], k=90)
            drawn = [*own, *(int(WORDS * rng.random() ** 6) for _ in range(160))]
        text = " ".join(word(number) for number in drawn)
        links = " ".join(f"<a href=p{rng.randrange(PAGES)}.html>see</a>" for _ in range(3))
        yield f"p{page}", f"{text} {links}"


@pytest.fixture(scope="module", params=["words", "concepts", "shards"])
def index(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> pagekin.Index:
    folder = tmp_path_factory.mktemp("holders")
    strategy = Strategy(kinds=Kinds(link=1)) if request.param == "words" else presets()["concepts"]
    settings = pagekin.Settings(shard_urls=200 if request.param == "shards" else 1 << 20)
    pages = dict(made(random.Random(2002)))
    return pagekin.open(build_pages(folder, pages, strategy, settings))


def asked_pages(count: int) -> list[str]:
    rng = random.Random(7)
    return [f"http://t.example/p{rng.randrange(PAGES)}.html" for _ in range(count)]


@pytest.mark.parametrize(
    "filters",
    [
        Filters(),
        Filters(k=1),
        Filters(k=100),
        Filters(k=5, copy_score=0.3),
        Filters(k=10, copy_score=1.0),
        Filters(exclude_linked=True),
        Filters(min_score=0.2),
        Filters(exclude_site=True),
        Filters(group_by_site=True),
    ],
)
def test_hits_equal_those_of_an_exact_search(index: pagekin.Index, filters: Filters) -> None:
    for url in asked_pages(12):
        asked = resolve(index.reader, Question.about(url))
        answer = find(index.reader, asked, filters)
        sure = find(index.reader, asked, replace(filters, exact=True))
        assert answer.hits == sure.hits
        assert answer.exact
        if len(answer.hits) < filters.k:
            assert answer.filtered == sure.filtered


def test_most_bags_are_never_compared(index: pagekin.Index) -> None:
    compared = [
        find(index.reader, resolve(index.reader, Question.about(url)), Filters()).compared
        for url in asked_pages(12)
    ]
    assert max(compared) < PAGES / 2


@pytest.mark.parametrize("numbers", [[0], [0, 1], [1999], [2, 256, 7951]])
def test_hits_of_a_short_text_equal_those_of_an_exact_search(
    index: pagekin.Index, numbers: list[int]
) -> None:
    asked = resolve(index.reader, Question(text=" ".join(map(word, numbers))))
    sure = find(index.reader, asked, Filters(exact=True)).hits
    assert find(index.reader, asked, Filters()).hits == sure


def test_answer_does_not_depend_on_earlier_queries(index: pagekin.Index) -> None:
    urls = asked_pages(6)

    def hits(url: str) -> list[_core.ScoredPage]:
        return find(index.reader, resolve(index.reader, Question.about(url)), Filters()).hits

    fresh = [hits(url) for url in urls]
    assert [hits(url) for url in reversed(urls)] == fresh[::-1]
