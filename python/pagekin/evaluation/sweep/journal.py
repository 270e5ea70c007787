"""Results as they come, safe from being killed: one line each, written through to the disk.

`sweep.json` says what the folder is a sweep of. A sweep that is begun again in the same folder
goes on where it was; one of something else is refused.
"""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import IO, Any

from pagekin.errors import EngineError
from pagekin.evaluation.sweep.result import Result
from pagekin.files import lock, write_whole

__all__ = ["Journal"]

SUBJECT = "sweep.json"
JOURNAL = "journal.jsonl"


class Journal:
    """The results of a folder, those of earlier times included."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._lock = Lock()
        self.results: dict[str, Result] = {}
        whole = 0
        for line in file:
            result = _parsed(line)
            if result is None:
                break
            self.results[result.contender.key] = result
            whole += len(line)
        # What was being written when the sweep was killed is done again.
        file.truncate(whole)
        file.seek(whole)

    @classmethod
    @contextmanager
    def opened(cls, folder: Path, subject: dict[str, Any]) -> Iterator["Journal"]:
        """The journal of a folder, for one process at a time."""
        with (folder / JOURNAL).open("a+b") as file:
            lock(file, folder, "sweep")
            _check(folder, subject)
            file.seek(0)
            yield cls(file)

    def add(self, result: Result) -> None:
        """Keep a result; once this returns it is safe."""
        with self._lock:
            self._file.write(result.to_json().encode() + b"\n")
            self._file.flush()
            os.fsync(self._file.fileno())
            self.results[result.contender.key] = result


def _parsed(line: bytes) -> Result | None:
    if not line.endswith(b"\n"):
        return None
    try:
        return Result.from_json(line.decode())
    except (ValueError, KeyError, TypeError):
        return None


def _check(folder: Path, subject: dict[str, Any]) -> None:
    """Refuse to mix the results of two crawls or directories."""
    path = folder / SUBJECT
    try:
        known = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        write_whole(path, json.dumps(subject, indent=1))
        return
    for name, value in subject.items():
        if known.get(name) != value:
            raise EngineError(
                f"the folder holds a sweep with another {name}",
                where=str(folder),
                advice="give the same one to go on with it, or choose another folder",
            )
