"""The process that Spark forks Python workers from, in a session that pagekin starts.

Spark's own daemon imports nothing before it forks: every worker would import PySpark, Arrow and
pagekin itself, and PySpark from an archive without compiled modules, which takes a second.
"""

import gc
import importlib
import sys
from collections.abc import Callable, Sequence
from importlib.machinery import PathFinder
from pathlib import Path
from socket import socket
from typing import Any

from pagekin.engines.spark.cluster.task import forget_archives

__all__ = ["NEEDED", "end_on_hang_up", "main", "without_archives"]

Worker = Callable[[socket, bool], int]
"""What serves one connection of Spark, and returns its exit code."""

NEEDED = ("pyspark.worker", "pandas", "pagekin.engines.spark.stages")
"""What tasks import, including pandas through Arrow and PySpark. The imports start no threads but
the allocator's: a fork would leave them behind."""


def main() -> None:
    """Import what tasks need, once, and fork workers until Spark ends."""
    sys.path[:] = without_archives(sys.path)
    for name in NEEDED:
        importlib.import_module(name)
    forget_archives()
    # Exclude what exists now from garbage collection; workers share it.
    gc.freeze()
    daemon: Any = importlib.import_module("pyspark.daemon")
    daemon.worker = end_on_hang_up(daemon.worker)
    daemon.manager()


def end_on_hang_up(worker: Worker) -> Worker:
    """A worker that ends quietly when Spark closes the connection first.

    Spark does so when a session stops. The daemon would print a traceback of the worker's last
    flush, which nobody waits for.
    """

    def serve(connection: socket, authenticated: bool) -> int:
        try:
            return worker(connection, authenticated)
        except (BrokenPipeError, ConnectionResetError):
            return 1

    return serve


def without_archives(path: Sequence[str]) -> list[str]:
    """The import path without the archives inside of an installed PySpark."""
    found = PathFinder.find_spec("pyspark", [entry for entry in path if not _is_archive(entry)])
    if found is None or found.origin is None:
        return [*path]
    own = Path(found.origin).parent / "python" / "lib"
    return [entry for entry in path if Path(entry).parent != own]


def _is_archive(entry: str) -> bool:
    return Path(entry).name == "pyspark.zip"


if __name__ == "__main__":
    main()
