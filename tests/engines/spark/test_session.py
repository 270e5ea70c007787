"""What stands in the way of Spark is named, and the ways to it lead there."""

import importlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from pagekin.cli import main
from pagekin.engines import spark
from pagekin.engines.spark.cluster import jobs, session
from pagekin.errors import CrawlError, EngineError
from pagekin.sample.pack import write_sample
from tests.crawls import manifest
from tests.engines.spark.clusters import SHORT_LIVED, needs_java, spark_home

GONE: type[Exception] = importlib.import_module("py4j.protocol").Py4JNetworkError
WITH_PAGES = "--conf spark.ui.enabled=true"
EXAMPLES = Path(__file__).parent.parent.parent.parent / "examples"


def test_missing_pyspark_is_reported_with_the_install_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "pyspark.sql", None)
    assert main(["index", "a.warc", "-o", str(tmp_path / "i"), "--engine", "spark"]) == 2
    assert "pip install pagekin[spark]" in capsys.readouterr().err
    assert not (tmp_path / "i").exists()


@pytest.mark.parametrize(("home", "path"), [("", ""), ("/nowhere", ""), ("/nowhere", None)])
def test_missing_java_is_reported(
    home: str, path: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JAVA_HOME", home)
    if path is not None:
        monkeypatch.setenv("PATH", path)
    with (
        pytest.raises(EngineError, match=r"needs Java.*apt-get install") as message,
        spark.open_session(),
    ):
        pass
    assert home in str(message.value)


@pytest.mark.parametrize(
    ("said", "cause"),
    [
        (
            "[JAVA_GATEWAY_EXITED] Java gateway exited\n more",
            "[JAVA_GATEWAY_EXITED] Java gateway exited",
        ),
        (
            "An error occurred while calling x.\n: java.lang.Bad: stopped\n\tat x",
            "java.lang.Bad: stopped",
        ),
        ("", "Exception"),
    ],
)
def test_reason_of_a_failed_start_is_extracted(said: str, cause: str) -> None:
    assert session._reason(Exception(said)) == cause


@pytest.mark.parametrize("error", [ConnectionRefusedError(), GONE("closed")])
def test_ended_jvm_is_reported(error: Exception) -> None:
    with pytest.raises(EngineError, match="has ended before"), session._lost_session_errors():
        raise error


def test_spark_connect_session_is_rejected() -> None:
    remote: Any = object()
    with pytest.raises(EngineError, match="Spark Connect"):
        session._with_jobs(remote)


def test_spark_connect_server_is_not_contacted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPARK_REMOTE", "sc://127.0.0.1:1")
    with pytest.raises(EngineError, match="Spark Connect"), spark.open_session("local[1]"):
        pass


@pytest.mark.parametrize(
    ("cause", "cure"),
    [
        ("OSError: [Errno 28] No space left on device", "fix the cause and build again"),
        ("FileNotFoundError: [Errno 2] /i/.exchange-1/a/pages/00001", "reach it by the same path"),
        ("ModuleNotFoundError: No module named 'pagekin'", "install pagekin[spark]"),
    ],
)
def test_failed_task_is_reported_with_advice(cause: str, cure: str) -> None:
    stack = "Job aborted: Task 3 failed\n  File x\n    y = 1\nTypeError: not this\n"
    error = jobs._plain_error(f"{stack}  {cause}\n\tat org.apache.spark.Error: x", "build again")
    assert f"({cause})" in str(error)
    assert cure in str(error)


def test_worker_without_pagekin_is_reported() -> None:
    error = jobs._plain_error(
        "An error occurred while calling z:x.\n"
        ": org.apache.spark.SparkException: \n"
        "Error from python worker:\n"
        "  /usr/bin/python3: Error while finding module specification for 'pagekin.engines' "
        "(ModuleNotFoundError: No module named 'pagekin')\n"
        "PYTHONPATH was:\n  /a\norg.apache.spark.SparkException: EOFException occurred\n",
        "build again",
    )
    assert "(ModuleNotFoundError: No module named 'pagekin')" in str(error)
    assert "install pagekin[spark]" in str(error)


def test_error_of_the_jvm_is_reported_not_that_of_py4j() -> None:
    error = jobs._plain_error(
        "An error occurred while calling x.\n: java.lang.Bad: stopped\n\tat x", ""
    )
    assert "(java.lang.Bad: stopped)" in str(error)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--engine", "spark", "--threads", "2"], "--threads: not an option of this engine"),
        (["--master", "local[2]"], "--master: not an option of this engine"),
        (["--engine", "flink"], "invalid choice"),
    ],
)
def test_options_of_the_other_engine_are_rejected(
    words: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        code = main(["index", "a.warc", "-o", str(tmp_path / "i"), *words])
    except SystemExit as error:
        code = int(str(error.code))
    assert code == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize("master", ["nonsense", "", "local[x]", "http://head:7077"])
def test_invalid_master_is_rejected(master: str) -> None:
    with (
        pytest.raises(EngineError, match="not an address of a Spark master"),
        spark.open_session(master),
    ):
        pass


def test_web_ui_is_off_only_on_this_machine() -> None:
    here, there = (session._java_options(master) for master in ("local[2]", "spark://head:7077"))
    assert "-Dspark.ui.enabled=false" in here
    assert "spark.ui" not in there


@pytest.mark.slow
@needs_java
@pytest.mark.parametrize(("said", "served"), [("", False), (WITH_PAGES, True)])
def test_web_ui_can_be_turned_on(said: str, served: bool) -> None:
    look = (
        "from pagekin.engines import spark\n"
        "with spark.open_session('local[1]') as session: print(bool(session.sparkContext.uiWebUrl))"
    )
    done = run([sys.executable, "-c", look], PYSPARK_SUBMIT_ARGS=f"{said} pyspark-shell")
    assert done.stdout.strip() == str(served), done.stderr[-3000:]


def test_standard_input_is_rejected(tmp_path: Path) -> None:
    with pytest.raises(CrawlError, match="other machines"):
        spark.build("-", tmp_path / "index")
    assert not (tmp_path / "index").exists()


@pytest.mark.slow
@needs_java
def test_index_command_builds_and_reports_damaged_files(tmp_path: Path) -> None:
    write_sample(tmp_path / "sample.warc.gz")
    (tmp_path / "broken.warc").write_bytes(b"no archive")
    (tmp_path / "list.txt").write_text(f"{tmp_path}/sample.warc.gz\n{tmp_path}/broken.warc\n")
    words = ["index", f"@{tmp_path}/list.txt", "-o", str(tmp_path / "index")]
    done = run([sys.executable, "-m", "pagekin", *words, "--engine", "spark", "--master", "local"])
    assert done.returncode == 2
    assert "106 pages from 106 captures" in done.stdout
    assert "broken.warc" in done.stderr
    assert "Traceback" not in done.stderr
    assert manifest(tmp_path / "index")["counts"]["pages"] == 106


@pytest.mark.slow
@needs_java
def test_failure_hidden_by_the_rehearsal_is_reported_by_the_first_stage(tmp_path: Path) -> None:
    write_sample(tmp_path / "sample.warc.gz")
    words = ["index", f"{tmp_path}/sample.warc.gz", "-o", f"{tmp_path}/index", "--engine", "spark"]
    command = [sys.executable, "-m", "pagekin", *words, "--master", "local[1]"]
    done = run(command, PYSPARK_PYTHON=shutil.which("false") or "")
    assert done.returncode == 2
    assert "Spark could not finish a stage" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.slow
@needs_java
def test_example_job_runs(tmp_path: Path) -> None:
    write_sample(tmp_path / "sample.warc.gz")
    words = [str(EXAMPLES / "spark_job.py"), f"{tmp_path}/sample.warc.gz", f"{tmp_path}/index"]
    submit = str(spark_home() / "bin" / "spark-submit")
    done = run([submit, "--master", "local[2]", *words], PYSPARK_PYTHON=sys.executable)
    assert done.returncode == 0, done.stderr[-3000:]
    assert done.stdout.startswith("106 pages")


@pytest.mark.slow
@needs_java
def test_example_notebook_runs(tmp_path: Path) -> None:
    notebook = json.loads((EXAMPLES / "spark_notebook.ipynb").read_text())
    cells = [cell["source"] for cell in notebook["cells"] if cell["cell_type"] == "code"]
    text = "\n".join("".join(lines) for lines in cells)
    done = run([sys.executable, "-c", text], cwd=tmp_path, PYSPARK_PYTHON=sys.executable)
    assert done.returncode == 0, done.stderr[-3000:]
    assert "Hellebores" in done.stdout


def run(
    command: list[str], cwd: Path | None = None, **more: str
) -> "subprocess.CompletedProcess[str]":
    """Run a command with more environment variables."""
    surroundings = os.environ | {"SPARK_SUBMIT_OPTS": SHORT_LIVED} | more
    return subprocess.run(
        command, capture_output=True, text=True, check=False, cwd=cwd, env=surroundings
    )
