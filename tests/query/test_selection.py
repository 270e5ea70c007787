"""Conditions on pages, inside every kind of search, against a filtered list of all pages."""

import random
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pyarrow.parquet as pq
import pytest

import pagekin
from pagekin import Filters, _core
from pagekin.dates import seconds_of
from pagekin.errors import InputError
from pagekin.query import PageSelection, Question, resolve
from pagekin.query.related import find
from pagekin.strategy import presets
from tests.crawls import rows, write_warc
from tests.query.indexes import Built
from tests.reference import Capture

PAGES = 900
HOSTS = ("www.one.example", "docs.one.example", "two.example:8080", "one.example.test")
SUBJECTS = ("roses garden soil prune", "storm hail wind cloud", "glider wing thermal lift")
FIRST = int(datetime(2019, 1, 1, tzinfo=UTC).timestamp())
DAY = 24 * 3600
FIELDS = ("crawled", "site", "prefix", "from_date", "to_date", "min_length", "language")


def captures() -> Iterator[Capture]:
    """Pages of three subjects on four hosts, a day apart, each longer than the one before. Every
    seventh has no date."""
    rng = random.Random(5)
    for number in range(PAGES):
        own = [f"word{rng.randrange(300)}" for _ in range(4 + number // 20)]
        subject = rng.choices(SUBJECTS[number % 3].split(), k=6)
        link = f"<a href=/gone/{number % 40}.html>{rng.choice(subject)} elsewhere</a>"
        body = f"<title>{subject[0]} {number}</title><p>{' '.join(subject + own)} {link}"
        url = f"http://{HOSTS[number % 4]}/part{number % 5}/{number}.html"
        date = None if number % 7 == 0 else FIRST + number * DAY
        yield Capture(url, body.encode(), "utf-8", date)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    folder = tmp_path_factory.mktemp("selection")
    write_warc(folder / "crawl.warc.gz", captures())
    pagekin.build(folder / "crawl.warc.gz", folder / "index", strategy=presets()["balanced"])
    return Built(folder / "index")


def host(row: dict[str, Any]) -> str:
    return urlsplit(row["url"]).hostname or ""


def fetched(row: dict[str, Any], start: str, end: str) -> bool:
    return row["date"] is not None and start <= row["date"].strftime("%Y-%m-%d") <= end


Condition = Callable[[dict[str, Any]], bool]
CASES: list[tuple[dict[str, Any], Condition]] = [
    ({"site": "www.one.example"}, lambda row: host(row) == "www.one.example"),
    ({"site": "One.Example"}, lambda row: host(row).endswith("one.example")),
    ({"site": "http://two.example:8080/x"}, lambda row: host(row) == "two.example"),
    ({"site": "two.example"}, lambda row: host(row) == "two.example"),
    (
        {"prefix": "http://docs.one.example/part3/"},
        lambda row: row["url"].startswith("http://docs.one.example/part3/"),
    ),
    ({"prefix": "two.example:8080/part1"}, lambda row: ":8080/part1/" in row["url"]),
    ({"from_date": "2020-05-17"}, lambda row: fetched(row, "2020-05-17", "9999")),
    ({"to_date": "2019-02"}, lambda row: fetched(row, "0000", "2019-02-28")),
    (
        {"from_date": "2019-06", "to_date": "2020"},
        lambda row: fetched(row, "2019-06-01", "2020-12-31"),
    ),
    ({"min_length": 40}, lambda row: row["length"] >= 40),
    (
        {
            "site": "one.example",
            "prefix": "www.one.example/part",
            "from_date": "2020",
            "min_length": 30,
        },
        lambda row: (
            host(row) == "www.one.example"
            and fetched(row, "2020-01-01", "9999")
            and row["length"] >= 30
        ),
    ),
    (
        {"site": "docs.one.example", "to_date": "2019-01-09"},
        lambda row: host(row) == "docs.one.example" and fetched(row, "0000", "2019-01-09"),
    ),
    ({"site": "one.example", "pages": "uncrawled"}, lambda row: host(row).endswith("one.example")),
]


def selected(built: Built, case: dict[str, Any], condition: Condition) -> set[str]:
    crawled = case.get("pages", "crawled") == "crawled"
    found = rows(built.path, "pages")
    return {row["url"] for row in found if row["crawled"] == crawled and condition(row)}


CASE_NAMES = [str(case)[:60] for case, _ in CASES]


@pytest.mark.parametrize(("case", "condition"), CASES, ids=CASE_NAMES)
@pytest.mark.parametrize("way", [{}, {"exact": True}, {"min_agreement": 1e-9}], ids=str)
def test_hits_are_the_best_of_the_selected_pages(
    built: Built, case: dict[str, Any], condition: Condition, way: dict[str, Any]
) -> None:
    """By MaxScore, by a scan, and by sketches, which may miss weak hits."""
    wanted = selected(built, case, condition)
    assert wanted
    for url in random.Random(3).sample(sorted(built.sites), 12):
        expected = built.ranked(built.bag(url), (wanted - {url}).__contains__)
        filters = Filters(k=10, copy_score=1.0, **case, **way)
        answer = built.index.related(url, filters=filters)
        found = [(hit.url, hit.score) for hit in answer.hits]
        rounded = [(other, round(score, 6)) for other, score in expected]
        if "min_agreement" in way:
            assert {*found} <= {*rounded}
        else:
            assert found == rounded[:10]


@pytest.mark.parametrize(("case", "condition"), CASES, ids=CASE_NAMES)
def test_texts_find_the_best_of_the_selected_pages(
    built: Built, case: dict[str, Any], condition: Condition
) -> None:
    wanted, reader = selected(built, case, condition), built.index.reader
    asked = resolve(reader, Question(text="prune roses word7 word11 in the garden"))
    filters = Filters(k=10, copy_score=1.0, **case)
    found = find(reader, asked, filters)
    assert found.exact
    assert asked.words is not None
    by_words = asked.words.scores(filters.to_core())
    share = asked.words.share
    bag = dict(zip(asked.bag.terms, asked.bag.weights, strict=True))
    similar = dict(built.ranked(bag, lambda _: True))
    scores = {
        url: share * by_words[row] + (1 - share) * similar.get(url, 0.0)
        for row, url in enumerate(built.urls.values())
        if url in wanted
    }
    expected = sorted((score for score in scores.values() if score > 0), reverse=True)[:10]
    urls = [reader.searcher.page_meta(hit.page).url for hit in found.hits]
    assert [scores[url] for url in urls] == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize(("case", "condition"), CASES, ids=CASE_NAMES)
@pytest.mark.parametrize(
    "q", ["roses", "garden word7", '"prune roses"', "part1/", "roses elsewhere"]
)
def test_search_finds_the_selected_of_the_pages_that_it_finds(
    built: Built, case: dict[str, Any], condition: Condition, q: str
) -> None:
    wanted = selected(built, case, condition)
    everything = built.index.search(q, k=1000, pages=case.get("pages", "crawled"))
    expected = {hit.url for hit in everything if hit.url in wanted}
    found = built.index.search(q, k=1000, **case)
    assert {hit.url for hit in found} == expected
    if not expected:
        assert found.note


@pytest.fixture(scope="module")
def by_sketches(built: Built) -> Iterator[pagekin.Index]:
    """The same crawl as a large index, which has inverted sketches and no inverted lists."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_core, "FEW_BAGS", 10)
        folder = built.path.parent
        pagekin.build(folder / "crawl.warc.gz", folder / "large", strategy=built.index.strategy)
        yield pagekin.open(folder / "large")


@pytest.mark.parametrize(("case", "condition"), CASES, ids=CASE_NAMES)
def test_sketches_find_as_many_selected_pages_as_there_are(
    built: Built, by_sketches: pagekin.Index, case: dict[str, Any], condition: Condition
) -> None:
    wanted = selected(built, case, condition)
    missed = 0
    for url in random.Random(4).sample(sorted(built.sites), 12):
        expected = built.ranked(built.bag(url), (wanted - {url}).__contains__)
        rounded = [(other, round(score, 6)) for other, score in expected]
        answer = by_sketches.related(url, copy_score=1.0, **case)
        found = [(hit.url, hit.score) for hit in answer.hits]
        assert len(found) == min(10, len(rounded))
        missed += len({*rounded[:10]} - {*found})
        if len(wanted) <= len(built.urls) / 64:
            assert answer.exact
            assert found == rounded[:10]
    assert missed <= 2


def test_precomputed_answers_are_those_of_single_questions(built: Built, tmp_path: Path) -> None:
    filters = Filters(k=3, site="one.example", from_date="2020")
    built.index.precompute(tmp_path / "answers.parquet", filters=filters)
    table = pq.read_table(tmp_path / "answers.parquet").to_pylist()
    for url in random.Random(6).sample(sorted(built.sites), 10):
        found = [row["related"] for row in table if row["url"] == url]
        assert found == [hit.url for hit in built.index.related(url, filters=filters)]


ASKED = "http://www.one.example/part0/0.html"


def test_short_answer_tells_what_each_filter_left_out(built: Built) -> None:
    crawled = [row for row in rows(built.path, "pages") if row["crawled"]]
    inside = [row for row in crawled if host(row) == "docs.one.example"]
    late = [row for row in inside if fetched(row, "2021-06-01", "9999")]
    answer = built.index.related(ASKED, site="docs.one.example", from_date="2021-06", k=100)
    assert 0 < len(answer.hits) <= len(late)
    assert answer.note == (
        f"only {len(answer.hits)} related pages: "
        f"{len(crawled) - len(inside):,} left out by site docs.one.example, "
        f"{len(inside) - len(late):,} left out by from 2021-06"
    )
    few = built.index.search("roses", site="docs.one.example", from_date="2021-06", k=100)
    assert few.hits
    assert few.note is None


@pytest.mark.parametrize(
    ("case", "said"),
    [
        ({"site": "nowhere.example"}, "none of 900 pages passes the filter site nowhere.example"),
        ({"prefix": "http://x.example/"}, "none of 900 pages passes the filter prefix http://x"),
        ({"to_date": "1999"}, "none of 900 pages passes the filter to 1999"),
        ({"min_length": 5000}, "none of 900 pages passes the filter min_length 5000"),
        (
            {"site": "two.example", "from_date": "2030-01-01", "min_length": 3},
            "none of 225 pages passes the filter from 2030-01-01 "
            "(675 left out by site two.example)",
        ),
        (
            {"pages": "uncrawled", "min_length": 1},
            "none of 40 pages passes the filter min_length 1",
        ),
    ],
)
def test_filter_that_leaves_no_page_is_named(built: Built, case: dict[str, Any], said: str) -> None:
    for answer in (
        built.index.related(ASKED, **case),
        built.index.related_to_text("roses", **case),
        built.index.search("roses", **case),
    ):
        assert not answer.hits
        assert answer.note is not None
        assert answer.note.startswith(said)


def test_named_page_is_found_only_if_it_is_selected(built: Built) -> None:
    assert built.index.search(ASKED).hits[0].matched == ["address"]
    assert built.index.search(ASKED, site="one.example").hits[0].url == ASKED
    assert not built.index.search(ASKED, site="two.example").hits


@pytest.mark.parametrize(
    ("date", "start", "end"),
    [
        ("2024", "2024-01-01T00:00:00", "2024-12-31T23:59:59"),
        ("2024-02", "2024-02-01T00:00:00", "2024-02-29T23:59:59"),
        (" 1999-12-31 ", "1999-12-31T00:00:00", "1999-12-31T23:59:59"),
        ("9999", "9999-01-01T00:00:00", "9999-12-31T23:59:59"),
        ("2024-05-17T08:30:01Z", "2024-05-17T08:30:01", "2024-05-17T08:30:01"),
    ],
)
def test_dates_are_spans_of_seconds(date: str, start: str, end: str) -> None:
    spans = (datetime.fromisoformat(f"{each}+00:00").timestamp() for each in (start, end))
    assert seconds_of(date) == tuple(spans)


@pytest.mark.parametrize(
    ("case", "said"),
    [
        ({"from_date": "2024-13"}, "'2024-13' is not a date such as 2024, 2024-05, 2024-05-17"),
        ({"from_date": "0000"}, "'0000' is not a date"),
        ({"to_date": "2023-02-29"}, "'2023-02-29' is not a date"),
        ({"to_date": "yesterday"}, "'yesterday' is not a date"),
        ({"to_date": ""}, "'' is not a date"),
        ({"from_date": "2024", "to_date": "2023"}, "2024 is after 2023"),
        ({"site": "http://"}, "'http://' is not a host or a domain such as example.org"),
        ({"site": "a b"}, "'a b' is not a host"),
        ({"site": "one.example/part1"}, "'one.example/part1' is not a host"),
        ({"site": "\udcff"}, "is not a host"),
        ({"prefix": "ftp://one.example/"}, "'ftp://one.example/' is not the start of a URL"),
        ({"prefix": " "}, "' ' is not the start of a URL"),
        ({"min_length": -1}, "-1 is not a whole number of at least 0"),
        ({"pages": "some"}, "'some' is not one of crawled, uncrawled, all"),
    ],
)
def test_wrong_filters_are_named_with_what_is_expected(case: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError) as caught:
        PageSelection(**case)
    assert said in str(caught.value)
    name = next(iter(case)).removesuffix("_date")
    assert caught.value.where == name


def test_masks_are_equal_if_their_conditions_are() -> None:
    one, other = PageSelection(site="One.example"), Filters(site="http://one.example/", k=3)
    assert one.to_core() == other.to_core()
    assert hash(one.to_core()) == hash(other.to_core())
    assert one.to_core() != PageSelection().to_core()
    assert PageSelection("all").to_core() == _core.PageSelection(dict.fromkeys(FIELDS))
