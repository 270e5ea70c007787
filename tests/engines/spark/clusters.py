"""Spark for tests: drivers in separate processes, and a cluster of a master and workers."""

import importlib.util
import multiprocessing
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import ParamSpec, TypeVar

import pytest

from pagekin.engines import spark

JAVA = shutil.which("java") or os.environ.get("JAVA_HOME")
needs_java = pytest.mark.skipif(not JAVA, reason="no Java here (Debian: default-jre-headless)")
PATIENCE = 120.0
SHORT_LIVED = "-XX:TieredStopAtLevel=1"
"""Full JIT compilation would take longer than these tests."""

P = ParamSpec("P")
R = TypeVar("R")


def spark_home() -> Path:
    """Where PySpark keeps Spark."""
    found = importlib.util.find_spec("pyspark")
    assert found
    assert found.origin
    return Path(found.origin).parent


class Driver:
    """A process with a Spark session, on which builds there run.

    PySpark leaves its sockets to the garbage collector, which in a test would be an error.
    """

    def __init__(self, pool: ProcessPoolExecutor) -> None:
        self._pool = pool

    def run(self, work: Callable[P, R], *given: P.args, **named: P.kwargs) -> R:
        """Run a function in the driver."""
        return self._pool.submit(work, *given, **named).result()


@contextmanager
def driver(master: str, surroundings: Mapping[str, str]) -> Iterator[Driver]:
    """A driver on a master, with more environment variables, which ends with the block."""
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, context, _begin, (master, surroundings)) as pool:
        yield Driver(pool)


_open = ExitStack()


def _begin(master: str, surroundings: Mapping[str, str]) -> None:
    os.environ.update(surroundings)
    _open.enter_context(spark.open_session(master))


@dataclass
class Cluster:
    """A standalone master and its workers, each a process of this machine."""

    folder: Path
    url: str = ""
    processes: list["subprocess.Popen[bytes]"] = field(default_factory=list)

    def start(self, workers: int) -> None:
        self.url = self._launch("master.Master", "-h", "127.0.0.1", "-p", "0").group(0)
        for _ in range(workers):
            self._launch("worker.Worker", "-h", "127.0.0.1", "-c", "1", "-m", "1g", self.url)

    def _launch(self, name: str, *options: str) -> re.Match[str]:
        home = spark_home()
        log = self.folder / f"{len(self.processes)}.log"
        command = [home / "bin" / "spark-class", f"org.apache.spark.deploy.{name}", *options]
        surroundings = os.environ | {
            "SPARK_HOME": str(home),
            "SPARK_WORKER_DIR": str(self.folder / "work"),
            "PYSPARK_PYTHON": sys.executable,
            "SPARK_DAEMON_JAVA_OPTS": SHORT_LIVED,
        }
        with log.open("wb") as out:
            started = subprocess.Popen(
                [*map(str, command), "--webui-port", "0"],
                stdout=out,
                stderr=out,
                env=surroundings,
                start_new_session=True,
            )
        self.processes.append(started)
        pattern = r"spark://127\.0\.0\.1:\d+" if "Master" in name else "Successfully registered"
        return _awaited(log, pattern)

    @property
    def workers(self) -> list[int]:
        """The processes of the workers."""
        return [process.pid for process in self.processes[1:]]

    def stop(self) -> None:
        for process in reversed(self.processes):
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def _awaited(log: Path, pattern: str) -> re.Match[str]:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if found := re.search(pattern, log.read_text(errors="replace")):
            return found
        time.sleep(0.1)
    raise AssertionError(f"{pattern} is not in {log.read_text(errors='replace')}")


@contextmanager
def cluster(folder: Path, workers: int) -> Iterator[Cluster]:
    """A cluster that ends with the block."""
    started = Cluster(folder)
    try:
        started.start(workers)
        yield started
    finally:
        started.stop()


def executors(workers: Collection[int]) -> list[int]:
    """The processes that run tasks, which are children of the workers."""
    found = []
    for path in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            parent = int((path / "stat").read_text().rpartition(")")[2].split()[1])
            if parent in workers and b"ExecutorBackend" in (path / "cmdline").read_bytes():
                found.append(int(path.name))
    return sorted(found)
