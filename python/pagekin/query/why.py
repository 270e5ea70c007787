"""Why a hit is similar: shared terms, subjects, and citing pages."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pagekin import _core
from pagekin.index import IndexReader
from pagekin.types import Citation, ConceptShare, OtherTerms, TermShare, Why

__all__ = [
    "LIMITS",
    "Subject",
    "both_about",
    "concept_shares",
    "similarity",
    "subjects",
    "why",
]

TERMS = 8
"""Terms listed for a hit; the others are summed up."""
CONCEPTS = 4
"""Concepts listed for a hit."""
WORDS = 6
"""Words of the two pages that are listed for a concept."""
CITATIONS = 3
"""Citing pages listed for a hit."""
SNIPPET_WORDS = 16
"""Shared words that a snippet is made of: the heaviest."""
LIMITS = _core.ExplanationLimits(
    terms=TERMS,
    concepts=CONCEPTS,
    concept_words=WORDS,
    citations=CITATIONS,
    snippet_words=SNIPPET_WORDS,
)
SUBJECTS = 3
"""Subjects named for a hit."""
SUBJECT_WORDS, ALL_SUBJECT_WORDS = 4, 6
"""Words that name a subject, and all subjects of a hit together."""


def why(
    index: IndexReader, overlap: int, reasons: _core.Explanation, words: float | None = None
) -> Why:
    """The reasons for one hit, from what the core found and its score by words."""
    return Why(
        terms=[TermShare(term.word, _share(term.weight)) for term in reasons.terms],
        other_terms=_others(reasons.other_terms),
        concepts=[
            ConceptShare(
                concept.number,
                index.concept_words(concept.number),
                concept.words,
                _share(concept.weight),
            )
            for concept in reasons.concepts
        ],
        other_concepts=_others(reasons.other_concepts),
        intersection=_share(overlap),
        similarity=similarity(overlap),
        words=None if words is None else round(words, 6),
        cited_together_by=[Citation(page.url, page.quote) for page in reasons.citations],
    )


def similarity(overlap: int) -> float:
    """The weighted Jaccard similarity of two bags by their overlap, to six places."""
    return round(overlap / (2 * _core.TOTAL - overlap), 6)


def concept_shares(
    index: IndexReader, concepts: Sequence[tuple[int, float]], page: _core.PageRef
) -> list[ConceptShare]:
    """Concepts of a page, given by number and share, with the words of the page behind each."""
    model = index.concepts
    if model is None:
        return []
    numbers = [number for number, _ in concepts]
    terms = index.searcher.terms_for(model, numbers, page, WORDS)
    return [
        ConceptShare(number, index.concept_words(number), [*map(index.word, here)], share)
        for (number, share), here in zip(concepts, terms, strict=True)
    ]


@dataclass(frozen=True, slots=True)
class Subject:
    """Concepts whose first words are mostly the same, which people see as one subject."""

    words: list[str]
    concepts: list[ConceptShare]

    @property
    def share(self) -> float:
        """The sum of its concepts' shares."""
        return sum(concept.share for concept in self.concepts)

    def __str__(self) -> str:
        return ", ".join(self.words) or f"concept {self.concepts[0].concept}"


def subjects(concepts: Iterable[ConceptShare], site: str = "") -> list[Subject]:
    """The subjects of concepts, those with the largest share first, no word in two of them. Words
    in the name of the site stand on all its pages and name none."""
    names = {*re.split(r"[.\-]", site)}
    found: list[Subject] = []
    for concept in concepts:
        words = [word for word in concept.here or concept.words if word not in names]
        words = words[:SUBJECT_WORDS]
        same = (each for each in found if len({*words} & {*each.words}) * 2 >= len(words) > 0)
        taken = {word for each in found for word in each.words}
        if subject := next(same, None):
            subject.concepts.append(concept)
        else:
            found.append(Subject([word for word in words if word not in taken], [concept]))
    return sorted(found, key=lambda subject: -subject.share)


def both_about(concepts: Iterable[ConceptShare], site: str = "") -> list[Subject]:
    """The first subjects of a hit, by words that it shares with the question."""
    found = subjects([concept for concept in concepts if concept.here], site)[:SUBJECTS]
    most = ALL_SUBJECT_WORDS // (len(found) or 1)
    return [Subject(subject.words[:most], subject.concepts) for subject in found]


def _share(weight: int) -> float:
    """A weight as a fraction of a bag, to six places."""
    # The same as `round`: no weight is halfway between two values.
    return (weight * 1_000_000 + _core.TOTAL // 2) // _core.TOTAL / 1_000_000


def _others(others: _core.Remainder) -> OtherTerms:
    return OtherTerms(others.count, _share(others.weight))
