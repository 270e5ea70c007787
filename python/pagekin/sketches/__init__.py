"""Sketches: m values a bag, whose expected agreement is the weighted Jaccard similarity.

The core computes them (`_core.sketch`); `reference` says what they are.
"""

from typing import Final

__all__ = ["POSITIONS", "SEED"]

POSITIONS: Final = 80
"""How many values a sketch has unless one asks for another number."""

SEED: Final = 0
"""What the sketches of an index are made with."""
