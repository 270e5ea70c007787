"""A Spark session: the active one, or a new one that is warm when the first stage comes.

A JVM loads six thousand classes for its first plan, on one core, and Python imports for a second.
A session starts on one core too. So another core analyses a plan meanwhile, and then a tiny stage
is run, so that everything is loaded when the first real stage comes.
"""

import importlib
import logging
import os
import re
import shutil
import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event, Thread
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from pagekin.engines.spark.cluster.jobs import STEPS, spark_errors, use_settings
from pagekin.engines.spark.cluster.task import task
from pagekin.engines.spark.frames import Count, batch_of, report_facts, send
from pagekin.engines.spark.shuffle import Inbox, Parcel, packets
from pagekin.engines.spark.work_folder import numbers, scratch
from pagekin.errors import EngineError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

__all__ = ["open_session", "rehearse", "start_workers"]

_MASTER = re.compile(r"local|local\[[\d*, ]+\]|local-cluster\[[\d, ]+\]|yarn|(spark|k8s)://.+")
_SETTINGS = {
    "spark.ui.showConsoleProgress": "false",
    "spark.sql.execution.arrow.pyspark.enabled": "false",
    "spark.python.daemon.module": "pagekin.engines.spark.cluster.daemon",
}
_HERE = {
    # Without a network, compression only costs time.
    "spark.shuffle.compress": "false",
    # TCP delays the last bytes of a message until earlier ones are acknowledged, which takes the
    # other side 40 ms: several times what Spark needs for a task.
    "spark.python.unix.domain.socket.enabled": "true",
}
"""For a local session only."""
_QUICK = "-XX:TieredStopAtLevel=1 -XX:MetaspaceSize=256m"
"""The driver's JVM only forwards bytes: full JIT compilation would take longer than a build. It
loads six thousand classes; a larger metaspace avoids garbage collections meanwhile."""
_NO_PAGES = "-Dspark.ui.enabled=false"
"""For a local session: starting Spark's web server takes a second of a core. As a property of the
JVM it is overridden by Spark's own settings and `PYSPARK_SUBMIT_ARGS`."""
LOOK = 0.02
"""Seconds between two checks for a JVM."""
_QUIET = Path(__file__).with_name("log4j2.properties")


@contextmanager
def open_session(master: str | None = None) -> Iterator["SparkSession"]:
    """The active session, left open; or a new one, stopped at the end.

    Without a master that is the one of `spark-submit` or `spark-defaults.conf`, or this machine.
    """
    spark_session = _pyspark()
    active = spark_session.getActiveSession()
    if active is not None:
        with _lost_session_errors():
            yield _with_jobs(active)
        return
    started = _start(spark_session, master)
    try:
        with _lost_session_errors():
            _rehearse_here(_with_jobs(started))
            yield started
    finally:
        # A JVM that has ended has nothing to stop.
        with suppress(ConnectionError, *spark_errors()):
            started.stop()


@contextmanager
def _lost_session_errors() -> Iterator[None]:
    """A block during which the JVM must not end."""
    gone: type[Exception] = importlib.import_module("py4j.protocol").Py4JNetworkError
    try:
        yield
    except (ConnectionError, gone) as error:
        raise EngineError(
            "Spark has ended before the work was done",
            advice="see why (the usual cause is memory: spark.driver.memory) and start again",
        ) from error


def _with_jobs(session: "SparkSession") -> "SparkSession":
    """The session, unless it is one of Spark Connect, whose jobs cannot be followed."""
    if not hasattr(session, "sparkContext"):
        raise _connect()
    return session


def _connect() -> EngineError:
    return EngineError(
        "the session is one of Spark Connect, which knows no jobs",
        advice="use spark-submit, or SparkSession.builder.master(...) without SPARK_REMOTE",
    )


def _pyspark() -> "type[SparkSession]":
    try:
        found: type[SparkSession] = importlib.import_module("pyspark.sql").SparkSession
    except ImportError as error:
        raise EngineError(
            f"the engine spark needs PySpark ({error})", advice="pip install pagekin[spark]"
        ) from error
    return found


def _start(spark_session: "type[SparkSession]", master: str | None) -> "SparkSession":
    if master is not None and not _MASTER.fullmatch(master):
        raise EngineError(
            "not an address of a Spark master",
            where=master,
            advice="write for example local[4], spark://host:7077, yarn or k8s://https://host:443",
        )
    if "SPARK_REMOTE" in os.environ:
        raise _connect()
    _find_java()
    # Workers must run this Python, not whatever is first on the path.
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    if not logging.root.handlers:
        # Py4J would let the root logger print what we report.
        logging.root.addHandler(logging.NullHandler())
    try:
        return _create(spark_session, master)
    except spark_errors() as error:
        raise EngineError(
            f"Spark does not start ({_reason(error)})",
            where=master or "",
            advice="check the address of the master, and that it runs Java 17 or 21",
        ) from error


