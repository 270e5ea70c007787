"""What people are told of concepts: those that pages have by the same words are one subject."""

from collections.abc import Iterable
from dataclasses import dataclass

from pagekin.types import ConceptShare

__all__ = ["Subject", "subjects"]

WORDS = 4
"""Words that a subject is told by."""


@dataclass(frozen=True, slots=True)
class Subject:
    """Concepts whose first words are the same, in whatever order."""

    words: list[str]
    concepts: list[ConceptShare]

    @property
    def share(self) -> float:
        """What its concepts are together."""
        return sum(concept.share for concept in self.concepts)

    def __str__(self) -> str:
        return ", ".join(self.words) or f"concept {self.concepts[0].concept}"


def subjects(concepts: Iterable[ConceptShare]) -> list[Subject]:
    """The subjects of concepts, those with the largest share first."""
    found: dict[frozenset[str] | int, Subject] = {}
    for concept in concepts:
        words = (concept.here or concept.words)[:WORDS]
        key = frozenset(words) or concept.concept
        found.setdefault(key, Subject(words, [])).concepts.append(concept)
    return sorted(found.values(), key=lambda subject: -subject.share)
