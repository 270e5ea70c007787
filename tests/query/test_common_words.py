"""The few words that tell readers what two pages are both about."""

from dataclasses import replace
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

import pagekin
from pagekin.query import common_words
from pagekin.types import ConceptShare, Hit, OtherTerms, TermShare, Why

NONE = OtherTerms(0, 0.0)


def hit(terms: list[str], here: list[str], site: str = "www.roses.example") -> Hit:
    why = Why(
        terms=[TermShare(term, 0.01) for term in terms],
        other_terms=NONE,
        concepts=[ConceptShare(0, [], here, 0.1)] if here else [],
        other_concepts=NONE,
        intersection=0.1,
        similarity=0.1,
        words=None,
        cited_together_by=[],
    )
    return Hit(
        url=f"http://{site}/",
        title=None,
        site=site,
        score=0.1,
        crawled=True,
        date=None,
        language=None,
        snippet=None,
        replay=None,
        copies=[],
        why=why,
    )


def test_shared_words_that_name_a_subject_come_first() -> None:
    assert common_words(hit(["shed", "pruning", "soil"], ["soil", "pruning"])) == [
        "pruning",
        "soil",
        "shed",
    ]


def test_site_name_numbers_addresses_and_repetitions_are_left_out() -> None:
    terms = ["roses", "2024", "http://a.example/", "of", "prune", "pruned", "庭"]
    assert common_words(hit(terms, [])) == ["prune", "庭"]


@given(st.lists(st.text(max_size=12), max_size=8), st.lists(st.text(max_size=12), max_size=6))
def test_words_are_few_distinct_and_shared(terms: list[str], here: list[str]) -> None:
    found = common_words(hit(terms, here), 2)
    assert len(found) == len({*found}) <= 2 and {*found} <= {*terms}


def test_nothing_in_common_gives_no_words() -> None:
    alone = hit([], ["soil"])
    assert common_words(alone) == [] == common_words(replace(alone, site=""))


def test_words_of_the_sample_stand_in_both_pages(index: Path) -> None:
    opened = pagekin.open(index)
    url = "http://www.hedgerow.example/plants/roses.html"
    for each in opened.related(url, k=5):
        words = common_words(each)
        assert words and {*words} <= {term.term for term in each.why.terms}
