"""The nine sections of a strategy, named as in its TOML form.

Each section is checked on construction, so every instance is valid. `Strategy` checks what depends
on two sections.
"""

from dataclasses import dataclass
from typing import Literal

from pagekin.errors import StrategyError
from pagekin.strategy import checks

__all__ = [
    "EVIDENCE",
    "MOST_PAGES",
    "STEMMERS",
    "Concept",
    "Frequency",
    "Kinds",
    "Lead",
    "Mix",
    "Site",
    "Sketch",
    "Window",
    "Words",
]

EVIDENCE = ("content", "anchor", "link")
"""The kinds of evidence, in the order of the core. `Kinds` and `Concept` have a weight for each."""

STEMMERS = (
    "porter",
    "arabic",
    "danish",
    "dutch",
    "english",
    "finnish",
    "french",
    "german",
    "greek",
    "hungarian",
    "italian",
    "norwegian",
    "portuguese",
    "romanian",
    "russian",
    "spanish",
    "swedish",
    "tamil",
    "turkish",
)
STOP_LISTS = ("english", "none")

# 4 and 1.5 at N = 4,598 pages, as fractions of ln N.
MU = 0.474
SIGMA = 0.178

MOST_PAGES = 1 << 16
"""Maximum number of pages from which concepts are learnt."""


@dataclass(frozen=True, slots=True)
class Kinds:
    """The weight of each kind of evidence; 0 leaves the kind out.

    Concepts are derived from the other kinds; their weight is relative to all others together.
    """

    content: float = 1.0
    anchor: float = 1.0
    link: float = 0.0
    concept: float = 0.0

    def __post_init__(self) -> None:
        for name in (*EVIDENCE, "concept"):
            given = getattr(self, name)
            # Fragment weights are fixed-point: beyond these bounds they would vanish or overflow.
            object.__setattr__(self, name, checks.weight(f"kinds.{name}", given, 0.001, 1000))
        if not (any(self.evidence) or self.concept):
            raise StrategyError("kinds", self, "at least one kind with a weight above 0")

    @property
    def evidence(self) -> tuple[float, ...]:
        """The weights of the kinds of evidence."""
        return tuple(getattr(self, name) for name in EVIDENCE)


@dataclass(frozen=True, slots=True)
class Window:
    """The words around an anchor: `size` words on each side, or fewer where a break ends it.

    Answers quote the words of a window, so it has a size even where the anchor kind is not used.
    Distance weights are log2(32 / (1 + d)), never below 0.
    """

    kind: Literal["basic", "syntactic", "topical"] = "basic"
    size: int = 32
    distance: bool = True

    def __post_init__(self) -> None:
        checks.choice("window.kind", self.kind, ("basic", "syntactic", "topical"))
        checks.whole_number("window.size", self.size, 0, 1000)
        checks.flag("window.distance", self.distance)


@dataclass(frozen=True, slots=True)
class Lead:
    """How much more the beginning of a page counts than the rest.

    The word at position p, not counting stop words, has the weight half / (half + p): a word at
    position `half` weighs half as much as the first. With 0 all words weigh the same.
    """

    half: int = 0

    def __post_init__(self) -> None:
        checks.whole_number("lead.half", self.half, 0, 100_000)


@dataclass(frozen=True, slots=True)
class Words:
    """How words become terms, and which words are left out.

    `stem` uses stems as terms, `stopstem` uses stems only to match the stop list. Stop words are
    the name of a built-in list, or the words themselves, so that an index needs no other file.
    """

    stemming: Literal["nostem", "stem", "stopstem"] = "stem"
    stemmer: str = "porter"
    stop_words: str | tuple[str, ...] = "english"

    def __post_init__(self) -> None:
        checks.choice("words.stemming", self.stemming, ("nostem", "stem", "stopstem"))
        checks.choice("words.stemmer", self.stemmer, STEMMERS)
        words = checks.stop_words("words.stop_words", self.stop_words, STOP_LISTS)
        object.__setattr__(self, "stop_words", words)
        if self.stemming == "nostem" and self.stemmer != "porter":
            raise StrategyError("words.stemmer", self.stemmer, "none: stemming is nostem")
        if self.stemming == "stopstem" and self.stop_words == "none":
            allowed = "a stop list: stopstem stems words only to find them in it"
            raise StrategyError("words.stop_words", self.stop_words, allowed)


