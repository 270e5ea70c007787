"""Checks of a single value; each returns it in its canonical type or raises `StrategyError`."""

import unicodedata
from collections.abc import Sequence

from pagekin.errors import StrategyError, nearest

__all__ = ["choice", "flag", "number", "stop_words", "weight", "whole_number"]


def choice(field: str, value: object, allowed: Sequence[str]) -> str:
    """One of the allowed words."""
    if isinstance(value, str) and value in allowed:
        return value
    hint = nearest(value, allowed) if isinstance(value, str) else ""
    raise StrategyError(field, value, f"{hint}one of {', '.join(allowed)}")


def flag(field: str, value: object) -> bool:
    """True or false; 0 and 1 are rejected."""
    if isinstance(value, bool):
        return value
    raise StrategyError(field, value, "true or false")


def number(field: str, value: object, low: float, high: float) -> float:
    """A finite number from `low` to `high`; -0.0 becomes 0.0."""
    if isinstance(value, int | float) and not isinstance(value, bool) and low <= value <= high:
        return float(value) + 0.0
    raise StrategyError(field, value, f"a number from {low:g} to {high:g}")


def whole_number(field: str, value: object, low: int, high: int) -> int:
    """A whole number from `low` to `high`."""
    if isinstance(value, int) and not isinstance(value, bool) and low <= value <= high:
        return value
    raise StrategyError(field, value, f"a whole number from {low} to {high}")


def weight(field: str, value: object, low: float, high: float) -> float:
    """0 (the kind is not used), or a number from `low` to `high`."""
    if isinstance(value, int | float) and not isinstance(value, bool) and value == 0:
        return 0.0
    try:
        return number(field, value, low, high)
    except StrategyError:
        allowed = f"0 (not used), or a number from {low:g} to {high:g}"
        raise StrategyError(field, value, allowed) from None


def stop_words(field: str, value: object, names: Sequence[str]) -> str | tuple[str, ...]:
    """The name of a list, or words: lower-cased, unique and sorted."""
    if isinstance(value, str):
        return choice(field, value, names)
    if not isinstance(value, list | tuple) or not value:
        raise StrategyError(field, value, f"one of {', '.join(names)}, or a list of words")
    return tuple(sorted({_stop_word(field, word) for word in value}))


def _stop_word(field: str, word: object) -> str:
    if isinstance(word, str) and word and not any(map(_splits_words, word)):
        return word.lower()
    raise StrategyError(field, word, "single words, without spaces or control characters")


def _splits_words(character: str) -> bool:
    return character.isspace() or unicodedata.category(character) in ("Cc", "Cs")
