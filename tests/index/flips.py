"""Flip bytes of an index one after another and classify the results.

    python -m tests.index.flips INDEX URL SEED COUNT

A process of its own, for a fault may end it. It prints what came of the flips as JSON.
"""

import json
import random
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pagekin
from pagekin.errors import PagekinError


def answers(index: Path, url: str) -> Any:
    """What the index says of a page and of a text, without the time it took."""
    opened = pagekin.open(index)
    page, text = opened.related(url), opened.related_to_text("garden roses and lightning")
    return [replace(answer, took_ms=0) for answer in (page, text)], opened.show(url)


def became(index: Path, url: str, expected: Any) -> str:
    try:
        return "right" if answers(index, url) == expected else "wrong"
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


def main(index: Path, url: str, seed: int, count: int) -> None:
    expected = answers(index, url)
    flips = random.Random(seed)
    found: dict[str, list[str]] = {"right": [], "refused": [], "wrong": [], "unnoticed": []}
    for path in sorted(path for path in index.rglob("*") if path.is_file()):
        for _ in range(count):
            place, content = flip(path, flips)
            name = f"{path.name} at {place}"
            found[became(index, url, expected)].append(name)
            if not is_noticed(index) and path.read_bytes().split() != content.split():
                found["unnoticed"].append(name)
            path.unlink()
            path.write_bytes(content)
    sys.stdout.write(json.dumps(found))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
