"""Updates of an index that are killed at random times: `python -m tests.trust.kills COUNT`.

After each kill the index is the old one or the new one, and sound; after the next call nothing of
the killed one is left.
"""

import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import pagekin
from pagekin.index import Manifest
from pagekin.strategy import presets
from tests.archives import members, page

__all__ = ["KilledUpdates"]

COMMAND = """
import sys
import pagekin.cli.commands.update
from pagekin.cli import main
import pagekin.engines.local
print("ready", flush=True)
raise SystemExit(main(sys.argv[1:]))
"""
"""The command line, which says when it is imported: that takes longer than a small update."""
STRATEGY = presets()["content"]


class KilledUpdates:
    """An index of two pages or three, and how long an update of it takes."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.index = folder / "index"
        self.more = folder / "more.warc.gz"
        self.random = random.Random(seed)
        self.kills = {"old": 0, "new": 0}
        first = folder / "first.warc.gz"
        first.write_bytes(members(page("one"), page("two")))
        self.more.write_bytes(members(page("three", "which comes and goes")))
        pagekin.build(first, self.index, strategy=STRATEGY)
        self.without = Manifest.read(self.index).folder
        pagekin.add(self.index, self.more)
        self.with_more = Manifest.read(self.index).folder
        process = self.start(["remove", "http://three.example/"])
        start = time.monotonic()
        process.communicate()
        self.seconds = time.monotonic() - start

    def start(self, words: Sequence[str]) -> "subprocess.Popen[bytes]":
        command, *rest = words
        process = subprocess.Popen(
            [sys.executable, "-c", COMMAND, command, str(self.index), *rest, "--threads", "2"],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        assert process.stdout is not None
        process.stdout.readline()
        return process

    def kill_one(self) -> None:
        """Begin an update, kill it, and look at what is there."""
        before = Manifest.read(self.index).folder
        updates = {
            self.with_more: (["remove", "http://three.example/"], self.without),
            self.without: (["add", str(self.more)], self.with_more),
        }
        words, after = updates[before]
        if self.random.random() < 0.2:
            words, after = ["compact"], before
        process = self.start(words)
        try:
            process.communicate(timeout=self.random.uniform(0, 1.5) * self.seconds)
        except subprocess.TimeoutExpired:
            process.kill()
        process.communicate()
        with pagekin.open(self.index) as index:
            index.check()
        found = Manifest.read(self.index).folder
        assert found in (before, after), f"{found} is neither {before} nor {after}"
        self.kills["old" if found == before else "new"] += 1

    def clean_up(self) -> None:
        """The next call removes what is left, and changes nothing else."""
        before = Manifest.read(self.index).folder
        pagekin.compact(self.index)
        left = {path.name for path in self.index.iterdir()}
        assert left == {"manifest.json", before}, f"left lying: {left}"


def main() -> None:
    """Kill so many updates."""
    with tempfile.TemporaryDirectory() as folder:
        updates = KilledUpdates(Path(folder), seed=time.time_ns())
        for _ in range(int(sys.argv[1])):
            updates.kill_one()
            if updates.random.random() < 0.2:
                updates.clean_up()
        updates.clean_up()
        sys.stdout.write(f"{updates.kills}\n")


if __name__ == "__main__":
    main()
