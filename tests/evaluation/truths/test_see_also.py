"""See-also files: their forms, and what cannot be used."""

import gzip
from pathlib import Path

import numpy as np
import pytest

import pagekin
from pagekin import _core
from pagekin.errors import SeeAlsoError
from pagekin.evaluation import SeeAlso
from pagekin.evaluation.truths.see_also import match_see_also
from tests.archives import page

A, B, C = "http://a.example/", "http://b.example/", "http://c.example/"


def written(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def pairs_of(truth: SeeAlso) -> set[tuple[int, int]]:
    return set(zip(truth.queries.tolist(), truth.related.tolist(), strict=True))


def ids(*pairs: tuple[str, str]) -> set[tuple[int, int]]:
    return {(_core.url_id(one), _core.url_id(other)) for one, other in pairs}


@pytest.mark.parametrize(
    "text",
    [
        f"{A}\t{B}\n{A}\t{C}\n",
        f"{A},{B}\n{A},{C}\n",
        f"query\trelated\n# a comment\n\n{A}\t{B}\n{A}\t{C}\n",
        f"{A} 0 {B} 1\n{A} 0 {C} 3\n{B} 0 {C} 0\n",
        f"{A}\t0\t{B}\t1\n{A}\t0\t{C}\t3\n{B}\t0\t{C}\t0\n",
        f"\ufeff{A}\t{B}\r\n{A}\t{C}\r\n",
    ],
    ids=["TSV", "CSV", "heading", "qrels", "qrels with TABs", "BOM"],
)
def test_forms_give_the_same_pairs(tmp_path: Path, text: str) -> None:
    path = written(tmp_path / "pairs", text)
    assert pairs_of(SeeAlso.read(path)) == ids((A, B), (A, C))
    (tmp_path / "pairs.gz").write_bytes(gzip.compress(text.encode()))
    assert pairs_of(SeeAlso.read(tmp_path / "pairs.gz")) == ids((A, B), (A, C))


def test_rows_that_cannot_be_used_are_counted(tmp_path: Path) -> None:
    text = f"{A}\t{B}\n{A}\t{B}\n{A}\t{A}\nnot a url\t{B}\n{A}\tmailto:b@example\n"
    truth = SeeAlso.read(written(tmp_path / "pairs", text))
    assert pairs_of(truth) == ids((A, B))
    assert truth.skipped == {
        "a page related to itself": 1,
        "not a valid URL": 2,
        "a pair that is there already": 1,
    }


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("", "no pair of pages (no row)"),
        (f"{A}\t{A}\n", "no pair of pages (1 a page related to itself)"),
        (f"{A}\n", "no pair of pages (1 no related page in the row)"),
        (f"{A} {B}\n", "line 1: not two URLs"),
        (f"{A}\t{B}\n\t{A}\n", "line 2: not two URLs"),
        (f"{A} 0 {B} high\n", "line 1: 'high' is not a grade"),
        (f'{A},{B}\n"{A},{B}\n', "line 2: not a line of CSV"),
    ],
)
def test_malformed_file_is_rejected(tmp_path: Path, text: str, what: str) -> None:
    with pytest.raises(SeeAlsoError) as error:
        SeeAlso.read(written(tmp_path / "pairs", text))
    assert what in str(error.value)


def test_missing_file_and_bytes_are_rejected(tmp_path: Path) -> None:
    with pytest.raises(SeeAlsoError, match="the see-also file cannot be read"):
        SeeAlso.read(tmp_path / "missing")
    (tmp_path / "bytes").write_bytes(b"\xff\xfe\x00\t\xff\n")
    with pytest.raises(SeeAlsoError, match="not UTF-8"):
        SeeAlso.read(tmp_path / "bytes")


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> pagekin.Index:
    """Page a links to b and c, and c to nothing; d was not crawled."""
    folder = tmp_path_factory.mktemp("see-also")
    warc = folder / "crawl.warc"
    links = f'<a href="{B}">bees</a> <a href="http://d.example/">drones</a>'
    warc.write_bytes(page("a", f"honey {links}") + page("b", "bees") + page("c", "honey combs"))
    pagekin.build(warc, folder / "index")
    return pagekin.open(folder / "index")


