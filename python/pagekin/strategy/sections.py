"""The sections of a strategy, named as in its TOML form; `kinds` has the others.

Each section is checked on construction, so every instance is valid. `Strategy` checks what depends
on two sections.
"""

from dataclasses import dataclass
from typing import Literal

from pagekin.errors import StrategyError
from pagekin.strategy import checks

__all__ = [
    "STEMMERS",
    "Frequency",
    "Lead",
    "Mix",
    "Site",
    "Sketch",
    "Template",
    "Window",
    "Words",
]

AUTO = "auto"
"""The stemmer or stop list of the language of each page."""
STEMMERS = (
    "porter",
    "arabic",
    "armenian",
    "basque",
    "catalan",
    "czech",
    "danish",
    "dutch",
    "english",
    "esperanto",
    "estonian",
    "finnish",
    "french",
    "german",
    "greek",
    "hindi",
    "hungarian",
    "indonesian",
    "irish",
    "italian",
    "lithuanian",
    "nepali",
    "norwegian",
    "persian",
    "polish",
    "portuguese",
    "romanian",
    "russian",
    "serbian",
    "sesotho",
    "spanish",
    "swedish",
    "tamil",
    "turkish",
    "yiddish",
)
STOP_LISTS = (AUTO, "english", "none")

# 4 and 1.5 at N = 4,598 pages, as fractions of ln N.
MU = 0.474
SIGMA = 0.178


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
class Template:
    """Parts that a site repeats: menus, headers, footers, breadcrumbs.

    A text between two breaks that is on `pages` pages of a host is its template, and no evidence;
    links in it count once, with their own words. With 0 everything is evidence. In a small crawl
    fewer pages are enough: one page in twenty of the crawl, but at least three.
    """

    pages: int = 0

    def __post_init__(self) -> None:
        checks.whole_number("template.pages", self.pages, 0, (1 << 32) - 1)
        if self.pages == 1:
            raise StrategyError("template.pages", self.pages, "0, or 2 and more")

    def min_pages(self, crawled: int) -> int:
        """The number of pages that make a template in a crawl of N pages; 0 without templates."""
        return min(self.pages, max(crawled // 20, 3))


@dataclass(frozen=True, slots=True)
class Words:
    """How words become terms, and which words are left out.

    With `auto`, stemmer and stop words are those of the language of the page that the words are on.
    `stem` uses stems as terms, `stopstem` uses stems only to match the stop list. Stop words are
    the name of a built-in list, or the words themselves, so that an index needs no other file.
    """

    stemming: Literal["nostem", "stem", "stopstem"] = "stem"
    stemmer: str = "porter"
    stop_words: str | tuple[str, ...] = "english"

    def __post_init__(self) -> None:
        checks.choice("words.stemming", self.stemming, ("nostem", "stem", "stopstem"))
        checks.choice("words.stemmer", self.stemmer, (AUTO, *STEMMERS))
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
