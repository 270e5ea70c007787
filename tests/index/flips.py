"""Flip bytes of an index one after another and classify the results.

    python -m tests.index.flips INDEX URL SEED COUNT QUESTION...

Each flip is followed by one of the questions, in turn. A process of its own, for a fault may end
it. It prints what came of the flips as JSON.
"""

import itertools
import json
import random
import sys
from pathlib import Path
from typing import Any

import pagekin
from pagekin.errors import PagekinError
from tests.index.questions import answer


def became(index: Path, question: str, url: str, expected: Any) -> str:
    try:
        return "right" if answer(index, question, url) == expected else "wrong"
    except PagekinError:
        return "refused"


def is_noticed(index: Path) -> bool:
    try:
        pagekin.open(index).check()
    except PagekinError:
        return True
    return False


def flip(path: Path, flips: random.Random) -> tuple[int, bytes]:
    """Change one byte; returns its offset and the old content of the file."""
    content = path.read_bytes()
    place = flips.randrange(len(content))
    changed = bytearray(content)
    changed[place] ^= flips.randrange(1, 256)
    # A new file: what is mapped must not change under a reader.
    path.unlink()
    path.write_bytes(changed)
    return place, content


def main(index: Path, url: str, seed: int, count: int, questions: list[str]) -> None:
    expected = {question: answer(index, question, url) for question in questions}
    turns = itertools.cycle(questions)
    flips = random.Random(seed)
    found: dict[str, list[str]] = {"right": [], "refused": [], "wrong": [], "unnoticed": []}
    for path in sorted(path for path in index.rglob("*") if path.is_file()):
        for _ in range(count):
            place, content = flip(path, flips)
            question = next(turns)
            name = f"{path.name} at {place}, {question}"
            found[became(index, question, url, expected[question])].append(name)
            if not is_noticed(index) and path.read_bytes().split() != content.split():
                found["unnoticed"].append(name)
            path.unlink()
            path.write_bytes(content)
    sys.stdout.write(json.dumps(found))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), int(sys.argv[4]), sys.argv[5:])
