"""Answers as shown: precision by a directory, and the kinds of hits."""

from pathlib import Path

import ir_measures
import numpy as np
import pytest

import pagekin
from pagekin import _core
from pagekin.evaluation.judge import matched_with
from pagekin.evaluation.ranked import RankedAnswers
from pagekin.evaluation.shown import hit_kinds, shown_answers, shown_precision
from pagekin.evaluation.template_links import template_links
from pagekin.evaluation.truths import Directory, Row
from tests.archives import http, record

SITE = "http://m.example"
PAGES = 24
Ids = np.ndarray[tuple[int], np.dtype[np.uint64]]


def url(number: int) -> str:
    return f"{SITE}/{number}.html"


def key(address: str) -> int:
    return _core.url_id(address)


def manual_page(number: int) -> bytes:
    """A page of a manual: a menu, a step on, and a sentence with a link of its author's."""
    menu = f'<ul><li><a href="{url(0)}">Contents</a><li><a href="{url(1)}">Glossary</a></ul>'
    step = f'<p><a href="{url((number + 1) % PAGES)}">Next</a></p>'
    letter = chr(ord("a") + number)
    told = f'as <a href="{url((number * 5 + 3) % PAGES)}">chapter{letter} tells</a> us'
    words = " ".join(f"word{chr(ord('a') + number % 6)}x{letter * 2}" for _ in range(20))
    return f"<title>Part {number}</title>{menu}<p>{words} {told}</p>{step}".encode()


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> pagekin.Index:
    folder = tmp_path_factory.mktemp("shown")
    pages = {url(number): manual_page(number) for number in range(PAGES)}
    copy = b"<p>entirely the same text of two copies"
    pages |= {"http://c.example/": copy, "http://d.example/": copy}
    pages["http://e.example/"] = b'<p>text of copies <a href="http://f.example/">same text</a>'
    warc = b"".join(record(http(body), address) for address, body in pages.items())
    (folder / "crawl.warc").write_bytes(warc)
    pagekin.build(folder / "crawl.warc", folder / "index")
    return pagekin.open(folder / "index")


def sorted_ids(*addresses: str) -> Ids:
    return np.array(sorted(map(key, addresses)), dtype=np.uint64)


def test_menus_and_steps_are_template_links_and_sentences_are_not(index: pagekin.Index) -> None:
    asked = sorted_ids(*(url(number) for number in range(2, PAGES)))
    found = template_links(index.reader, asked)
    for number in range(2, PAGES):
        expected = {key(url(0)), key(url(1)), key(url((number + 1) % PAGES))}
        assert found[key(url(number))] == expected - {key(url(number))}


def test_small_site_has_no_template(index: pagekin.Index) -> None:
    assert template_links(index.reader, sorted_ids("http://e.example/")) == {
        key("http://e.example/"): set()
    }


def test_shown_answers_are_those_of_related(index: pagekin.Index) -> None:
    asked = sorted_ids(*(url(number) for number in range(5)))
    answers = shown_answers(index.reader, asked, threads=2)
    for query, hits in zip(answers.queries.tolist(), answers.answers, strict=True):
        page = next(url(number) for number in range(5) if key(url(number)) == query)
        assert hits.tolist() == [key(hit.url) for hit in index.related(page)]


def test_kinds_of_hits_are_counted(index: pagekin.Index) -> None:
    queries = sorted_ids("http://c.example/", url(5))
    lists = {
        key("http://c.example/"): ["http://d.example/", "http://f.example/"],
        key(url(5)): [url(6), "http://d.example/", "http://c.example/", url(9)],
    }
    answers = [np.array([*map(key, lists[query])], dtype=np.uint64) for query in queries.tolist()]
    found = hit_kinds(index.reader, RankedAnswers(queries, answers), 4)
    assert (found.queries, found.hits, found.fewer_than_k) == (2, 6, 1)
    assert found.not_crawled == pytest.approx(1 / 6)
    assert found.copies == pytest.approx(2 / 6)
    assert found.template_links == pytest.approx(1 / 6)
    assert found.first_is_template_link == pytest.approx(1 / 2)


