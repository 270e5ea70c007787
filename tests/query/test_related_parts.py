"""The note at the end of a list."""

from pathlib import Path

import pagekin
from pagekin import Question
from tests.crawls import build_pages

ROSES = "http://www.hedgerow.example/plants/roses.html"


def test_note_says_that_a_list_was_cut(index: Path) -> None:
    question = Question(urls=(ROSES,))
    answer = pagekin.open(index).related_part(question, k=100, pages="all", min_agreement=1e-9)
    assert (len(answer.hits), answer.exact) == (100, False)
    assert answer.note == "the list ends after 100 pages; use exact to see more"


def test_list_of_an_exact_answer_has_no_limit(index: Path) -> None:
    question, opened = Question(urls=(ROSES,)), pagekin.open(index)
    whole = opened.related_part(question, k=120, pages="all")
    assert (len(whole.hits), whole.exact, whole.note) == (120, True, None)
    parts = [
        opened.related_part(question, offset=offset, k=40, pages="all").hits
        for offset in (0, 40, 80)
    ]
    assert [hit for part in parts for hit in part] == whole.hits


def test_complete_list_has_no_note(tmp_path: Path) -> None:
    pages = {str(number): "<p>roses and hellebores" for number in range(20)}
    folder = build_pages(tmp_path, pages, pagekin.Strategy())
    question = Question(urls=("http://t.example/0.html",))
    answer = pagekin.open(folder).related_part(question, k=100, copy_score=1)
    assert len(answer.hits) == 19
    assert answer.note is None
