"""Losses of power: the calls of a writing command on a disk that loses what was not synced.

    python -m tests.trust.disk.power [--states N] [--seed N] [COMMAND...]

In every state the old or the new index is there, whole; after the command's end the new one.
"""

import os
import random
import shutil
import sys
from collections import Counter
from collections.abc import Callable, Sequence

from tests.trust.disk.commands import COMMANDS
from tests.trust.disk.disk import Call, Disk, read_calls
from tests.trust.disk.runs import CommandRuns
from tests.trust.disk.shim import Shim, parser, with_shim

__all__ = ["main"]

AT_THE_END = 0.1
"""Share of losses after the command's last call."""


class LossesOfPower:
    """The recorded calls of a command, repeated up to some call."""

    def __init__(self, runs: CommandRuns) -> None:
        self.runs = runs
        self.calls = self._record()

    def _record(self) -> list[Call]:
        recorded = self.runs.folder / "calls"
        handle = os.open(recorded, os.O_WRONLY | os.O_CREAT | os.O_APPEND)

        def around(command: Callable[[], int]) -> int:
            shim = Shim()
            shim.begin(self.runs.now, record=handle)
            code = command()
            shim.end()
            return code

        ended = self.runs.run(around)
        os.close(handle)
        assert ended.code == 0, ended.out
        return [*read_calls(recorded.read_bytes())]

    def lose(self, chance: random.Random) -> str:
        """Lose power at some call; returns which state is there. Raises what is wrong."""
        is_over = chance.random() < AT_THE_END
        end = len(self.calls) if is_over else chance.randrange(len(self.calls))
        disk = Disk(self.runs.folder / "old")
        for call in self.calls[:end]:
            disk.repeat(call, self.runs.now)
        shutil.rmtree(self.runs.now)
        disk.after_loss(chance, self.runs.now)
        try:
            state = self.runs.old_or_new(self.runs.now)
            assert not is_over or state == self.runs.after, "the new state is lost"
            self.runs.check_next(state)
        except AssertionError as error:
            last = self.calls[min(end, len(self.calls) - 1)]
            where = f"before call {end} ({last.name} {last.path.name})"
            raise AssertionError(f"{where}: {error}") from error
        return "new" if state == self.runs.after else "old"


def lose_command(name: str, states: int, seed: int) -> bool:
    """Lose power during a command, and print what was there. Whether all is well."""
    wrong, found = 0, Counter[str]()
    with CommandRuns.of(name) as runs:
        losses = LossesOfPower(runs)
        for number in range(states):
            try:
                found[losses.lose(random.Random(f"{name} {seed} {number}"))] += 1
            except AssertionError as error:
                wrong += 1
                sys.stdout.write(f"{name}, state {number}: {error}\n")
    told = ", ".join(f"{count} {which}" for which, count in sorted(found.items()))
    sys.stdout.write(f"{name}: {len(losses.calls)} calls; {told}; {wrong} wrong\n")
    sys.stdout.flush()
    return not wrong


def main(words: Sequence[str]) -> int:
    """Lose power during the named commands, or all; 0 if nothing was wrong."""
    options = parser(__doc__ or "", COMMANDS)
    options.add_argument("--states", type=int, default=1000, help="states a command")
    given = options.parse_args(words)
    names = given.commands or COMMANDS
    well = [lose_command(name, given.states, given.seed) for name in names]
    return int(not all(well))


if __name__ == "__main__":
    raise SystemExit(with_shim("tests.trust.disk.power", main, sys.argv[1:]))
