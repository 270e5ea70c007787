"""Workers: where they import from, and that those that were started early do the work."""

import importlib
import os
import subprocess
import sys
import threading
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from socket import socket, socketpair
from typing import Any, NoReturn

import pyarrow as pa
import pytest

from pagekin.engines import spark
from pagekin.engines.spark.cluster import session as sessions
from pagekin.engines.spark.cluster.daemon import end_on_hang_up, without_archives
from pagekin.engines.spark.cluster.jobs import SAME_WORKERS, use_settings
from tests.engines.spark.clusters import Driver, needs_java, spark_home

MISSING: type[Exception] = importlib.import_module("py4j.protocol").Py4JError


def installed(folder: Path) -> tuple[str, list[str]]:
    """A PySpark as pip puts it into a folder, and the archives in it."""
    archives = folder / "pyspark" / "python" / "lib"
    archives.mkdir(parents=True)
    (folder / "pyspark" / "__init__.py").touch()
    return str(folder), [str(archives / name) for name in ("pyspark.zip", "py4j-0.10.9-src.zip")]


def test_installed_pyspark_is_not_imported_from_its_archives(tmp_path: Path) -> None:
    folder, archives = installed(tmp_path / "site")
    path = ["", *archives, "/jars/spark-core.jar", "/mine/things.zip", folder]
    assert without_archives(path) == ["", "/jars/spark-core.jar", "/mine/things.zip", folder]


def test_archives_of_another_spark_stay_on_the_path(tmp_path: Path) -> None:
    folder, _ = installed(tmp_path / "site")
    _, others = installed(tmp_path / "cluster")
    assert without_archives([*others, folder]) == [*others, folder]


def test_archives_stay_on_the_path_if_nothing_else_has_pyspark(tmp_path: Path) -> None:
    _, archives = installed(tmp_path / "site")
    assert without_archives([*archives, str(tmp_path)]) == [*archives, str(tmp_path)]


def flush_answer(connection: socket, _authenticated: bool) -> int:
    connection.sendall(b"answer")
    return 0


def test_worker_ends_quietly_when_spark_hangs_up_first() -> None:
    worker, spark_side = socketpair()
    serve = end_on_hang_up(flush_answer)
    assert serve(worker, True) == 0
    spark_side.close()
    assert serve(worker, True) == 1
    worker.close()


def test_other_failures_of_a_worker_are_not_hidden() -> None:
    def fail(_connection: socket, _authenticated: bool) -> int:
        raise PermissionError

    worker, spark_side = socketpair()
    with worker, spark_side, pytest.raises(PermissionError):
        end_on_hang_up(fail)(worker, True)


@pytest.mark.skipif(sys.platform != "linux", reason="asks /proc for the names of threads")
def test_worker_daemon_has_no_threads_but_those_of_the_allocator() -> None:
    look = (
        "import importlib, pathlib, pagekin.engines.spark.cluster.daemon as daemon\n"
        "for name in daemon.NEEDED: importlib.import_module(name)\n"
        "for task in pathlib.Path('/proc/self/task').iterdir():\n"
        "    if task.name != pathlib.Path('/proc/self').resolve().name:\n"
        "        print((task / 'comm').read_text().strip())\n"
    )
    # Spark gives each worker as many threads as a task has cores.
    alone = os.environ | {"OMP_NUM_THREADS": "1"}
    done = subprocess.run(
        [sys.executable, "-c", look], capture_output=True, text=True, check=True, env=alone
    )
    assert {*done.stdout.split()} <= {"jemalloc_bg_thd"}


@pytest.mark.slow
@needs_java
def test_stages_reuse_the_workers_of_earlier_jobs(two_cores: Driver) -> None:
    (started, files), (worked, same_files) = two_cores.run(parents)
    assert started == worked
    assert files == same_files == {str(spark_home() / "worker.py")}


@pytest.mark.slow
@needs_java
def test_rehearsal_delivers_all_parcels(two_cores: Driver) -> None:
    assert two_cores.run(rehearsed) == {0: 2, 1: 2}


def rehearsed() -> dict[int, int]:
    with spark.open_session() as session:
        return sessions.rehearse(session)


@pytest.mark.slow
@needs_java
def test_plan_is_analysed_without_a_session(two_cores: Driver) -> None:
    assert "OneRowRelation" in two_cores.run(analysed)


def analysed() -> str:
    with spark.open_session() as session:
        return str(sessions._analyse(session._jvm).toString())


def test_rehearsal_thread_ends_if_the_start_fails() -> None:
    before = threading.active_count()
    with pytest.raises(MISSING), sessions.load_classes():
        raise MISSING("the JVM has ended")
    assert threading.active_count() == before


@dataclass
class Gateway:
    """A gateway to a JVM that raises an error."""

    error: Exception
    asked: threading.Event = field(default_factory=threading.Event)

    @property
    def jvm(self) -> NoReturn:
        self.asked.set()
        raise self.error


@pytest.mark.parametrize(
    "error", [TypeError("'JavaPackage' object is not callable"), MISSING("is not in the JVM")]
)
def test_rehearsal_tolerates_unknown_jvm_names(
    error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    # What a thread does not catch is an error of the test.
    gateway = Gateway(error)
    monkeypatch.setattr(importlib.import_module("pyspark").SparkContext, "_gateway", gateway)
    with sessions.load_classes():
        assert gateway.asked.wait(10)


def parents() -> list[tuple[set[int], set[str]]]:
    """The parents of workers, and their PySpark, in a job over numbers and one over a DataFrame."""

    def parent_and_file(_: object) -> tuple[int, str]:
        return os.getppid(), str(sys.modules["pyspark.worker"].__file__)

    def step(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for _ in batches:
            parent, file = parent_and_file(None)
            yield pa.RecordBatch.from_pylist([{"parent": parent, "file": file}])

    with spark.open_session() as session:
        found: list[Any] = [
            session.sparkContext.parallelize(range(2), 2).map(parent_and_file).collect()
        ]
        with use_settings(session, SAME_WORKERS):
            rows = session.range(0, 2, 1, 2).mapInArrow(step, "parent long, file string")
            found.append([tuple(row) for row in rows.collect()])
    return [({parent for parent, _ in one}, {file for _, file in one}) for one in found]
