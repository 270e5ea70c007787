"""Classes in two parts: one to tune on, one to tell an honest value.

Classes are dealt out among the children of each parent, so that either part has siblings. A page
whose classes fall into both parts is left out: it would carry what was learned across.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from pagekin.errors import DirectoryError
from pagekin.evaluation.matching import Matched

__all__ = ["Halves", "split"]

Flags = np.ndarray[Any, np.dtype[np.bool_]]


@dataclass(frozen=True, slots=True)
class Halves:
    """The pages to tune on and the pages held back, each a directory of its own."""

    tuning: Matched
    held_back: Matched
    left_out: int


def split(matched: Matched, seed: int) -> Halves:
    """Deal the classes out, with a seed."""
    held = _dealt(matched.classes, seed)
    of_pairs = held[matched.classes_of_pairs]
    pages = len(matched.ids)
    in_held = np.bincount(matched.pages_of_pairs, weights=of_pairs, minlength=pages) > 0
    in_tuning = np.bincount(matched.pages_of_pairs, weights=~of_pairs, minlength=pages) > 0
    tuning, back = matched.only(in_tuning & ~in_held), matched.only(in_held & ~in_tuning)
    for part in (tuning, back):
        if len(part.classes) < 2 or part.alone == len(part.classes):
            raise DirectoryError(
                f"{len(matched.classes)} classes are too few to be split in two",
                source="the directory",
                advice="give one with at least four classes of several pages",
            )
    return Halves(tuning, back, int((in_held & in_tuning).sum()))


def _dealt(classes: tuple[tuple[str, ...], ...], seed: int) -> Flags:
    """Whether each class is held back: every second of the children of a parent, in any order."""
    families: dict[tuple[str, ...], list[int]] = {}
    for number, path in enumerate(classes):
        families.setdefault(path[:-1], []).append(number)
    random = np.random.default_rng(seed)
    held = np.zeros(len(classes), dtype=bool)
    turn = False
    for children in families.values():
        for number in random.permutation(children).tolist():
            held[number] = turn
            turn = not turn
    return held
