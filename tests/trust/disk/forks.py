"""Commands in forked processes: thousands of them, without the time that imports take."""

import contextlib
import importlib
import os
import select
import signal
import sys
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from pagekin.cli import import_commands, main

__all__ = ["KILLED", "Ending", "fork", "run_command"]

KILLED = 137
SAFETY_NET = 20
"""Seconds after which a forked process counts as one that hangs."""


@dataclass(frozen=True, slots=True)
class Ending:
    """How a forked process ended: its exit code, what it printed, and how long it took."""

    code: int
    out: str
    seconds: float


def fork(work: Callable[[], int | None], seconds: float | None = None) -> Ending:
    """The end of work in a process of its own, which is killed after some seconds."""
    reader, writer = os.pipe()
    start = time.monotonic()
    child = os.fork()
    if child == 0:
        _run(work, reader, writer)
    os.close(writer)
    printed = _read(reader, start + (SAFETY_NET if seconds is None else seconds))
    if printed is None:
        os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    code = os.waitstatus_to_exitcode(status)
    if printed is None and seconds is None:
        return Ending(99, "it hangs", SAFETY_NET)
    code = KILLED if code == -signal.SIGKILL else code
    return Ending(code, (printed or b"").decode(errors="replace"), time.monotonic() - start)


def _run(work: Callable[[], int | None], reader: int, writer: int) -> None:
    """Do the work, and end the process."""
    code = 99
    try:
        os.close(reader)
        os.dup2(writer, 1)
        os.dup2(writer, 2)
        # Not those of the parent, which may be files.
        sys.stdout, sys.stderr = os.fdopen(1, "w"), os.fdopen(2, "w")
        code = work() or 0
    except BaseException:
        sys.stderr.write(traceback.format_exc())
    finally:
        with contextlib.suppress(OSError):
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(code)


def _read(pipe: int, until: float) -> bytes | None:
    """What comes out of a pipe until it is closed; nothing if that takes too long."""
    parts: list[bytes] = []
    with os.fdopen(pipe, "rb", buffering=0) as file:
        while True:
            ready, _, _ = select.select([file], [], [], max(until - time.monotonic(), 0))
            if not ready:
                return None
            part = file.read(1 << 16)
            if not part:
                return b"".join(parts)
            parts.append(part)


def run_command(folder: Path, words: tuple[str, ...]) -> int:
    """The exit code of the command line in a folder."""
    os.chdir(folder)
    try:
        return main([*words])
    except SystemExit as end:
        return int(end.code or 0)


# Before the first fork, or each would import them again: pandas because pyarrow does where it is.
import_commands([])
for module in ("pandas", "pagekin.engines.local", "pagekin.export", "pagekin.pairs"):
    importlib.import_module(module)