@dataclass(frozen=True, slots=True)
class Frequency:
    """How a term's document frequency changes its weight.

    log is tf / (1 + log2 df), sqrt is tf / sqrt(df), nmdf is tf · exp(-½ ((ln df - m) / s)²) with
    m = mu · ln N and s = sigma · ln N, N being the number of bags. The others have no mu and sigma.
    """

    weight: Literal["none", "log", "sqrt", "nmdf"] = "nmdf"
    mu: float | None = None
    sigma: float | None = None

    def __post_init__(self) -> None:
        checks.choice("frequency.weight", self.weight, ("none", "log", "sqrt", "nmdf"))
        if self.weight == "nmdf":
            self._fill_in()
        else:
            self._refuse_parameters()

    def _fill_in(self) -> None:
        mu = MU if self.mu is None else self.mu
        sigma = SIGMA if self.sigma is None else self.sigma
        object.__setattr__(self, "mu", checks.number("frequency.mu", mu, 0, 1))
        # A narrower bell would leave nearly every bag empty.
        object.__setattr__(self, "sigma", checks.number("frequency.sigma", sigma, 0.01, 10))

    def _refuse_parameters(self) -> None:
        for name in ("mu", "sigma"):
            value = getattr(self, name)
            if value is not None:
                allowed = f'only with weight = "nmdf", and weight is "{self.weight}"'
                raise StrategyError(f"frequency.{name}", value, allowed)


@dataclass(frozen=True, slots=True)
class Mix:
    """How kinds are combined: scaled to the same sum before weighting, or unscaled."""

    normalise_kinds: bool = False

    def __post_init__(self) -> None:
        checks.flag("mix.normalise_kinds", self.normalise_kinds)


@dataclass(frozen=True, slots=True)
class Sketch:
    """How bags are sketched, and which pages can be candidates.

    More positions estimate similarities more precisely and take proportionally more space. Pages
    with fewer inlinks than `min_inlinks` are left out of the inverted tables; only a comparison of
    every page finds them.
    """

    positions: int = 80
    seed: int = 0
    min_inlinks: int = 0

    def __post_init__(self) -> None:
        checks.whole_number("sketch.positions", self.positions, 1, 4096)
        checks.whole_number("sketch.seed", self.seed, 0, (1 << 63) - 1)
        checks.whole_number("sketch.min_inlinks", self.min_inlinks, 0, (1 << 32) - 1)


@dataclass(frozen=True, slots=True)
class Site:
    """Which pages form a site: those of a host, or of a registrable domain.

    A registrable domain is a public suffix and the name before it: `bbc.co.uk`.
    """

    kind: Literal["host", "domain"] = "host"

    def __post_init__(self) -> None:
        checks.choice("site.kind", self.kind, ("host", "domain"))


@dataclass(frozen=True, slots=True)
class Concept:
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
        checks.whole_number("concept.components", self.components, 1, 500)
        self._check_mixed()
        for name in EVIDENCE:
            given = getattr(self, name)
            object.__setattr__(self, name, checks.weight(f"concept.{name}", given, 0.001, 1000))
        if not any(self.evidence):
            raise StrategyError("concept", self, "at least one kind with a weight above 0")
        power = checks.number("concept.power", self.power, 0.1, 2)
        object.__setattr__(self, "power", power)
        object.__setattr__(self, "cited", checks.number("concept.cited", self.cited, 0, 10))
        checks.whole_number("concept.pages", self.pages, 2, MOST_PAGES)
        checks.whole_number("concept.terms", self.terms, 2, 1 << 17)

    def _check_mixed(self) -> None:
        checks.whole_number("concept.mixed", self.mixed, 0, self.components)
        if self.mixed == 1 or self.mixed.bit_count() > 1:
            raise StrategyError("concept.mixed", self.mixed, "0 or a power of two from 2 on")

    @property
    def evidence(self) -> tuple[float, ...]:
        """The weights of the kinds of evidence in the matrix."""
        return tuple(getattr(self, name) for name in EVIDENCE)

    @property
    def wanted(self) -> int:
        """The number of concepts, if the pages have enough in common."""
        return 2 * (self.components + self.mixed)
