"""Concepts with the same words are shown as one subject."""

import pytest

from pagekin.query import subjects
from pagekin.types import ConceptShare


def test_concepts_with_the_same_words_form_one_subject() -> None:
    concepts = [
        ConceptShare(1, ["sea"], ["boats", "sails", "masts", "ropes", "tar"], 0.3),
        ConceptShare(4, ["oak"], ["trees", "leaves"], 0.25),
        ConceptShare(7, ["war"], ["ropes", "boats", "sails", "masts", "wine"], 0.2),
        ConceptShare(9, ["war"], ["leaves", "trees"], 0.3),
    ]
    found = subjects(concepts)
    assert [str(each) for each in found] == ["trees, leaves", "boats, sails, masts, ropes"]
    assert [each.share for each in found] == pytest.approx([0.55, 0.5])
    assert [[each.concept for each in subject.concepts] for subject in found] == [[4, 9], [1, 7]]


def test_words_of_the_crawl_name_a_subject_without_words_of_its_pages() -> None:
    found = subjects([ConceptShare(2, ["sea", "salt"], [], 0.1)])
    assert [str(each) for each in found] == ["sea, salt"]


def test_concepts_without_words_stay_separate() -> None:
    found = subjects([ConceptShare(2, [], [], 0.1), ConceptShare(3, [], [], 0.2)])
    assert [str(each) for each in found] == ["concept 3", "concept 2"]
    assert subjects([]) == []
