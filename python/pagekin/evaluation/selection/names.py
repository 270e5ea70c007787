"""The name of a strategy in reports: what it is in a few words, then every other setting.

Two strategies of a grid may differ in any setting, so the name tells each one that is not that of
`paper-best`. Weights have three digits.
"""

from collections.abc import Iterator
from dataclasses import fields
from typing import Any

from pagekin.strategy import EVIDENCE, Concept, Frequency, Strategy, Topic

__all__ = ["strategy_name"]

_LABELS = {"link": "links"}
"""Names of kinds of evidence where they differ."""
_TOLD = (
    *("kinds", "frequency", "mix", "lead", "template", "window.distance"),
    *("concept.components", "concept.mixed", "concept.cited", "topic.components", "topic.mixed"),
)
"""Sections and settings that the words tell of every strategy."""
_MOST_WORDS = 3
"""Stop words of a list of one's own that are named."""


def strategy_name(strategy: Strategy) -> str:
    """What a strategy is, in a few words."""
    needs, window = strategy.needs, strategy.window
    parts, told = [_kinds(strategy)], set(_TOLD)
    if needs.anchor:
        parts.append(f"{'W' if window.kind == 'basic' else window.kind} {window.size}")
        parts += ["distance"] if window.distance else []
        told.add("window")
    if needs.content or needs.anchor:
        parts.append(strategy.words.stemming)
        told.add("words.stemming")
    parts.append(_frequency(strategy.frequency))
    parts += ["kinds normalised"] if strategy.mix.normalise_kinds else []
    parts += [f"lead {strategy.lead.half}"] if strategy.lead.half else []
    parts += [f"templates on {strategy.template.pages}"] if strategy.template.pages else []
    return ", ".join([*parts, *_others(strategy, told)])


def _kinds(strategy: Strategy) -> str:
    kinds = strategy.kinds
    weights = [(_LABELS.get(name, name), getattr(kinds, name)) for name in EVIDENCE]
    weights.append((f"concepts ({_concepts(strategy.concept)})", kinds.concept))
    weights.append((f"topics ({_concepts(strategy.topic)})", kinds.topic))
    named = (
        (name if weight == 1 else f"{weight:.3g} {name}") for name, weight in weights if weight
    )
    return " + ".join(named)


def _concepts(concept: Concept | Topic) -> str:
    mixed = f", {concept.mixed} mixed" if concept.mixed else ""
    cited = ""
    if isinstance(concept, Concept) and concept.cited:
        cited = f", cited {concept.cited:.3g}"
    return f"{concept.components} components{mixed}{cited}"


def _frequency(frequency: Frequency) -> str:
    if frequency.weight != "nmdf" or frequency == Frequency():
        return frequency.weight
    return f"nmdf (mu {frequency.mu:.3g}, sigma {frequency.sigma:.3g})"


def _others(strategy: Strategy, told: set[str]) -> Iterator[str]:
    """The settings that the words before do not tell, as in a file, where they differ."""
    usual = Strategy()
    for section in (field.name for field in fields(Strategy) if field.name not in told):
        own, others = getattr(strategy, section), getattr(usual, section)
        for name in (field.name for field in fields(own)):
            value = getattr(own, name)
            if f"{section}.{name}" not in told and value != getattr(others, name):
                yield f"{section}.{name} = {_value(value)}"


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        more = f" … ({len(value)} words)" if len(value) > _MOST_WORDS else ""
        return " ".join(value[:_MOST_WORDS]) + more
    return f"{value:.3g}" if isinstance(value, float) else str(value)
