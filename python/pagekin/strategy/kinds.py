"""The sections about kinds of evidence: `[kinds]`, and `[concept]` and `[topic]`, which are learnt.

The latter are truncated SVDs of matrices of pages and terms. Concepts are many and fine, topics few
and coarse.
"""

from dataclasses import dataclass

from pagekin.errors import StrategyError
from pagekin.strategy import checks

__all__ = ["EVIDENCE", "MAX_PAGES", "PAGES_A_COMPONENT", "Concept", "Kinds", "Topic"]

EVIDENCE = ("content", "anchor", "link")
"""The kinds of evidence, in the order of the core. `Kinds`, `Concept` and `Topic` have a weight for
each."""
MAX_PAGES = 1 << 16
"""Maximum number of pages from which concepts are learnt."""
PAGES_A_COMPONENT = 4
"""With fewer pages per component, components would describe single pages."""


@dataclass(frozen=True, slots=True)
class Kinds:
    """The weight of each kind of evidence; 0 leaves the kind out.

    Concepts and topics are derived from the other kinds; their weights are relative to all others
    together.
    """

    content: float = 1.0
    anchor: float = 1.0
    link: float = 0.0
    concept: float = 0.0
    topic: float = 0.0

    def __post_init__(self) -> None:
        for name in (*EVIDENCE, "concept", "topic"):
            given = getattr(self, name)
            # Fragment weights are fixed-point: beyond these bounds they would vanish or overflow.
            object.__setattr__(self, name, checks.weight(f"kinds.{name}", given, 0.001, 1000))
        if not (any(self.evidence) or self.concept):
            raise StrategyError("kinds", self, "at least one kind with a weight above 0")

    @property
    def evidence(self) -> tuple[float, ...]:
        """The weights of the kinds of evidence."""
        return tuple(getattr(self, name) for name in EVIDENCE)


class _Decomposition:
    """What both sections have: a number of components, and the weights of kinds in the matrix."""

    __slots__ = ()
    components: int
    mixed: int

    @property
    def evidence(self) -> tuple[float, ...]:
        """The weights of the kinds of evidence in the matrix."""
        return tuple(getattr(self, name) for name in EVIDENCE)

    def max_terms(self, pages: int) -> int:
        """The number of concepts or topics that N pages give if they have enough in common."""
        components = min(self.components, pages // PAGES_A_COMPONENT)
        mixed = min(self.mixed, 1 << max(components.bit_length() - 1, 0))
        return 2 * (components + (mixed if mixed > 1 and components > 1 else 0))

    def _check(self, section: str) -> None:
        checks.whole_number(f"{section}.components", self.components, 1, 500)
        checks.whole_number(f"{section}.mixed", self.mixed, 0, self.components)
        if self.mixed == 1 or self.mixed.bit_count() > 1:
            raise StrategyError(f"{section}.mixed", self.mixed, "0 or a power of two from 2 on")
        for name in EVIDENCE:
            given = getattr(self, name)
            object.__setattr__(self, name, checks.weight(f"{section}.{name}", given, 0.001, 1000))
        if not any(self.evidence):
            raise StrategyError(section, self, "at least one kind with a weight above 0")


@dataclass(frozen=True, slots=True)
class Concept(_Decomposition):
    """How concepts are learnt: by a truncated SVD of a matrix of pages and terms.

    The matrix has the `pages` crawled pages with the smallest ids, and the `terms` terms that
    occur in most of them. An entry is the weight of the term in the page, with these weights of
    the kinds, to the power of `power`. The SVD has `components` components, and `mixed` more are
    mixed from the first `mixed` of them; each component gives two concepts. The concepts of the
    pages that a page links to, if they are in the matrix, are added to its own with the weight
    `cited`.
    """

    components: int = 50
    mixed: int = 0
    content: float = 1.0
    anchor: float = 0.25
    link: float = 0.0
    power: float = 0.5
    cited: float = 0.0
    pages: int = 4096
    terms: int = 8192

    def __post_init__(self) -> None:
        self._check("concept")
        power = checks.number("concept.power", self.power, 0.1, 2)
        object.__setattr__(self, "power", power)
        object.__setattr__(self, "cited", checks.number("concept.cited", self.cited, 0, 10))
        checks.whole_number("concept.pages", self.pages, 2, MAX_PAGES)
        checks.whole_number("concept.terms", self.terms, 2, 1 << 17)


@dataclass(frozen=True, slots=True)
class Topic(_Decomposition):
    """How topics are learnt: a second, coarser SVD beside that of the concepts.

    It has fewer components, and may have other weights of the kinds in its matrix; pages, terms and
    power are those of `Concept`.
    """

    components: int = 20
    mixed: int = 16
    content: float = 1.0
    anchor: float = 1.0
    link: float = 1.5

    def __post_init__(self) -> None:
        self._check("topic")
