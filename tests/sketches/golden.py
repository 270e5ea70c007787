"""The golden sketches: `python -m tests.sketches.golden` writes them again, from the reference.

They change only with the format of the index.
"""

import json
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from pagekin import sketches as reference
from tests.sketches.bags import Bag, usual_bag

PATH = Path(__file__).parent.parent / "data" / "sketches.json"


@dataclass(frozen=True, slots=True)
class Golden:
    """A bag and its sketch."""

    name: str
    m: int
    seed: int
    terms: list[int]
    weights: list[int]
    sketch: list[int]


def read() -> list[Golden]:
    """The golden sketches as they are stored."""
    return [Golden(**fields) for fields in json.loads(PATH.read_text(encoding="ascii"))]


def make() -> list[Golden]:
    """The golden sketches as the reference makes them today."""
    random = np.random.default_rng(0)
    return [
        _golden("empty", {}, 80),
        _golden("weights of 0", {1: 0, 2: 0}, 7),
        _golden("one term, one copy", {1: 1}, 80),
        _golden("one term, all copies", {2**64 - 1: 65_535}, 80),
        _golden("all weights 1", dict.fromkeys(range(40), 1), 80),
        _golden("all weights huge", dict.fromkeys(range(5), 65_535), 80),
        _golden("usual", usual_bag(random, 230), 80),
        _golden("usual, another seed", usual_bag(random, 50), 80, seed=2**64 - 1),
        _golden("one position", usual_bag(random, 50), 1),
        _golden("more positions than copies", {3: 5, 4: 6}, 100),
        _golden("many positions", usual_bag(random, 30), 1000),
    ]


def _golden(name: str, bag: Bag, m: int, seed: int = 0) -> Golden:
    terms, weights = list(bag), list(bag.values())
    arrays = np.array(terms, np.uint64), np.array(weights, np.uint16)
    return Golden(name, m, seed, terms, weights, reference.sketch(*arrays, m, seed).tolist())


def main() -> None:
    """Write the file, one sketch a line."""
    lines = [json.dumps(asdict(golden)) for golden in make()]
    PATH.write_text("[\n" + ",\n".join(lines) + "\n]\n", encoding="ascii")


if __name__ == "__main__":
    main()
