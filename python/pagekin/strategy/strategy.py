"""The strategy: its sections, its presets, and its conversions.

Invariants: every instance is valid, and `from_toml(to_toml())` is the identity.
"""

import hashlib
from dataclasses import asdict, dataclass, field, fields, replace
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple, Self, TypedDict, get_type_hints

from pagekin.errors import StrategyError, nearest
from pagekin.strategy import toml
from pagekin.strategy.sections import (
    MU,
    SIGMA,
    Concept,
    Frequency,
    Kinds,
    Lead,
    Mix,
    Site,
    Sketch,
    Window,
    Words,
)

__all__ = ["CoreStrategy", "Strategy", "presets"]

DEFAULT = "concepts"


class CoreStrategy(TypedDict):
    """The plain values for the Rust core; `stop_words` None selects its built-in list."""

    content_weight: float
    anchor_weight: float
    link_weight: float
    window_kind: str
    window_size: int
    distance: bool
    lead: int
    stemming: str
    stemmer: str
    stop_words: list[str] | None
    frequency: str
    mu: float
    sigma: float
    normalise_kinds: bool
    concept_weight: float
    concept_kinds: tuple[float, ...]
    concept_power: float
    concept_cited: float


class Needs(NamedTuple):
    """Which kinds of evidence are gathered, in the order of `EVIDENCE`."""

    content: bool
    anchor: bool
    link: bool
    cited: bool


@dataclass(frozen=True, slots=True)
class Strategy:
    """How bags are made, weighted and sketched. The defaults are those of `paper-best`."""

    kinds: Kinds = field(default_factory=Kinds)
    window: Window = field(default_factory=Window)
    words: Words = field(default_factory=Words)
    frequency: Frequency = field(default_factory=Frequency)
    mix: Mix = field(default_factory=Mix)
    sketch: Sketch = field(default_factory=Sketch)
    site: Site = field(default_factory=Site)
    concept: Concept = field(default_factory=Concept)
    lead: Lead = field(default_factory=Lead)

    def __post_init__(self) -> None:
        for name, kind in get_type_hints(toml.Sections).items():
            if not isinstance(getattr(self, name), kind):
                raise StrategyError(name, getattr(self, name), f"a {kind.__name__}")
        if not self.kinds.concept:
            self._refuse_concept()
        if self.window.distance and not self.needs.anchor:
            allowed = "false, because kinds.anchor is 0 and windows have no weight"
            raise StrategyError("window.distance", True, allowed)
        if self.lead.half and not self.needs.content:
            allowed = "0, because kinds.content is 0 and words of a page have no weight"
            raise StrategyError("lead.half", self.lead.half, allowed)

    def _refuse_concept(self) -> None:
        usual = Concept()
        for each in fields(Concept):
            value = getattr(self.concept, each.name)
            if value != getattr(usual, each.name):
                allowed = "only with a weight of kinds.concept above 0"
                raise StrategyError(f"concept.{each.name}", value, allowed)

    @property
    def needs(self) -> Needs:
        """The kinds of evidence that bags or concepts need."""
        about = self.kinds.concept > 0
        weights = zip(self.kinds.evidence, self.concept.evidence, strict=True)
        needed = (own > 0 or (about and learnt > 0) for own, learnt in weights)
        return Needs._make([*needed, about and self.concept.cited > 0])

    @property
    def matrix(self) -> "Strategy":
        """The strategy for the bags from which concepts are learnt; it has no concepts itself."""
        kinds = Kinds(*self.concept.evidence)
        window = replace(self.window, distance=self.window.distance and kinds.anchor > 0)
        return replace(self, kinds=kinds, window=window, concept=Concept())

    @classmethod
    def from_toml(cls, text: str, *, folder: Path | None = None) -> Self:
        """Read the TOML form; omitted keys are as in `paper-best`."""
        return cls(*toml.read_sections(text, folder))

    @classmethod
    def from_tables(cls, tables: dict[str, dict[str, Any]]) -> Self:
        """The strategy with these values by section and name; the rest as in `paper-best`."""
        return cls(*toml.sections_of(tables, None))

    @classmethod
    def load(cls, name: str | PathLike[str]) -> "Strategy":
        """A preset by its name, or a strategy from a TOML file."""
        known = presets()
        if isinstance(name, str) and name in known:
            return known[name]
        path = Path(name)
        try:
            return cls.from_toml(_text_of(path), folder=path.parent)
        except StrategyError as error:
            error.where = str(path)
            raise

    def to_toml(self) -> str:
        """The canonical TOML form."""
        return toml.write_sections(self.as_dict())

    def as_dict(self) -> dict[str, dict[str, Any]]:
        """The sections as plain values, for JSON."""
        return asdict(self)

    @property
    def fingerprint(self) -> str:
        """Sixteen hexadecimal digits that identify the strategy."""
        return hashlib.sha256(self.to_toml().encode()).hexdigest()[:16]

    def to_core(self) -> CoreStrategy:
        """The flat form for the Rust core, which ignores mu and sigma unless the weight is nmdf."""
        mu, sigma, concept = self.frequency.mu, self.frequency.sigma, self.concept
        return CoreStrategy(
            content_weight=self.kinds.content,
            anchor_weight=self.kinds.anchor,
            link_weight=self.kinds.link,
            window_kind=self.window.kind,
            window_size=self.window.size,
            distance=self.window.distance,
            lead=self.lead.half,
            stemming=self.words.stemming,
            stemmer=self.words.stemmer,
            stop_words=_core_stop_words(self.words.stop_words),
            frequency=self.frequency.weight,
            mu=MU if mu is None else mu,
            sigma=SIGMA if sigma is None else sigma,
            normalise_kinds=self.mix.normalise_kinds,
            concept_weight=self.kinds.concept,
            concept_kinds=concept.evidence,
            concept_power=concept.power,
            concept_cited=concept.cited,
        )


def presets() -> dict[str, Strategy]:
    """The named strategies, the default first."""
    no_distance = Window(distance=False)
    return {
        DEFAULT: Strategy(
            kinds=Kinds(concept=2.0),
            mix=Mix(normalise_kinds=True),
            concept=Concept(components=40, mixed=16, anchor=1.0, cited=0.5),
            lead=Lead(30),
        ),
        "paper-best": Strategy(),
        "paper-worst": Strategy(
            kinds=Kinds(content=0),
            window=Window(size=0, distance=False),
            words=Words(stemming="nostem"),
            frequency=Frequency("none"),
        ),
        "content": Strategy(kinds=Kinds(anchor=0), window=no_distance),
        "anchor": Strategy(kinds=Kinds(content=0)),
        "anchor-syntactic": Strategy(kinds=Kinds(content=0), window=Window("syntactic")),
        "anchor-topical": Strategy(kinds=Kinds(content=0), window=Window("topical")),
        "links": Strategy(
            kinds=Kinds(content=0, anchor=0, link=1),
            window=no_distance,
            frequency=Frequency("none"),
        ),
        "balanced": Strategy(kinds=Kinds(anchor=0.25), mix=Mix(normalise_kinds=True)),
    }


def _core_stop_words(stop_words: str | tuple[str, ...]) -> list[str] | None:
    if stop_words == "english":
        return None
    return [] if isinstance(stop_words, str) else list(stop_words)


def _text_of(path: Path) -> str:
    try:
        return toml.read_text("strategy", path)
    except StrategyError as error:
        hint, names = nearest(str(path), presets()), ", ".join(presets())
        allowed = f"{hint}{error.allowed}, or one of {names}"
        raise StrategyError("strategy", str(path), allowed) from error
