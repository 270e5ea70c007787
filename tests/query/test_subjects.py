"""Concepts with mostly the same words are shown as one subject."""

import pytest

from pagekin.query import both_about, subjects
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


def test_no_word_is_in_two_subjects_and_none_is_the_name_of_the_site() -> None:
    concepts = [
        ConceptShare(1, [], ["numpy", "axis", "sum", "mean"], 0.3),
        ConceptShare(2, [], ["axis", "dtype", "shape", "order"], 0.2),
        ConceptShare(3, [], ["dtype", "shape", "mean", "view"], 0.05),
    ]
    found = subjects(concepts, "numpy.org")
    assert [each.words for each in found] == [["axis", "sum", "mean"], ["dtype", "shape", "order"]]
    assert [each.share for each in found] == pytest.approx([0.3, 0.25])


def test_both_about_names_three_subjects_by_six_words_of_both_pages() -> None:
    names = [["a", "b", "c"], ["d", "e", "f"], [], ["g", "h", "i"], ["j", "k", "l"]]
    concepts = [ConceptShare(at, ["x"], here, 0.1 - at / 100) for at, here in enumerate(names)]
    found = both_about(concepts)
    assert [str(each) for each in found] == ["a, b", "d, e", "g, h"]
    assert [str(each) for each in both_about(concepts[:1])] == ["a, b, c"]
    assert both_about(concepts[2:3]) == []


def test_words_of_the_crawl_name_a_subject_without_words_of_its_pages() -> None:
    found = subjects([ConceptShare(2, ["sea", "salt"], [], 0.1)])
    assert [str(each) for each in found] == ["sea, salt"]


def test_concepts_without_words_stay_separate() -> None:
    found = subjects([ConceptShare(2, [], [], 0.1), ConceptShare(3, [], [], 0.2)])
    assert [str(each) for each in found] == ["concept 3", "concept 2"]
    assert subjects([]) == []
