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
from pagekin.strategy.fit import CrawlTraits, Fit
from pagekin.strategy.kinds import Concept, Kinds, Topic
from pagekin.strategy.sections import (
    AUTO,
    MU,
    SIGMA,
    Frequency,
    Lead,
    Mix,
    Site,
    Sketch,
    Template,
    Window,
    Words,
)

__all__ = ["CoreStrategy", "Strategy", "presets"]

DEFAULT = "concepts"


class CoreStrategy(TypedDict):
    """The plain values for the Rust core; `stop_words` None selects its built-in list, unless they
    are those of each language."""

    kinds: tuple[float, ...]
    window_kind: str
    window_size: int
    distance: bool
    lead: int
    template_pages: int
    stemming: str
    stemmer: str
    stop_words: list[str] | None
    language_stop_words: bool
    frequency: str
    mu: float
    sigma: float
    normalise_kinds: bool
    concept_weight: float
    concept_kinds: tuple[float, ...]
    concept_power: float
    concept_cited: float
    topic_weight: float
    topic_kinds: tuple[float, ...]


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
    template: Template = field(default_factory=Template)
    topic: Topic = field(default_factory=Topic)
    fit: Fit = field(default_factory=Fit)

    def __post_init__(self) -> None:
        for name, kind in get_type_hints(toml.Sections).items():
            if not isinstance(getattr(self, name), kind):
                raise StrategyError(name, getattr(self, name), f"a {kind.__name__}")
        if not self.kinds.concept:
            self._refuse("concept", self.concept, Concept())
            if self.kinds.topic:
                allowed = "only with a weight of kinds.concept above 0"
                raise StrategyError("kinds.topic", self.kinds.topic, allowed)
            if self.fit.weights:
                allowed = "only with a weight of kinds.concept above 0"
                raise StrategyError("fit.weights", True, allowed)
        if not self.kinds.topic:
            self._refuse("topic", self.topic, Topic())
        if self.window.distance and not self.needs.anchor:
            allowed = "false, because kinds.anchor is 0 and windows have no weight"
            raise StrategyError("window.distance", True, allowed)
        if self.lead.half and not self.needs.content:
            allowed = "0, because kinds.content is 0 and words of a page have no weight"
            raise StrategyError("lead.half", self.lead.half, allowed)

    def _refuse(self, name: str, section: Concept | Topic, usual: Concept | Topic) -> None:
        """Refuse settings of a section whose kind has no weight."""
        for each in fields(usual):
            value = getattr(section, each.name)
            if value != getattr(usual, each.name):
                allowed = f"only with a weight of kinds.{name} above 0"
                raise StrategyError(f"{name}.{each.name}", value, allowed)

    @property
    def needs(self) -> Needs:
        """The kinds of evidence that bags or concepts need."""
        learnt = self.concept.evidence if self.kinds.concept else (0.0, 0.0, 0.0)
        coarse = self.topic.evidence if self.kinds.topic else (0.0, 0.0, 0.0)
        needed = map(any, zip(self.kinds.evidence, learnt, coarse, strict=True))
        return Needs._make([*needed, self.kinds.concept > 0 and self.concept.cited > 0])

    @property
    def matrix(self) -> "Strategy":
        """The strategy for the bags from which concepts are learnt; it has no concepts itself."""
        return self._matrix(self.concept)

    @property
    def topic_matrix(self) -> "Strategy":
        """The strategy for the bags from which topics are learnt."""
        return self._matrix(self.topic)

    def _matrix(self, learnt: Concept | Topic) -> "Strategy":
        kinds = Kinds(*learnt.evidence)
        window = replace(self.window, distance=self.window.distance and kinds.anchor > 0)
        return replace(
            self, kinds=kinds, window=window, concept=Concept(), topic=Topic(), fit=Fit()
        )

    def fitted(self, traits: CrawlTraits) -> "Strategy":
        """The strategy for the bags of a crawl with these traits."""
        kinds = self.fit.kinds(self.kinds, traits)
        # A topic section may not be set without a weight of topics.
        topic = self.fit.topic(self.topic, traits) if kinds.topic else self.topic
        return replace(self, kinds=kinds, topic=topic, fit=Fit())

    def changes_from(self, given: "Strategy") -> dict[str, float]:
        """The weights that a fit has changed."""
        own, other = self.as_dict(), given.as_dict()
        return {
            f"{section}.{name}": weight
            for section in ("kinds", "topic")
            for name, weight in own[section].items()
            if weight != other[section][name]
        }

    def is_fit_of(self, given: "Strategy") -> bool:
        """Whether it differs from another strategy only in weights that a fit may change."""
        topic = replace(self.topic, link=given.topic.link)
        return replace(self, kinds=given.kinds, topic=topic, fit=given.fit) == given

    def unfitted(self) -> "Strategy":
        """The same without a fit to the crawl."""
        return replace(self, fit=Fit())

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
            kinds=self.kinds.evidence,
            window_kind=self.window.kind,
            window_size=self.window.size,
            distance=self.window.distance,
            lead=self.lead.half,
            template_pages=self.template.pages,
            stemming=self.words.stemming,
            stemmer=self.words.stemmer,
            stop_words=_core_stop_words(self.words.stop_words),
            language_stop_words=self.words.stop_words == AUTO,
            frequency=self.frequency.weight,
            mu=MU if mu is None else mu,
            sigma=SIGMA if sigma is None else sigma,
            normalise_kinds=self.mix.normalise_kinds,
            concept_weight=self.kinds.concept,
            concept_kinds=concept.evidence,
            concept_power=concept.power,
            concept_cited=concept.cited,
            topic_weight=self.kinds.topic,
            topic_kinds=self.topic.evidence,
        )


def presets() -> dict[str, Strategy]:
    """The named strategies, the default first."""
    no_distance = Window(distance=False)
    return {
        DEFAULT: Strategy(
            kinds=Kinds(anchor=0.2, concept=1.0, topic=0.3),
            words=Words(stemmer=AUTO, stop_words=AUTO),
            mix=Mix(normalise_kinds=True),
            concept=Concept(components=256, cited=0.4),
            lead=Lead(30),
            template=Template(10),
            topic=Topic(link=0.5),
            fit=Fit(weights=True),
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
    if stop_words in ("english", AUTO):
        return None
    return [] if isinstance(stop_words, str) else list(stop_words)


def _text_of(path: Path) -> str:
    try:
        return toml.read_text("strategy", path)
    except StrategyError as error:
        hint, names = nearest(str(path), presets()), ", ".join(presets())
        allowed = f"{hint}{error.allowed}, or one of {names}"
        raise StrategyError("strategy", str(path), allowed) from error
