"""Archives made in tests, sound and damaged, and the command line."""

import contextlib
import gzip
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import pytest

from pagekin.cli import main

__all__ = [
    "FEW_PARTS",
    "CommandResult",
    "command",
    "http",
    "members",
    "page",
    "record",
    "run",
    "spawn",
]

DATE = "2020-01-02T03:04:05Z"
FEW_PARTS = ("--memory", "500GB")
"""Keeps a build of a source of unknown size from using many partitions."""
SAFETY_NET = 120
"""Timeout of a child process, in seconds."""


@dataclass(frozen=True, slots=True)
class CommandResult:
    """Exit code and output of a command, and its peak memory (bytes, of a child process only)."""

    code: int
    out: str
    err: str
    peak: int = 0

    @property
    def last(self) -> str:
        """The last line on stderr."""
        return self.err.rstrip("\n").rpartition("\n")[2]


def record(
    block: bytes, url: str = "http://a.example/", kind: str = "response", **fields: str
) -> bytes:
    """A WARC record. A field given as `WARC_Date=…` replaces one; an empty value leaves it out."""
    lines = {
        "WARC-Type": kind,
        "WARC-Target-URI": url,
        "WARC-Date": DATE,
        "Content-Length": str(len(block)),
    } | {name.replace("_", "-"): value for name, value in fields.items()}
    head = "".join(f"{name}: {value}\r\n" for name, value in lines.items() if value)
    return f"WARC/1.1\r\n{head}\r\n".encode() + block + b"\r\n\r\n"


def http(
    body: bytes, *headers: str, kind: str = "text/html; charset=utf-8", status: str = "200 OK"
) -> bytes:
    """An HTTP response."""
    lines = [f"HTTP/1.1 {status}", *([f"Content-Type: {kind}"] if kind else []), *headers]
    return "\r\n".join([*lines, "", ""]).encode() + body


def page(name: str, text: str = "", **fields: str) -> bytes:
    """The record of a page of a few words at http://NAME.example/."""
    body = f"<title>{name}</title><p>{name} {text or 'some plain words to read here'}</p>"
    return record(http(body.encode()), f"http://{name}.example/", **fields)


def members(*records: bytes) -> bytes:
    """Each record as a gzip member of its own."""
    return b"".join(gzip.compress(each, 6, mtime=0) for each in records)


def run(capfd: pytest.CaptureFixture[str], *words: str | Path) -> CommandResult:
    """The command line in this process: fast, and an unexpected exception fails the test."""
    capfd.readouterr()
    try:
        code = main([str(word) for word in words])
    except SystemExit as end:
        code = int(end.code or 0)
    out, err = capfd.readouterr()
    assert "Traceback" not in err and "panicked" not in err, err
    return CommandResult(code, out, err)


def spawn(
    *words: str | Path,
    stdin: Iterable[bytes] | None = None,
    under: Sequence[str] = (),
    stdout: int | None = None,
) -> CommandResult:
    """The command line in a separate process, to its end.

    `under` is a command that runs it. What it reads from `stdin` is made as it reads.
    """
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        child = subprocess.Popen(
            [*under, *command(*words)],
            stdin=subprocess.DEVNULL if stdin is None else subprocess.PIPE,
            stdout=out if stdout is None else stdout,
            stderr=err,
        )
        net = threading.Timer(SAFETY_NET, child.kill)
        net.start()
        with Peak(child.pid) as peak:
            if stdin is not None and child.stdin is not None:
                _feed(child.stdin, stdin)
            child.wait()
        net.cancel()
        ran = CommandResult(child.returncode, _text(out), _text(err), peak.bytes)
    assert "Traceback" not in ran.err and "panicked" not in ran.err, ran.err
    return ran


class Peak:
    """The peak resident size of a process, sampled fifty times a second.

    `ru_maxrss` would not do: a child begins with that of the process that forked it.
    """

    def __init__(self, pid: int) -> None:
        self.bytes = 0
        self._status = Path(f"/proc/{pid}/status")
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._look)

    def __enter__(self) -> "Peak":
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._ended.set()
        self._thread.join()

    def _look(self) -> None:
        while not self._ended.wait(0.02):
            with contextlib.suppress(OSError):
                for line in self._status.read_text().splitlines():
                    if line.startswith("VmHWM:"):
                        self.bytes = max(self.bytes, int(line.split()[1]) * 1024)


def command(*words: str | Path) -> list[str]:
    """What to run for the command line in a process of its own."""
    return [sys.executable, "-m", "pagekin", *map(str, words)]


def _feed(pipe: IO[bytes], pieces: Iterable[bytes]) -> None:
    with contextlib.suppress(BrokenPipeError), pipe:
        for piece in pieces:
            pipe.write(piece)


def _text(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read().decode()
