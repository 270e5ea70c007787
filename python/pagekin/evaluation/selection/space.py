"""What is searched: every setting of a strategy, or only those that come after the merge."""

from dataclasses import replace
from typing import Any, Protocol

from pagekin.strategy import Concept, Frequency, Kinds, Lead, Mix, Strategy, Window, Words

__all__ = ["Trial", "as_parameters", "weights", "whole"]

WEIGHT = (0.01, 10.0)
MU = (0.05, 0.95)
SIGMA = (0.03, 1.0)
SIZE = (0, 64)
LEADS = [0, 15, 30, 60, 120]
COMPONENTS = (16, 150)
MIXED = [0, 16]
POWER = (0.3, 1.0)
CITED = (0.05, 1.0)


class Trial(Protocol):
    """A source of suggested values by name."""

    def suggest_float(self, name: str, low: float, high: float, *, log: bool = False) -> float:
        """A number between two."""

    def suggest_int(self, name: str, low: int, high: int) -> int:
        """A whole number between two."""

    def suggest_categorical(self, name: str, choices: Any) -> Any:
        """One of some."""


def whole(trial: Trial) -> Strategy:
    """Any strategy: kinds, window, words and weights. Content weighs 1, the others against it."""
    link = trial.suggest_categorical("links", [False, True])
    concept = trial.suggest_categorical("concepts", [False, True])
    cited = concept and trial.suggest_categorical("cited", [False, True])
    strategy = Strategy(
        kinds=Kinds(link=WEIGHT[0] if link else 0, concept=WEIGHT[0] if concept else 0),
        concept=Concept(cited=CITED[0] if cited else 0),
        lead=Lead(trial.suggest_categorical("lead.half", LEADS)),
        window=Window(
            trial.suggest_categorical("window.kind", ["basic", "syntactic", "topical"]),
            trial.suggest_int("window.size", *SIZE),
            trial.suggest_categorical("window.distance", [False, True]),
        ),
        words=Words(trial.suggest_categorical("words.stemming", ["nostem", "stem", "stopstem"])),
    )
    return weights(trial, strategy)


def weights(trial: Trial, strategy: Strategy) -> Strategy:
    """The strategy with other weights of kinds and frequencies; this needs no new merge."""
    kinds = replace(strategy.kinds, anchor=trial.suggest_float("kinds.anchor", *WEIGHT, log=True))
    if kinds.link:
        kinds = replace(kinds, link=trial.suggest_float("kinds.link", *WEIGHT, log=True))
    mix = Mix(trial.suggest_categorical("mix.normalise_kinds", [False, True]))
    strategy = replace(strategy, kinds=kinds, mix=mix, frequency=_frequency(trial))
    return _with_concepts(trial, strategy) if kinds.concept else strategy


def _with_concepts(trial: Trial, strategy: Strategy) -> Strategy:
    weight = trial.suggest_float("kinds.concept", *WEIGHT, log=True)
    concept = Concept(
        components=trial.suggest_int("concept.components", *COMPONENTS),
        mixed=trial.suggest_categorical("concept.mixed", MIXED),
        anchor=trial.suggest_float("concept.anchor", *WEIGHT, log=True),
        power=trial.suggest_float("concept.power", *POWER),
        cited=trial.suggest_float("concept.cited", *CITED, log=True) if strategy.needs.cited else 0,
    )
    return replace(strategy, kinds=replace(strategy.kinds, concept=weight), concept=concept)


def _frequency(trial: Trial) -> Frequency:
    if trial.suggest_categorical("frequency.weight", ["nmdf", "sqrt"]) == "sqrt":
        return Frequency("sqrt")
    mu = trial.suggest_float("frequency.mu", *MU)
    return Frequency("nmdf", mu, trial.suggest_float("frequency.sigma", *SIGMA, log=True))


def as_parameters(strategy: Strategy) -> dict[str, Any]:
    """What would have to be suggested for this strategy, for those that have content 1."""
    found: dict[str, Any] = {
        "links": strategy.kinds.link > 0,
        "concepts": strategy.kinds.concept > 0,
        "lead.half": strategy.lead.half,
        "window.kind": strategy.window.kind,
        "window.size": strategy.window.size,
        "window.distance": strategy.window.distance,
        "words.stemming": strategy.words.stemming,
        "kinds.anchor": strategy.kinds.anchor,
        "mix.normalise_kinds": strategy.mix.normalise_kinds,
        "frequency.weight": strategy.frequency.weight,
    }
    if strategy.kinds.link:
        found["kinds.link"] = strategy.kinds.link
    if strategy.kinds.concept:
        found["kinds.concept"] = strategy.kinds.concept
        found["concept.components"] = strategy.concept.components
        found["concept.mixed"] = strategy.concept.mixed
        found["concept.anchor"] = strategy.concept.anchor
        found["concept.power"] = strategy.concept.power
        found["cited"] = strategy.concept.cited > 0
    if strategy.needs.cited:
        found["concept.cited"] = strategy.concept.cited
    if strategy.frequency.weight == "nmdf":
        found["frequency.mu"] = strategy.frequency.mu
        found["frequency.sigma"] = strategy.frequency.sigma
    return found
