"""Injected faults: each call of a writing command that changes or maps files fails once.

    python -m tests.trust.disk.faults [--every N] [--seed N] [COMMAND...]

Afterwards the old or the new state is there, whole; exit code and message say which; and the same
command then does its work and leaves nothing lying.
"""

import errno
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from tests.trust.disk.commands import COMMANDS
from tests.trust.disk.forks import KILLED, Ending
from tests.trust.disk.runs import CommandRuns
from tests.trust.disk.shim import Manner, Shim, parser, with_shim

__all__ = ["main"]

FAULTS = (
    (Manner.ONCE, errno.EIO),
    (Manner.ONCE, errno.ENOSPC),
    (Manner.FROM_THEN_ON, errno.ENOSPC),
    (Manner.HALF, errno.EIO),
    (Manner.KILL, 0),
)


@dataclass(frozen=True, slots=True)
class Fault:
    """Which call fails, and how."""

    number: int
    manner: Manner
    error: int

    def __str__(self) -> str:
        name = errno.errorcode.get(self.error, "")
        return f"call {self.number} {self.manner.name.lower()} {name}"


NO_FAULT = Fault(-1, Manner.ONCE, 0)


class FaultyRuns:
    """Runs of a command in which a call fails."""

    def __init__(self, runs: CommandRuns) -> None:
        self.runs = runs
        self.shim = Shim()
        self.run(NO_FAULT)
        self.calls = int((runs.folder / "calls").read_text())

    def run(self, fault: Fault) -> Ending:
        """The command from the old state, with a fault."""
        told = self.runs.folder / "calls"

        def around(command: Callable[[], int]) -> int:
            self.shim.begin(self.runs.now, fault.number, fault.error, fault.manner)
            code = command()
            told.write_text(f"{self.shim.count}\n{self.shim.failed}")
            self.shim.end()
            return code

        told.unlink(missing_ok=True)
        return self.runs.run(around)

    def fail(self, fault: Fault) -> str:
        """Run with a fault; returns how it ended. Raises what is wrong."""
        ended = self.run(fault)
        try:
            state = self.runs.old_or_new(self.runs.now)
            is_new = state == self.runs.after
            _check_ending(fault, ended, is_new=is_new, changes=self.runs.before != self.runs.after)
            self.runs.check_next(state)
        except AssertionError as error:
            told = self.runs.folder / "calls"
            call = told.read_text().partition("\n")[2] if told.exists() else ""
            raise AssertionError(f"{fault} {call}: {error}\n{ended.code} {ended.out}") from error
        return {0: "done", 2: "failed", KILLED: "killed"}[ended.code]


def _check_ending(fault: Fault, ended: Ending, *, is_new: bool, changes: bool) -> None:
    """Exit code and message say which state is there, if there are two."""
    if fault.manner == Manner.KILL:
        assert ended.code in (0, KILLED), "the exit code of a killed process"
        return
    assert "Traceback" not in ended.out, "a traceback"
    assert ended.code in (0, 2), "the exit code"
    if ended.code == 0:
        assert is_new, "it said that all went well"
    elif changes:
        is_told = "old or new" in ended.out or ("in place" in ended.out) == is_new
        assert is_told, f"the message, while the {'new' if is_new else 'old'} state is there"


def faults(calls: int, every: int, chance: random.Random) -> Iterator[Fault]:
    """A fault of each kind for each call, or for one in `every`."""
    for number in range(calls):
        for manner, error in FAULTS:
            if chance.randrange(every) == 0:
                yield Fault(number, manner, error)


def fail_command(name: str, every: int, seed: int) -> bool:
    """Fail the calls of a command, and print how that ended. Whether all is well."""
    wrong, endings = 0, Counter[str]()
    with CommandRuns.of(name) as runs:
        faulty = FaultyRuns(runs)
        for fault in faults(faulty.calls, every, random.Random(f"{name} {seed}")):
            try:
                endings[faulty.fail(fault)] += 1
            except AssertionError as error:
                wrong += 1
                sys.stdout.write(f"{name}: {error}\n")
    told = ", ".join(f"{count} {how}" for how, count in sorted(endings.items()))
    sys.stdout.write(f"{name}: {faulty.calls} calls; {told}; {wrong} wrong\n")
    sys.stdout.flush()
    return not wrong


def main(words: Sequence[str]) -> int:
    """Fail calls of the named commands, or of all; 0 if nothing was wrong."""
    options = parser(__doc__ or "", COMMANDS)
    options.add_argument("--every", type=int, default=1, help="try about one fault in N")
    given = options.parse_args(words)
    names = given.commands or COMMANDS
    well = [fail_command(name, given.every, given.seed) for name in names]
    return int(not all(well))


if __name__ == "__main__":
    raise SystemExit(with_shim("tests.trust.disk.faults", main, sys.argv[1:]))