def _create(spark_session: "type[SparkSession]", master: str | None) -> "SparkSession":
    """A session on a master, begun with its context.

    Classes for plans are loaded while the context starts, which makes no plans, and before the
    session, which does: two threads that load the same classes could wait for each other.
    """
    pyspark = importlib.import_module("pyspark")
    conf = pyspark.SparkConf().setAppName("pagekin").setAll([*_settings(master).items()])
    if master is not None:
        conf.setMaster(master)
    with load_classes():
        pyspark.SparkContext.getOrCreate(conf)
    return spark_session.builder.config(conf=conf).getOrCreate()


def _settings(master: str | None) -> dict[str, str]:
    """The settings with which a session on a master starts."""
    here = _HERE if _is_here(master) else {}
    return {**_SETTINGS, **here, "spark.driver.defaultJavaOptions": _java_options(master)}


def _is_here(master: str | None) -> bool:
    """Whether tasks run in the driver's JVM."""
    return master is not None and re.fullmatch(r"local(\[.*\])?", master) is not None


def _rehearse_here(session: "SparkSession") -> None:
    """Rehearse on a local master only. A failure is left to the first stage to report."""
    if _is_here(session.sparkContext.master):
        with suppress(*spark_errors()):
            rehearse(session)


def _java_options(master: str | None) -> str:
    """Options of the driver's JVM. A user's own settings decide about logs."""
    options = [_QUICK, _NO_PAGES] if _is_here(master) else [_QUICK]
    if "SPARK_CONF_DIR" not in os.environ:
        options.append(f"-Dlog4j2.configurationFile={_QUIET.as_uri()}")
    return " ".join(options)


def _reason(error: Exception) -> str:
    """The JVM's message, which the bridge puts on a second line after a colon; else the first."""
    lines = str(error).splitlines() or [type(error).__name__]
    return next((line[2:] for line in lines if line.startswith(": ")), lines[0])


def _find_java() -> None:
    """Check that there is a Java where Spark looks for one."""
    home = os.environ.get("JAVA_HOME")
    found = (Path(home) / "bin" / "java").exists() if home else shutil.which("java") is not None
    if not found:
        raise EngineError(
            "Spark needs Java, and there is none",
            where=f"JAVA_HOME={home}" if home else "",
            advice="install it (Debian: apt-get install default-jre-headless), or set JAVA_HOME",
        )


@contextmanager
def load_classes() -> Iterator[None]:
    """A block in which a context starts; its JVM has loaded what makes plans when it ends."""
    ended = Event()
    thread = Thread(target=_load, args=[ended])
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def _load(ended: Event) -> None:
    """Poll for the JVM, which PySpark does not announce, and let it load classes."""
    context = importlib.import_module("pyspark").SparkContext
    while not ended.wait(LOOK):
        if context._gateway:
            with suppress(TypeError, OSError, *spark_errors()):
                _analyse(context._gateway.jvm)
            return


def _analyse(jvm: Any) -> Any:
    """A plan, analysed without a session.

    These names are not part of Spark's API: if they are missing, the first plan loads the classes.
    """
    jvm.scala.reflect.runtime.package.universe()
    catalyst = jvm.org.apache.spark.sql.catalyst
    return catalyst.analysis.SimpleAnalyzer.execute(catalyst.plans.logical.OneRowRelation())


def rehearse(spark: "SparkSession") -> dict[int, int]:
    """Run a tiny stage with a worker on every core; the number of parcels by destination."""
    cores = spark.sparkContext.defaultParallelism
    with use_settings(spark, STEPS), ThreadPoolExecutor() as pool:
        started = pool.submit(start_workers, spark)
        posted = send(spark.range(0, cores, 1, cores), task(_send, cores), cores)
        rows = report_facts(posted, task(_report), Count).collect()
        started.result()
    return {row["part"]: row["count"] for row in rows}


def start_workers(spark: "SparkSession") -> None:
    """Start a worker on every core; existing workers have nothing to do.

    The JVM makes a first plan on one core, and Python is imported on another meanwhile.
    """
    context = spark.sparkContext
    cores = context.defaultParallelism
    context.parallelize(range(cores), cores).foreachPartition(_nothing)


def _nothing(_: Iterable[int]) -> None:
    """Unpickling this function makes a worker import pagekin."""


def _send(destinations: int, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """A parcel for each destination."""
    for number in numbers(batches):
        parcels = (Parcel(place, number, b"parcel") for place in range(destinations))
        yield from packets(parcels, destinations)


def _report(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """How many parcels came."""
    with scratch() as folder:
        for destination, parcels in Inbox(folder).take(batches):
            yield batch_of([Count("parcels", destination, len(parcels))])
