"""The service in separate processes, as users start it."""

import contextlib
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Any

import httpx

PATIENCE = 60.0
"""Timeout, in seconds."""


class Running:
    """A running service, and a client."""

    def __init__(self, index: Path, *options: str) -> None:
        handle, name = tempfile.mkstemp(suffix=".log")
        self._log = Path(name)
        words = [sys.executable, "-m", "pagekin", "serve", str(index), "--port", "0", *options]
        self.process = subprocess.Popen(
            words, stdout=subprocess.PIPE, stderr=handle, text=True, encoding="utf-8"
        )
        os.close(handle)
        line = self.process.stdout.readline() if self.process.stdout else ""
        found = re.match(r"serving on (http://\S+:(\d+))/", line)
        assert found, f"the service did not start: {line}{self.log}"
        self.base, self.port = found[1], int(found[2])
        self.client = httpx.Client(base_url=self.base, timeout=PATIENCE)

    def __enter__(self) -> "Running":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.client.close()
        self.process.terminate()
        code = self.process.wait(PATIENCE)
        if self.process.stdout:
            self.process.stdout.close()
        log = self.log
        self._log.unlink()
        assert error is not None or code in (0, -signal.SIGKILL), log
        assert error is not None or "Traceback" not in log, log

    @property
    def log(self) -> str:
        """What the service has written to standard error."""
        return self._log.read_text(encoding="utf-8")

    def get(self, path: str, **parameters: Any) -> httpx.Response:
        """Send a GET request."""
        return self.client.get(path, params=parameters or None)

    def answer(self, path: str, **parameters: Any) -> dict[str, Any]:
        """The JSON of a GET request, which must succeed."""
        response = self.get(path, **parameters)
        assert response.status_code == 200, response.text
        found: dict[str, Any] = response.json()
        return found

    def workers(self) -> list[int]:
        """The process ids of the workers."""
        listed = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text()
        return [int(word) for word in listed.split()]

    @contextlib.contextmanager
    def connected(self) -> Iterator[socket.socket]:
        """A bare connection."""
        with socket.create_connection(("127.0.0.1", self.port), PATIENCE) as bare:
            yield bare


def error_of(response: httpx.Response) -> tuple[int, str]:
    """Status and code of an error, which must be in the one shape."""
    assert response.headers["content-type"] == "application/json", response.text
    body = response.json()
    assert list(body) == ["error"]
    assert list(body["error"]) == ["code", "message", "hint"]
    assert all(isinstance(value, str) and value for value in body["error"].values())
    return response.status_code, body["error"]["code"]


def until(true: Callable[[], bool]) -> None:
    """Wait until a condition holds."""
    end = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < end, "it did not come"
        time.sleep(0.05)


class Load:
    """Threads that send requests without pause, and record failed ones."""

    def __init__(self, service: Running, path: str, threads: int = 4) -> None:
        self.answers = 0
        self.failures: list[str] = []
        self._stop = threading.Event()
        self._threads = [
            threading.Thread(target=self._ask, args=(service.base, path)) for _ in range(threads)
        ]

    def __enter__(self) -> "Load":
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join()

    def _ask(self, base: str, path: str) -> None:
        with httpx.Client(base_url=base, timeout=PATIENCE) as client:
            while not self._stop.is_set():
                try:
                    response = client.get(path, params={"q": f"roses {self.answers}"})
                except httpx.HTTPError as error:
                    self.failures.append(repr(error))
                    continue
                self.answers += 1
                if response.status_code != 200:
                    self.failures.append(response.text)
