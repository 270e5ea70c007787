"""Commands that are killed at random times.

    python -m tests.trust.disk.kills [--kills N] [--journal FILE] [--seed N] [COMMAND...]

After each kill the old or the new state is there, whole, and the next call does its work and leaves
nothing lying. With a journal, runs of several days go on where the last one stopped.
"""

import json
import os
import random
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from tests.trust.disk.commands import COMMANDS
from tests.trust.disk.forks import KILLED
from tests.trust.disk.runs import CommandRuns
from tests.trust.disk.shim import parser

__all__ = ["kill_command", "main"]

AT_ONCE = 50
"""Kills of one command before the next command has its turn."""


def kill_command(runs: CommandRuns, chance: random.Random) -> str:
    """Run a command and kill it; returns which state is there. Raises what is wrong."""
    while runs.run(lambda command: command(), chance.uniform(0, runs.seconds)).code != KILLED:
        pass
    state = runs.old_or_new(runs.now)
    runs.check_next(state)
    return "new" if state == runs.after else "old"


class Journal:
    """How many kills there were of each command, and what they left, over several runs."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        lines = path.read_text().splitlines() if path is not None and path.exists() else []
        self.found = Counter(tuple(json.loads(line)) for line in lines)

    def add(self, name: str, state: str) -> None:
        """Note a kill."""
        self.found[name, state] += 1
        if self._path is not None:
            with self._path.open("a") as file:
                file.write(json.dumps([name, state]) + "\n")
                file.flush()
                os.fsync(file.fileno())

    def kills(self, name: str) -> int:
        """Kills of a command."""
        return sum(count for (of, _), count in self.found.items() if of == name)


def kill_all(names: Sequence[str], count: int, journal: Journal, seed: int) -> bool:
    """Kill each command until it was killed so often. Whether all is well."""
    wrong = 0
    while rest := [name for name in names if journal.kills(name) < count]:
        for name in rest:
            with CommandRuns.of(name) as runs:
                for _ in range(min(AT_ONCE, count - journal.kills(name))):
                    chance = random.Random(f"{name} {seed} {journal.kills(name)}")
                    try:
                        journal.add(name, kill_command(runs, chance))
                    except AssertionError as error:
                        wrong += 1
                        journal.add(name, "wrong")
                        sys.stdout.write(f"{name}: {error}\n")
    for (name, state), kills in sorted(journal.found.items()):
        sys.stdout.write(f"{name}: {kills} {state}\n")
    return not wrong


def main(words: Sequence[str]) -> int:
    """Kill the named commands, or all; 0 if nothing was wrong."""
    options = parser(__doc__ or "", COMMANDS)
    options.add_argument("--kills", type=int, default=100, help="kills of each command")
    options.add_argument("--journal", type=Path, help="file with the kills of earlier runs")
    given = options.parse_args(words)
    names = given.commands or [*COMMANDS]
    return int(not kill_all(names, given.kills, Journal(given.journal), given.seed))


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
