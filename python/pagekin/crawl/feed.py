"""Remote sources, handed to the core through named pipes.

The core opens a pipe as it opens any source; a thread waits for that and passes on what it reads
from elsewhere. Nothing is stored on this machine, and as many files are on their way as the core
has open. A file that is not there or not for us is a failure and the others are read; when the way
to one breaks off all is given up, for another time it may be whole.
"""

import errno
import os
import tempfile
import threading
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

from pagekin import files
from pagekin.crawl.sources import Source
from pagekin.errors import InputError
from pagekin.types import Failure

__all__ = ["Feed", "feeding"]

Named = tuple[str, str | None, str | None]
"""A source as the core takes it: path, base URL, and the name of what comes through a pipe."""
_WAIT = 0.02
"""Seconds until the next look whether the core has opened a pipe."""


class Feed:
    """Sources for the core, and what went wrong on the way to it."""

    def __init__(self, sources: Sequence[Source], folder: Path) -> None:
        self.sources: list[Named] = []
        self.pipes: list[tuple[str, Path]] = []
        for number, source in enumerate(sources):
            pipe = folder / f"{number:06}.pipe"
            if files.is_remote(source.path):
                self.pipes.append((source.path, pipe))
                self.sources.append((str(pipe), None, source.path))
            else:
                self.sources.append((source.path, source.base_url, None))
        self.stopped = threading.Event()
        self.broken: InputError | None = None
        self._failures: dict[str, Failure] = {}

    def told(self, failures: Iterable[Failure]) -> list[Failure]:
        """All failures. The core sees a file that breaks off, we know why it did."""
        return [
            *(failure for failure in failures if failure.source not in self._failures),
            *self._failures.values(),
        ]

    def pass_on(self, name: str, path: Path) -> None:
        """Hand a remote file to the core when it opens the pipe."""
        handle = self._opened(path)
        if handle is None:
            return
        passed = 0
        try:
            for chunk in files.chunks(name):
                if self.stopped.is_set() or self.broken:
                    break
                passed += _written(handle, chunk)
        except BrokenPipeError:
            # The core has enough of it.
            pass
        except InputError as error:
            if files.is_missing(error):
                self._failures[name] = Failure(name, passed, error.what, error.advice)
            else:
                self.broken = _broken_off(name, passed, error)
        finally:
            os.close(handle)

    def _opened(self, path: Path) -> int | None:
        """The pipe as soon as the core reads from it; None if it does not when all is over."""
        while True:
            try:
                handle = os.open(path, os.O_WRONLY | os.O_NONBLOCK)
            except OSError as error:
                if error.errno != errno.ENXIO:
                    raise
                if self.stopped.wait(_WAIT):
                    return None
            else:
                os.set_blocking(handle, True)
                return handle


def _broken_off(name: str, passed: int, error: InputError) -> InputError:
    told = InputError(
        error.what, source=name, offset=passed, advice="see to the network and try again"
    )
    told.__cause__ = error
    return told


def _written(pipe: int, chunk: bytes) -> int:
    rest = memoryview(chunk)
    while rest:
        rest = rest[os.write(pipe, rest) :]
    return len(chunk)


@contextmanager
def feeding(sources: Sequence[Source], threads: int) -> Iterator[Feed]:
    """Feed the core, which reads with so many threads, while the block lasts."""
    with tempfile.TemporaryDirectory(prefix="pagekin-") as folder:
        feed = Feed(sources, Path(folder))
        for _, path in feed.pipes:
            os.mkfifo(path, 0o600)
        # The core takes sources in order, so the first ones have a thread of ours each.
        with ThreadPoolExecutor(threads) as pool:
            work = [pool.submit(feed.pass_on, *pipe) for pipe in feed.pipes]
            try:
                yield feed
            finally:
                feed.stopped.set()
        for passing in work:
            passing.result()
        if feed.broken:
            raise feed.broken
