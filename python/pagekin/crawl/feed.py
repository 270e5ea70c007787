"""Feeds sources to the core: remote files through named pipes, read by threads from a queue.

The core opens a pipe like any other source. A thread waits for that and streams the remote file
through the pipe, so nothing is stored locally, and only the files that the core has open are being
downloaded. A file that is missing or forbidden is a failure, and the others are read. A connection
that breaks ends the build, because a later attempt may succeed.
"""

import errno
import os
import tempfile
import threading
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from pagekin.crawl import remote
from pagekin.crawl.sources import Source
from pagekin.errors import InputError
from pagekin.work.outcome import Failure

__all__ = ["Feed", "NamedSource", "open_feed"]

_WAIT = 0.02
"""Seconds between checks whether the core has opened a pipe."""


@dataclass(frozen=True, slots=True)
class NamedSource:
    """A source as the core takes it: a folder has a base URL, what comes through a pipe a name."""

    path: str
    base_url: str | None = None
    follow_links: bool = False
    name: str | None = None


class Feed:
    """Sources for the core, and the failures of their downloads."""

    def __init__(self, sources: Sequence[Source], folder: Path) -> None:
        self.sources: list[NamedSource] = []
        self.pipes: list[tuple[str, Path]] = []
        for number, source in enumerate(sources):
            pipe = folder / f"{number:06}.pipe"
            if remote.is_remote(source.path):
                self.pipes.append((source.path, pipe))
                self.sources.append(NamedSource(str(pipe), name=source.path))
            else:
                folder_of = source.base_url, source.follow_links
                self.sources.append(NamedSource(source.path, *folder_of))
        self.stopped = threading.Event()
        self.broken: InputError | None = None
        self._failures: dict[str, Failure] = {}

    def all_failures(self, failures: Iterable[Failure]) -> list[Failure]:
        """All failures. For a failed download ours replaces that of the core: it has the reason."""
        return [
            *(failure for failure in failures if failure.source not in self._failures),
            *self._failures.values(),
        ]

    def stream(self, name: str, path: Path) -> None:
        """Stream a remote file to the core once the core opens the pipe."""
        handle = self._wait_for_reader(path)
        if handle is None:
            return
        passed = 0
        try:
            for chunk in remote.chunks(name):
                if self.stopped.is_set() or self.broken:
                    break
                passed += _write_all(handle, chunk)
        except BrokenPipeError:
            # The core stopped reading.
            pass
        except InputError as error:
            if remote.is_missing(error):
                self._failures[name] = Failure(name, passed, error.what, error.advice)
            else:
                self.broken = _download_error(name, passed, error)
        finally:
            os.close(handle)

    def _wait_for_reader(self, path: Path) -> int | None:
        """The pipe as soon as the core reads from it; None if the core never does."""
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


def _download_error(name: str, passed: int, error: InputError) -> InputError:
    broken = InputError(
        error.what, source=name, offset=passed, advice="check the network and try again"
    )
    broken.__cause__ = error
    return broken


def _write_all(pipe: int, chunk: bytes) -> int:
    rest = memoryview(chunk)
    while rest:
        rest = rest[os.write(pipe, rest) :]
    return len(chunk)


@contextmanager
def _pipe_folder(sources: Sequence[Source]) -> Iterator[Path]:
    """A folder for pipes, if any is needed: a killed process would leave it behind."""
    if any(remote.is_remote(source.path) for source in sources):
        with tempfile.TemporaryDirectory(prefix="pagekin-") as folder:
            yield Path(folder)
    else:
        yield Path()


@contextmanager
def open_feed(sources: Sequence[Source], threads: int) -> Iterator[Feed]:
    """Feed the core, which reads with `threads` threads, within the block."""
    with _pipe_folder(sources) as folder:
        feed = Feed(sources, folder)
        for _, path in feed.pipes:
            os.mkfifo(path, 0o600)
        # The core takes sources in order, so this many threads serve all that it has open.
        with ThreadPoolExecutor(threads) as pool:
            work = [pool.submit(feed.stream, *pipe) for pipe in feed.pipes]
            try:
                yield feed
            finally:
                feed.stopped.set()
        for passing in work:
            passing.result()
        if feed.broken:
            raise feed.broken
