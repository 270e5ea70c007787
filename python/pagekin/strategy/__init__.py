"""Everything that decides how bags are made, weighted and sketched, as one immutable value.

Section 3 of the similarity-search paper lists the axes; each is a field here. Equal strategies
give equal bags on every machine and with any number of threads.
"""

from pagekin.strategy.sections import (
    EVIDENCE,
    MOST_PAGES,
    STEMMERS,
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
from pagekin.strategy.strategy import DEFAULT, Strategy, presets

__all__ = [
    "DEFAULT",
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
    "Strategy",
    "Window",
    "Words",
    "presets",
]
