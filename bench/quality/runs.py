"""A run of the scoreboard: a result for each system on each crawl, kept as soon as it is there.

Stopped and started again, a run goes on with what is missing. A result counts as long as the
program, the benchmark, its libraries and the files of the crawl are those that it was made with:
their digest is kept beside it.
"""

import hashlib
import json
import os
import resource
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import asdict, dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import NamedTuple

import pagekin
from bench.measure import BENCH
from bench.quality.judge import Judged, read_judged
from bench.quality.rivals import RIVALS
from bench.quality.truths.crawls import FOLDER, SharedCrawl
from pagekin.strategy import DEFAULT

__all__ = ["Cost", "forget", "installed_version", "judge_missing", "read_cost", "read_result"]

WORKERS = 2
SHOWN_BY = {"__main__.py", "picture.py", "runs.py", "scoreboard.py"}
"""Modules of the benchmark that no result depends on."""
ROOF = {"cli", "export", "generators", "mcp", "serve"}
"""Packages of pagekin that no result depends on: they only translate."""
LIBRARIES = ("numpy", "scikit-learn", "tantivy", "selectolax")
_COST = FOLDER / "cost.json"


def installed_version(library: str) -> str:
    """The version of a library; those of rivals are only installed to judge them."""
    try:
        return version(library)
    except PackageNotFoundError:
        return "not installed"


class Task(NamedTuple):
    """Systems that one process judges on a crawl, one after another."""

    crawl: SharedCrawl
    systems: Sequence[str]


@dataclass(frozen=True, slots=True)
class Cost:
    """What all starts of a run took together."""

    state: str
    seconds: float = 0.0
    core_seconds: float = 0.0
    starts: int = 0


def read_result(crawl: SharedCrawl, name: str) -> Judged | None:
    """What was found for a system; None if it was not judged yet, or in another state."""
    try:
        state, _, found = _path(crawl, name).read_text(encoding="utf-8").partition("\n")
    except FileNotFoundError:
        return None
    return read_judged(found) if state == _state_of(crawl) else None


def read_cost() -> Cost:
    """The cost of the run so far; nothing if there is none in this state."""
    if _COST.exists():
        found = Cost(**json.loads(_COST.read_text(encoding="utf-8")))
        if found.state == _program():
            return found
    return Cost(_program())


def forget(crawls: Sequence[SharedCrawl]) -> None:
    """Remove all results and what is known of the crawls."""
    _COST.unlink(missing_ok=True)
    for crawl in crawls:
        shutil.rmtree(crawl.folder / "results", ignore_errors=True)


def judge_missing(crawls: Sequence[SharedCrawl], names: Sequence[str]) -> None:
    """Judge every system on every crawl where that was not done yet, large crawls first."""
    os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", MKL_NUM_THREADS="1")
    ordered = sorted(crawls, key=lambda crawl: -crawl.archive.stat().st_size)
    missing = {
        crawl: [name for name in names if read_result(crawl, name) is None] for crawl in ordered
    }
    before, start = read_cost(), time.perf_counter()

    def judge(task: Task, needed: Future[None] | None = None) -> None:
        if needed is not None:
            needed.result()
        for name in _judge(task):
            took = time.perf_counter() - start
            print(f"{took:5.0f} s  {task.crawl.name}: {name}", file=sys.stderr, flush=True)
            _keep_cost(before, took)

    with ThreadPoolExecutor(WORKERS) as pool:
        # Everything else on a crawl needs what its default leaves behind: the index and the truths.
        first = {
            crawl: pool.submit(judge, Task(crawl, [DEFAULT]))
            for crawl, wanted in missing.items()
            if DEFAULT in wanted
        }
        rest = [
            pool.submit(judge, task, first.get(crawl))
            for crawl, wanted in missing.items()
            for task in _tasks(crawl, [name for name in wanted if name != DEFAULT])
        ]
        try:
            for done in (*first.values(), *rest):
                done.result()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    if first or rest:
        _keep_cost(before, time.perf_counter() - start)


def _tasks(crawl: SharedCrawl, names: Sequence[str]) -> Iterator[Task]:
    """Systems that share most of their work, in one process: strategies, and rivals by texts."""
    strategies = [name for name in names if name not in RIVALS]
    rivals = [RIVALS[name] for name in names if name in RIVALS]
    by_texts = (
        [rival.name for rival in rivals if rival.templates == templates]
        for templates in (True, False)
    )
    parts = [strategies, *by_texts]
    yield from (Task(crawl, part) for part in parts if part)


def _judge(task: Task) -> Iterator[str]:
    """The systems of a task as they are judged; each result is kept at once."""
    crawl, systems = task
    if DEFAULT in systems:
        for kept in (crawl.truths, *crawl.folder.glob("texts*.json")):
            shutil.rmtree(kept) if kept.is_dir() else kept.unlink(missing_ok=True)
    (crawl.folder / "results").mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "bench.quality.judge", crawl.name, *systems]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=BENCH.parent) as child:
        for name, line in zip(systems, child.stdout or (), strict=False):
            if not line.endswith("\n"):
                break
            draft = _path(crawl, name).with_suffix(".draft")
            draft.write_text(f"{_state_of(crawl)}\n{line}", encoding="utf-8")
            draft.replace(_path(crawl, name))
            yield name
    if child.returncode:
        raise RuntimeError(f"{' '.join(command)} ended with {child.returncode}")


def _keep_cost(before: Cost, seconds: float) -> None:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    cost = Cost(
        before.state,
        before.seconds + seconds,
        before.core_seconds + used.ru_utime + used.ru_stime,
        before.starts + 1,
    )
    _COST.write_text(json.dumps(asdict(cost)), encoding="utf-8")


def _path(crawl: SharedCrawl, name: str) -> Path:
    return crawl.folder / "results" / f"{name}.json"


@cache
def _state_of(crawl: SharedCrawl) -> str:
    """A digest of all that a result on this crawl depends on."""
    files = (crawl.archive, crawl.directory, crawl.see_also)
    stats = [(path.stat().st_size, path.stat().st_mtime_ns) for path in files if path is not None]
    return hashlib.sha256(f"{_program()} {stats}".encode()).hexdigest()


@cache
def _program() -> str:
    """A digest of the program, the benchmark and its libraries."""
    package, quality = Path(pagekin.__file__).parent, Path(__file__).parent
    parts = (path for path in package.iterdir() if path.name not in ROOF)
    program = [file for part in parts for file in (part.rglob("*.py") if part.is_dir() else [part])]
    judged_by = [path for path in quality.rglob("*.py") if path.name not in SHOWN_BY]
    digest = hashlib.sha256()
    for path in sorted([*program, *judged_by]):
        digest.update(path.read_bytes())
    digest.update(" ".join(map(installed_version, LIBRARIES)).encode())
    return digest.hexdigest()
