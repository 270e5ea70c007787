"""A writing command that is run again and again from one old state, and what it leaves."""

import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.trust.disk.commands import COMMANDS, WritingCommand, write_old_state
from tests.trust.disk.forks import Ending, fork, run_command

__all__ = ["CommandRuns"]


class CommandRuns:
    """Runs of a command in the folder `now`, each from the state in `old`."""

    def __init__(self, folder: Path, command: WritingCommand) -> None:
        self.folder = folder
        self.command = command
        (folder / "old").mkdir()
        ended = fork(lambda: write_old_state(folder / "old"))
        assert ended.code == 0, ended.out
        self.before = self.state(folder / "old")
        ended = self.run(lambda run: run())
        assert ended.code == 0, ended.out
        self.seconds = ended.seconds
        self.after = self.state(self.now)
        self.left = _files(self.now)

    @classmethod
    @contextmanager
    def of(cls, name: str) -> "Iterator[CommandRuns]":
        """Runs of the command of this name, in a folder of their own."""
        with tempfile.TemporaryDirectory() as place:
            yield cls(Path(place).resolve(), COMMANDS[name])

    @property
    def now(self) -> Path:
        """Where the command runs."""
        return self.folder / "now"

    def run(
        self, around: Callable[[Callable[[], int]], int], seconds: float | None = None
    ) -> Ending:
        """The command from the old state, with something around it; killed after some seconds."""
        self.reset()

        def command() -> int:
            return run_command(self.now, self.command.words)

        return fork(lambda: around(command), seconds)

    def reset(self) -> None:
        """The old state."""
        shutil.rmtree(self.now, ignore_errors=True)
        shutil.copytree(self.folder / "old", self.now)

    def state(self, folder: Path) -> str:
        """The state in a folder; an error if it is broken."""
        found = self.folder / "state"

        def work() -> int:
            found.write_text(self.command.state(folder))
            return 0

        ended = fork(work)
        assert ended.code == 0, f"what is there is broken: {ended.out}"
        return found.read_text()

    def old_or_new(self, folder: Path) -> str:
        """The state in a folder, which is one of two."""
        state = self.state(folder)
        assert state in (self.before, self.after), "neither the old nor the new state"
        return state

    def check_next(self, state: str) -> None:
        """If the old state is there, the command does its work now and leaves nothing lying."""
        if state == self.after != self.before:
            return
        ended = fork(lambda: run_command(self.now, self.command.words))
        assert ended.code == 0, f"the next call fails: {ended.out}"
        assert self.state(self.now) == self.after, "the next call ends otherwise"
        left = _files(self.now) ^ self.left
        assert not left, f"left lying or missing: {sorted(left)}"


def _files(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*")}
