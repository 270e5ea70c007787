"""What is searched: every setting of a strategy, or only those that come after the merge.

Every preset is in the space, so that a search can begin with it. Bags sum to the same, so only the
ratio of weights matters: the first kind of a strategy weighs 1, the others are weighed against it.
"""

import itertools
from dataclasses import replace
from typing import Any, Protocol

from pagekin.strategy import (
    AUTO,
    EVIDENCE,
    Concept,
    Fit,
    Frequency,
    Kinds,
    Lead,
    Mix,
    Strategy,
    Template,
    Window,
    Words,
)

__all__ = ["Trial", "as_parameters", "weights", "whole"]

WEIGHT = (0.01, 10.0)
MU = (0.05, 0.95)
SIGMA = (0.03, 1.0)
SIZE = (0, 64)
MIXTURES = [
    "+".join(names)
    for count in range(len(EVIDENCE), 0, -1)
    for names in itertools.combinations(EVIDENCE, count)
]
"""Every choice of kinds of evidence, all first."""
FREQUENCIES = ["nmdf", "sqrt", "log", "none"]
LEADS = [0, 15, 30, 60, 120]
COMPONENTS = (16, 300)
MIXED = [0, 16]
POWER = (0.3, 1.0)
CITED = (0.05, 1.0)
TEMPLATES = [0, 10]


class Trial(Protocol):
    """A source of suggested values by name."""

    def suggest_float(self, name: str, low: float, high: float, *, log: bool = False) -> float:
        """A number between two."""

    def suggest_int(self, name: str, low: int, high: int) -> int:
        """A whole number between two."""

    def suggest_categorical(self, name: str, choices: Any) -> Any:
        """One of some."""


def whole(trial: Trial) -> Strategy:
    """Any strategy: kinds, window, words and weights."""
    names = trial.suggest_categorical("kinds", MIXTURES).split("+")
    concept = trial.suggest_categorical("concepts", [False, True])
    cited = concept and trial.suggest_categorical("cited", [False, True])
    topic = concept and trial.suggest_categorical("topics", [False, True])
    # Concepts are learnt from content and anchors, whatever the kinds are.
    anchors, content = concept or "anchor" in names, concept or "content" in names
    words = Words()
    if anchors or content:
        words = _words(trial)
    weighted = {name: float(name in names) for name in EVIDENCE}
    strategy = Strategy(
        kinds=Kinds(
            **weighted, concept=WEIGHT[0] if concept else 0, topic=WEIGHT[0] if topic else 0
        ),
        concept=Concept(cited=CITED[0] if cited else 0),
        lead=Lead(trial.suggest_categorical("lead.half", LEADS) if content else 0),
        window=_window(trial) if anchors else Window(distance=False),
        words=words,
        template=Template(trial.suggest_categorical("template.pages", TEMPLATES)),
    )
    return weights(trial, strategy)


def _words(trial: Trial) -> Words:
    stemming = trial.suggest_categorical("words.stemming", ["nostem", "stem", "stopstem"])
    if not trial.suggest_categorical("words.by_language", [False, True]):
        return Words(stemming)
    stemmer = Words().stemmer if stemming == "nostem" else AUTO
    return Words(stemming, stemmer, AUTO)


def _window(trial: Trial) -> Window:
    return Window(
        trial.suggest_categorical("window.kind", ["basic", "syntactic", "topical"]),
        trial.suggest_int("window.size", *SIZE),
        trial.suggest_categorical("window.distance", [False, True]),
    )


def weights(trial: Trial, strategy: Strategy) -> Strategy:
    """The strategy with other weights of kinds and frequencies; this needs no new merge."""
    weighed = {
        name: trial.suggest_float(f"kinds.{name}", *WEIGHT, log=True)
        for name in _kinds(strategy)[1:]
    }
    mix = Mix(trial.suggest_categorical("mix.normalise_kinds", [False, True]))
    kinds = replace(strategy.kinds, **weighed)
    strategy = replace(strategy, kinds=kinds, mix=mix, frequency=_frequency(trial))
    return _with_concepts(trial, strategy) if kinds.concept else strategy


def _kinds(strategy: Strategy) -> list[str]:
    """The kinds of evidence in the bags; the first one weighs 1."""
    return [name for name in EVIDENCE if getattr(strategy.kinds, name)]


def _with_concepts(trial: Trial, strategy: Strategy) -> Strategy:
    weighed = {"concept": trial.suggest_float("kinds.concept", *WEIGHT, log=True)}
    topic = strategy.topic
    if strategy.kinds.topic:
        weighed["topic"] = trial.suggest_float("kinds.topic", *WEIGHT, log=True)
        topic = replace(topic, link=trial.suggest_float("topic.link", *WEIGHT, log=True))
    concept = Concept(
        components=trial.suggest_int("concept.components", *COMPONENTS),
        mixed=trial.suggest_categorical("concept.mixed", MIXED),
        anchor=trial.suggest_float("concept.anchor", *WEIGHT, log=True),
        power=trial.suggest_float("concept.power", *POWER),
        cited=trial.suggest_float("concept.cited", *CITED, log=True) if strategy.needs.cited else 0,
    )
    return replace(
        strategy,
        kinds=replace(strategy.kinds, **weighed),
        concept=concept,
        topic=topic,
        fit=Fit(trial.suggest_categorical("fit.weights", [False, True])),
    )


def _frequency(trial: Trial) -> Frequency:
    weight = trial.suggest_categorical("frequency.weight", FREQUENCIES)
    if weight != "nmdf":
        return Frequency(weight)
    mu = trial.suggest_float("frequency.mu", *MU)
    return Frequency("nmdf", mu, trial.suggest_float("frequency.sigma", *SIGMA, log=True))


def as_parameters(strategy: Strategy) -> dict[str, Any]:
    """What would have to be suggested for this strategy, if its first kind weighs 1."""
    kinds, needs = _kinds(strategy), strategy.needs
    found: dict[str, Any] = {
        "kinds": "+".join(kinds),
        "concepts": strategy.kinds.concept > 0,
        "mix.normalise_kinds": strategy.mix.normalise_kinds,
        "frequency.weight": strategy.frequency.weight,
        "template.pages": strategy.template.pages,
    }
    found |= {f"kinds.{name}": getattr(strategy.kinds, name) for name in kinds[1:]}
    if needs.content or needs.anchor:
        found["words.stemming"] = strategy.words.stemming
        found["words.by_language"] = strategy.words.stop_words == AUTO
    if needs.content:
        found["lead.half"] = strategy.lead.half
    if needs.anchor:
        window = strategy.window
        found |= {f"window.{name}": getattr(window, name) for name in ("kind", "size", "distance")}
    if strategy.frequency.weight == "nmdf":
        found |= {
            f"frequency.{name}": getattr(strategy.frequency, name) for name in ("mu", "sigma")
        }
    return found | (_concept_parameters(strategy) if strategy.kinds.concept else {})


def _concept_parameters(strategy: Strategy) -> dict[str, Any]:
    concept = strategy.concept
    searched = ["components", "mixed", "anchor", "power", *(["cited"] if concept.cited else [])]
    return {
        "kinds.concept": strategy.kinds.concept,
        "cited": concept.cited > 0,
        "topics": strategy.kinds.topic > 0,
        "fit.weights": strategy.fit.weights,
        **(_topic_parameters(strategy) if strategy.kinds.topic else {}),
        **{f"concept.{name}": getattr(concept, name) for name in searched},
    }


def _topic_parameters(strategy: Strategy) -> dict[str, Any]:
    return {"kinds.topic": strategy.kinds.topic, "topic.link": strategy.topic.link}
