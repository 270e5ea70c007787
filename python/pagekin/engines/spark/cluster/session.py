"""A Spark to run on: the one that is there, or one of our own."""

import importlib
import os
import re
import shutil
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from pagekin.errors import EngineError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

__all__ = ["configured", "opened", "spark_errors"]

_MASTER = re.compile(r"local|local\[[\d*, ]+\]|local-cluster\[[\d, ]+\]|yarn|(spark|k8s)://.+")
_SETTINGS = {
    "spark.ui.showConsoleProgress": "false",
    "spark.sql.execution.arrow.pyspark.enabled": "false",
    # The driver's JVM passes bytes on: to compile it to the last takes longer than a build.
    "spark.driver.defaultJavaOptions": "-XX:TieredStopAtLevel=1",
}


@contextmanager
def opened(master: str | None = None) -> Iterator["SparkSession"]:
    """The session that is active, left as it is; else a new one, stopped at the end.

    Without a master that is the one of `spark-submit` or `spark-defaults.conf`, or this machine.
    """
    spark_session = _pyspark()
    active = spark_session.getActiveSession()
    if active is not None:
        yield active
        return
    started = _started(spark_session, master)
    try:
        yield started
    finally:
        started.stop()


@contextmanager
def configured(spark: "SparkSession", settings: Mapping[str, str]) -> Iterator[None]:
    """The session with some settings, and then as it was."""
    before = {name: spark.conf.get(name) for name in settings}
    for name, value in settings.items():
        spark.conf.set(name, value)
    try:
        yield
    finally:
        for name, known in before.items():
            spark.conf.set(name, known or "")


def spark_errors() -> tuple[type[Exception], ...]:
    """What PySpark raises, and the bridge between Python and the JVM."""
    own: type[Exception] = importlib.import_module("pyspark.errors").PySparkException
    bridge: type[Exception] = importlib.import_module("py4j.protocol").Py4JError
    return own, bridge


def _pyspark() -> "type[SparkSession]":
    try:
        found: type[SparkSession] = importlib.import_module("pyspark.sql").SparkSession
    except ImportError as error:
        raise EngineError(
            f"the engine spark needs PySpark ({error})", advice="pip install pagekin[spark]"
        ) from error
    return found


def _started(spark_session: "type[SparkSession]", master: str | None) -> "SparkSession":
    if master is not None and not _MASTER.fullmatch(master):
        raise EngineError(
            "is no address of a Spark master",
            where=master,
            advice="write for example local[4], spark://host:7077, yarn or k8s://https://host:443",
        )
    _find_java()
    # Workers must run this Python, not whatever is first on the path.
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = spark_session.builder.appName("pagekin")
    for name, value in _SETTINGS.items():
        builder = builder.config(name, value)
    if master is not None:
        builder = builder.master(master)
    try:
        started = builder.getOrCreate()
    except spark_errors() as error:
        raise EngineError(
            f"Spark does not start ({_first_line(error)})",
            where=master or "",
            advice="check the address of the master, and that Java 17 or 21 is what runs",
        ) from error
    started.sparkContext.setLogLevel("ERROR")
    return started


def _first_line(error: Exception) -> str:
    return next(iter(str(error).splitlines()), type(error).__name__)


def _find_java() -> None:
    home = os.environ.get("JAVA_HOME")
    if home and (Path(home) / "bin" / "java").exists():
        return
    if shutil.which("java") is None:
        raise EngineError(
            "Spark needs Java, and there is none",
            advice="install it (Debian: apt-get install default-jre-headless), or set JAVA_HOME",
        )
