"""Everything that decides how bags are made, weighted and sketched, as one immutable value.

Section 3 of the similarity-search paper lists the axes; each is a field here. Equal strategies
give equal bags on every machine and with any number of threads.
"""

from pagekin.strategy.fit import CrawlTraits, Fit
from pagekin.strategy.kinds import (
    EVIDENCE,
    MAX_PAGES,
    PAGES_A_COMPONENT,
    Concept,
    Kinds,
    Topic,
)
from pagekin.strategy.sections import (
    AUTO,
    STEMMERS,
    Frequency,
    Lead,
    Mix,
    Site,
    Sketch,
    Template,
    Window,
    Words,
)
from pagekin.strategy.strategy import DEFAULT, Strategy, presets

__all__ = [
    "AUTO",
    "DEFAULT",
    "EVIDENCE",
    "MAX_PAGES",
    "PAGES_A_COMPONENT",
    "STEMMERS",
    "Concept",
    "CrawlTraits",
    "Fit",
    "Frequency",
    "Kinds",
    "Lead",
    "Mix",
    "Site",
    "Sketch",
    "Strategy",
    "Template",
    "Topic",
    "Window",
    "Words",
    "presets",
]