def test_pairs_are_matched_with_the_crawl(tmp_path: Path, index: pagekin.Index) -> None:
    rows = [(A, B), (A, C), (A, "http://d.example/"), ("http://x.example/", A)]
    text = "".join(f"{one}\t{other}\n" for one, other in rows)
    matched = match_see_also(index.reader, SeeAlso.read(written(tmp_path / "pairs", text)))
    found = dict(zip(matched.related.tolist(), matched.linked.tolist(), strict=True))
    assert found == {_core.url_id(B): True, _core.url_id(C): False}
    assert matched.skipped == {
        "the query page was not crawled": 1,
        "the related page was not crawled": 1,
    }
    assert np.unique(matched.queries).tolist() == [_core.url_id(A)]


@pytest.mark.parametrize(
    ("row", "without"),
    [
        (f"{B} 0 {B} 1\n", 1),
        (f"{B} 0 {C} 0\n", 1),
        (f"{B} 0 http://d.example/ 1\n", 1),
        (f"{B}\n", 1),
        (f"{B},\n", 1),
        (f"http://x.example/ 0 {B} 0\n", 0),
        (f"{B} 0 {C} 0\n{B} 0 {A} 1\n", 0),
    ],
    ids=[
        "itself",
        "not relevant",
        "not crawled",
        "alone",
        "an empty cell",
        "a query that was not crawled",
        "another",
    ],
)
def test_queries_without_related_pages_are_counted(
    tmp_path: Path, index: pagekin.Index, row: str, without: int
) -> None:
    found = index.evaluate_see_also(written(tmp_path / "qrels", f"{A} 0 {C} 1\n{row}"))
    assert found.without_related == without
    assert found.all.queries == 2 - without - row.startswith("http://x")


def test_no_pair_of_the_crawl_is_an_error(tmp_path: Path, index: pagekin.Index) -> None:
    path = written(tmp_path / "pairs", "http://x.example/\thttp://y.example/\n")
    with pytest.raises(SeeAlsoError, match="no pair of its 1 has both pages in the crawl"):
        index.evaluate_see_also(path)


def test_strict_leaves_out_pages_that_the_query_links_to(
    tmp_path: Path, index: pagekin.Index
) -> None:
    found = index.evaluate_see_also(written(tmp_path / "pairs", f"{A}\t{B}\n{A}\t{C}\n"))
    assert (found.all.queries, found.all.relevant) == (1, 2)
    assert found.strict is not None
    assert (found.strict.queries, found.strict.relevant) == (1, 1)
    linked_only = index.evaluate_see_also(written(tmp_path / "linked", f"{A}\t{B}\n"))
    assert linked_only.strict is None


def test_run_is_evaluated_instead_of_the_index(tmp_path: Path, index: pagekin.Index) -> None:
    truth = written(tmp_path / "pairs", f"{A}\t{B}\n{C}\t{A}\n")
    run = written(
        tmp_path / "run",
        f"{A} Q0 {C} 1 0.9 x\n{A} Q0 {B} 2 0.5 x\n{A} Q0 {B} 3 0.1 x\n{A} Q0 {A} 4 2 x\n",
    )
    found = index.evaluate_see_also(truth, run=run)
    assert (found.strategy, found.hits) == (None, None)
    assert found.all.measures["RR@10"].value == pytest.approx((1 / 2 + 0) / 2)
    with pytest.raises(pagekin.errors.RunError, match="none of its 1 rows answers a query page"):
        index.evaluate_see_also(truth, run=written(tmp_path / "other", f"{B} Q0 {A} 1 1 x\n"))