def test_no_hits_at_all_are_no_error(index: pagekin.Index) -> None:
    empty = RankedAnswers(sorted_ids(url(1)), [np.zeros(0, dtype=np.uint64)])
    found = hit_kinds(index.reader, empty, 10)
    assert (found.hits, found.fewer_than_k) == (0, 1)
    shares = (found.not_crawled, found.copies, found.template_links, found.first_is_template_link)
    assert shares == (None,) * 4


def test_precision_with_unjudged_hits_left_out_and_counted_as_wrong(
    index: pagekin.Index,
) -> None:
    rows = [Row(0, url(number), (f"class{number % 2}",)) for number in range(4)]
    matched = matched_with(index.reader, Directory.from_rows(rows))
    queries = sorted_ids(url(0))
    hits = np.array([*map(key, (url(2), url(9), url(1), url(8)))], dtype=np.uint64)
    found = shown_precision(RankedAnswers(queries, [hits]), matched, 4)
    assert found.judged is not None
    assert found.strict is not None
    assert (found.judged.value, found.strict.value) == (1 / 2, 1 / 4)
    unjudged = RankedAnswers(queries, [np.array([key(url(9))], dtype=np.uint64)])
    assert shown_precision(unjudged, matched, 4).judged is None


@pytest.mark.parametrize("seed", range(4))
def test_precision_equals_that_of_ir_measures_and_of_a_plain_count(
    index: pagekin.Index, seed: int
) -> None:
    """Pages of class 0 are not in the directory."""
    random = np.random.default_rng(seed)
    classes = {key(url(number)): int(random.integers(0, 4)) for number in range(PAGES)}
    rows = [Row(0, url(number), (f"c{classes[key(url(number))]}",)) for number in range(PAGES)]
    listed = [row for row in rows if row.path != ("c0",)]
    matched = matched_with(index.reader, Directory.from_rows(listed))
    pages = sorted(classes)
    asked = [page for page in pages if classes[page]]
    lists = []
    for page in asked:
        drawn = [pages[place] for place in random.permutation(PAGES) if pages[place] != page]
        lists.append(np.array(drawn[: random.integers(0, 13)], dtype=np.uint64))
    answers = RankedAnswers(np.array(asked, dtype=np.uint64), lists)
    qrels = [
        ir_measures.Qrel(str(page), str(other), int(classes[page] == classes[other]))
        for page in asked
        for other in asked
        if page != other
    ]
    run = [
        ir_measures.ScoredDoc(str(page), str(hit), -float(rank))
        for page, found in zip(asked, lists, strict=True)
        for rank, hit in enumerate(found.tolist())
    ]
    for k in (5, 10):
        measure = ir_measures.parse_measure(f"P@{k}")
        found = shown_precision(answers, matched, k)
        assert found.strict is not None and found.judged is not None
        assert found.strict.value == pytest.approx(
            ir_measures.calc_aggregate([measure], qrels, run)[measure]
        )
        known = [
            [classes[hit] == classes[page] for hit in found.tolist()[:k] if classes[hit]]
            for page, found in zip(asked, lists, strict=True)
        ]
        shares = [sum(right) / len(right) for right in known if right]
        assert found.judged.value == pytest.approx(np.mean(shares))


def test_queries_alone_in_their_class_leave_no_precision(index: pagekin.Index) -> None:
    rows = [Row(0, url(number), (f"class{max(number, 1)}",)) for number in range(4)]
    matched = matched_with(index.reader, Directory.from_rows(rows))
    hits = np.array([key(url(0))], dtype=np.uint64)
    found = shown_precision(RankedAnswers(sorted_ids(url(3)), [hits]), matched, 4)
    assert (found.judged, found.strict) == (None, None)


def test_queries_are_sampled_by_seed(index: pagekin.Index, tmp_path: Path) -> None:
    directory = tmp_path / "directory.tsv"
    directory.write_text("".join(f"{url(n)}\tclass{n % 3}\n" for n in range(PAGES)))
    sampled = [index.evaluate(directory, queries=6, seed=seed).shown for seed in (0, 0, 1)]
    assert sampled[0] == sampled[1] != sampled[2]
    assert sampled[0] is not None
    assert sampled[0].hits.queries == 6
    everything = index.evaluate(directory).shown
    assert everything is not None
    assert everything.hits.queries == PAGES
