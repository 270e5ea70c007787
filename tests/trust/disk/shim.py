"""The library that counts, records and fails the calls of a process that change files."""

import argparse
import ctypes
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Sequence
from enum import IntEnum
from pathlib import Path

__all__ = ["Manner", "Shim", "parser", "with_shim"]

SOURCE = Path(__file__).with_name("shim.c")


class Manner(IntEnum):
    """How a call fails."""

    ONCE = 0
    """It alone fails with an error."""
    FROM_THEN_ON = 1
    """It fails and so does every later call, as on a full disk."""
    HALF = 2
    """A write writes only half, which is no error; other calls fail."""
    KILL = 3
    """The process dies before it."""


def with_shim(module: str, main: Callable[[Sequence[str]], int], words: Sequence[str]) -> int:
    """What `main` of a module returns in a process that has the library."""
    if "shim.so" in os.environ.get("LD_PRELOAD", ""):
        return main(words)
    with tempfile.TemporaryDirectory() as folder:
        library = Path(folder) / "shim.so"
        options = ["-shared", "-fPIC", "-O1", "-Wall", "-Wextra", "-Werror"]
        subprocess.run(["cc", *options, "-o", library, SOURCE, "-lpthread"], check=True)
        env = os.environ | {"LD_PRELOAD": str(library)}
        return subprocess.run(
            [sys.executable, "-m", module, *words], env=env, check=False
        ).returncode


def parser(description: str, commands: Iterable[str]) -> argparse.ArgumentParser:
    """Options: which commands, and the seed."""
    options = argparse.ArgumentParser(description=description)
    options.add_argument("commands", nargs="*", metavar="COMMAND", choices=[*commands, []])
    options.add_argument("--seed", type=int, default=0, help="which of all cases")
    return options


class Shim:
    """The library in this process."""

    def __init__(self) -> None:
        self._library = ctypes.CDLL(None)
        self._library.shim_count.restype = ctypes.c_long
        self._library.shim_failed.restype = ctypes.c_char_p

    def begin(
        self,
        folder: Path,
        number: int = -1,
        error: int = 0,
        manner: Manner = Manner.ONCE,
        record: int = -1,
    ) -> None:
        """Count the calls below a folder from 0, fail the one with this number, record all."""
        place = os.fsencode(folder)
        self._library.shim_begin(place, ctypes.c_long(number), error, int(manner), record)

    def end(self) -> None:
        """Leave all calls alone."""
        self._library.shim_begin(b"", ctypes.c_long(-1), 0, 0, -1)

    @property
    def count(self) -> int:
        """How many calls there were."""
        return int(self._library.shim_count())

    @property
    def failed(self) -> str:
        """The call that failed."""
        return os.fsdecode(self._library.shim_failed() or b"")
