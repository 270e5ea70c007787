"""TREC runs: rows that cannot be used, ties, and answers in order."""

import gzip
from pathlib import Path

import numpy as np
import pytest

from pagekin import _core
from pagekin.errors import RunError
from pagekin.evaluation.truths.trec import TrecRun

A, B, C, D = (f"http://{name}.example/" for name in "abcd")
Ids = np.ndarray[tuple[int], np.dtype[np.uint64]]


def sorted_ids(*urls: str) -> Ids:
    return np.array(sorted(map(_core.url_id, urls)), dtype=np.uint64)


def run_of(path: Path, *rows: tuple[str, str, float]) -> TrecRun:
    text = "".join(f"{query} Q0 {page} 0 {score} x\n" for query, page, score in rows)
    path.write_text(text, encoding="utf-8")
    return TrecRun.read(path)


def test_score_orders_answers_and_the_best_of_a_page_counts(tmp_path: Path) -> None:
    run = run_of(tmp_path / "run", (A, B, 1), (A, C, 3), (A, D, 2), (A, B, 5), (B, A, 1))
    found = run.answers(sorted_ids(A), depth=2)
    assert found.queries.tolist() == [_core.url_id(A)]
    assert found.answers[0].tolist() == [_core.url_id(B), _core.url_id(C)]


def test_compressed_run_is_read(tmp_path: Path) -> None:
    plain = run_of(tmp_path / "run", (A, B, 1), (A, C, 3))
    (tmp_path / "run.gz").write_bytes(gzip.compress((tmp_path / "run").read_bytes()))
    packed = TrecRun.read(tmp_path / "run.gz")
    assert packed.pages.tolist() == plain.pages.tolist()
    assert (packed.rows, packed.scores.tolist()) == (2, [3, 1])


def test_rows_that_cannot_be_used_are_counted(tmp_path: Path) -> None:
    rows = [(A, A, 9.0), (A, B, 1.0), (A, B, 1.0), (A, B, 0.5), ("doc1", B, 1.0), (A, "doc2", 1.0)]
    found = run_of(tmp_path / "run", *rows).counts(sorted_ids(A, C))
    assert found.skipped == {
        "the query page as its own answer": 1,
        "not a valid URL": 2,
        "a page that a query has already": 2,
    }
    assert (found.rows, found.queries, found.unanswered, found.tied) == (6, 1, 1, 0)


def test_tied_rows_are_counted_by_query(tmp_path: Path) -> None:
    rows = [(A, B, 1.0), (A, C, 1.0), (A, D, 2.0), (B, A, 1.0), (B, C, 1.0), (B, D, 1.0)]
    run = run_of(tmp_path / "run", *rows)
    assert [run.counts(sorted_ids(url)).tied for url in (A, B, C)] == [2, 3, 0]
    assert run.counts(sorted_ids(A, B)).tied == 5


def test_tied_pages_have_one_order_whatever_that_of_the_file(tmp_path: Path) -> None:
    rows = [(A, B, 1.0), (A, C, 1.0), (A, D, 1.0)]
    orders = [rows, rows[::-1]]
    found = [run_of(tmp_path / "run", *order).answers(sorted_ids(A), 3) for order in orders]
    assert found[0].answers[0].tolist() == found[1].answers[0].tolist()


def test_run_without_rows_or_queries_is_rejected(tmp_path: Path) -> None:
    for rows in ([], [(A, A, 1.0)], [("doc1", "doc2", 1.0)]):
        with pytest.raises(RunError, match=f"none of its {len(rows)} rows answers a query page"):
            run_of(tmp_path / "run", *rows).answers(sorted_ids(B), 10)


def test_query_with_nothing_but_unusable_rows_has_no_answers(tmp_path: Path) -> None:
    found = run_of(tmp_path / "run", (A, A, 1.0)).answers(sorted_ids(A), 10)
    assert [hits.tolist() for hits in found.answers] == [[]]
