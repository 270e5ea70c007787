"""Jobs on Spark: the settings that steps run with, progress, and errors in plain words."""

import importlib
import itertools
import re
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

from pagekin.engines.spark.shuffle import BATCH_PACKETS
from pagekin.errors import EngineError
from pagekin.work.progress import Progress

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

__all__ = ["SAME_WORKERS", "STEPS", "Jobs", "spark_errors", "use_settings"]


def spark_errors() -> tuple[type[Exception], ...]:
    """What PySpark raises, and the bridge between Python and the JVM."""
    pyspark: type[Exception] = importlib.import_module("pyspark.errors").PySparkException
    bridge: type[Exception] = importlib.import_module("py4j.protocol").Py4JError
    return pyspark, bridge


SAME_WORKERS = {"spark.sql.execution.pyspark.udf.simplifiedTraceback.enabled": "false"}
"""With this setting, steps over DataFrames reuse the workers of other jobs."""
STEPS = {
    "spark.sql.execution.arrow.maxRecordsPerBatch": str(BATCH_PACKETS),
    # Every destination has its task, and a job is one job.
    "spark.sql.adaptive.enabled": "false",
    # Packets are few and large: code made for each step takes longer to make than it saves.
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    **SAME_WORKERS,
}
"""For steps whose rows are packets."""


@contextmanager
def use_settings(spark: "SparkSession", settings: Mapping[str, str]) -> Iterator[None]:
    """The session with some settings, restored afterwards."""
    before = {name: spark.conf.get(name) for name in settings}
    for name, value in settings.items():
        spark.conf.set(name, value)
    try:
        yield
    finally:
        for name, known in before.items():
            spark.conf.set(name, known or "")


R = TypeVar("R")
_PYTHON_ERROR = re.compile(r"(?!org\.|java\.|scala\.)[\w.]+(Error|Exception|Exit)\b")
_NOT_STARTED = re.compile(
    r"module specification for .* \((ModuleNotFoundError: .*)\)$", re.MULTILINE
)
_BRIDGE = "An error occurred while calling"
"""How the bridge between Python and the JVM begins; the JVM's own words follow."""
_ADVICE = {
    "ModuleNotFoundError": "install pagekin[spark] for the Python of every machine's executors",
    "FileNotFoundError": "put the index where all machines reach it by the same path, or at a URI",
}
"""Advice for tasks that lack files or packages of the driver."""
LOOK = 0.25
"""Seconds between two polls of a job's progress; a poll is ten calls of the JVM."""


class Jobs:
    """Jobs one after another; `again` is the advice if one has failed."""

    def __init__(self, spark: "SparkSession", progress: Progress, again: str) -> None:
        self._context = spark.sparkContext
        self._progress = progress
        self._again = again
        self._names = (f"pagekin-{id(self)}-{number}" for number in itertools.count())

    def run(self, name: str, tasks: int, *actions: Callable[[], R]) -> list[R]:
        """Do things at the same time, and pass on how many of their tasks are done."""
        self._progress.stage(name, tasks, "tasks")
        group = next(self._names)

        def act(action: Callable[[], R]) -> R:
            self._context.setJobGroup(group, f"pagekin: {name}")
            return action()

        with ThreadPoolExecutor(len(actions)) as pool:
            work = [pool.submit(act, action) for action in actions]
            try:
                failed = self._followed(work, group, tasks)
            finally:
                # After Ctrl-C do not wait for tasks.
                self._context.cancelJobGroup(group)
                self._progress.done()
        return [self._result(one) for one in ([failed] if failed else work)]

    def _followed(self, work: "list[Future[R]]", group: str, tasks: int) -> "Future[R] | None":
        """Follow work to its end, or to the first failure, which is returned."""
        shown = 0
        while True:
            ended, going = wait(work, LOOK, FIRST_EXCEPTION)
            failed = next((one for one in ended if one.exception()), None)
            done = min(self._done(group), tasks) if going else tasks
            if failed:
                return failed
            self._progress.advance(done - shown)
            shown = done
            if not going:
                return None

    def _result(self, work: "Future[R]") -> R:
        try:
            return work.result()
        except spark_errors() as error:
            raise _plain_error(str(error), self._again) from error

    def _done(self, group: str) -> int:
        """How many tasks of the group's jobs are done."""
        tracker = self._context.statusTracker()
        jobs = [tracker.getJobInfo(job) for job in tracker.getJobIdsForGroup(group)]
        stages = [tracker.getStageInfo(stage) for job in jobs if job for stage in job.stageIds]
        return sum(stage.numCompletedTasks for stage in stages if stage)


def _plain_error(error: str, again: str) -> EngineError:
    """The error of a failed job, in plain words."""
    cause = _cause(error)
    cure = _ADVICE.get(cause.partition(":")[0], "fix the cause")
    return EngineError(f"Spark could not finish a stage ({cause})", advice=f"{cure} and {again}")


def _cause(text: str) -> str:
    """The line that says why: what does not let Python start, its last error, or the first line."""
    if missing := _NOT_STARTED.search(text):
        return missing[1]
    lines = [line.strip().removeprefix(": ") for line in text.splitlines() if line.strip()]
    python = [line for line in lines if _PYTHON_ERROR.match(line)]
    plain = [line for line in lines if not line.startswith(_BRIDGE)]
    return (python or plain or [""])[-1 if python else 0]
