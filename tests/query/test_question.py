"""One question, one set of filters, and answers that can be iterated."""

from pathlib import Path
from typing import Any

import pytest

import pagekin
from pagekin import Filters, Question
from pagekin.errors import EngineError, InputError

ROSES = "http://www.hedgerow.example/plants/roses.html"


@pytest.mark.parametrize("given", [{}, {"unlike": (ROSES,)}, {"unlike_text": "roses"}])
def test_question_requires_something_to_be_like(given: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        Question(**given)


def test_filters_are_given_as_keywords_or_as_a_value_but_not_both(index: Path) -> None:
    opened = pagekin.open(index)
    by_keyword = opened.related(ROSES, k=5, exclude_site=True)
    by_value = opened.related(ROSES, filters=Filters(k=5, exclude_site=True))
    assert by_keyword.hits == by_value.hits
    assert len(by_keyword) == 5
    with pytest.raises(InputError, match="filters and k are both given"):
        opened.related(ROSES, k=5, filters=Filters())


def test_answers_iterate_over_their_hits(index: Path) -> None:
    opened = pagekin.open(index)
    related, found = opened.related(ROSES, k=3), opened.search("roses", k=3)
    assert [hit.url for hit in related] == [hit.url for hit in related.hits]
    assert (len(related), len(found)) == (3, 3)
    assert [*found] == found.hits
    pairs = opened.pairs(["garden", "pruning", "roses"])
    assert [*pairs] == pairs.sites


def test_index_is_closed_after_a_with_block(index: Path) -> None:
    with pagekin.open(index) as opened:
        assert opened.show(ROSES).url == ROSES
        assert opened.counts["pages"] > 0
    with pytest.raises(EngineError, match="closed"):
        opened.show(ROSES)
