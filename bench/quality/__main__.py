"""The scoreboard: pagekin's presets and its rivals, on every crawl and by every truth it has.

    make quality                               everything but neural rivals
    make quality-neural                        these, too; installs torch
    python -m bench.quality [--neural] [--keep] [--write]

Each system is judged on each crawl in a process of its own, two at a time. Results are kept in
bench/out; those of neural rivals are shown whenever they are there.
"""

import argparse
import os
import shutil
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from bench.measure import BENCH, DATA, child_output
from bench.quality.judge import Judged, read_judged
from bench.quality.picture import draw
from bench.quality.rivals import RIVALS
from bench.quality.scoreboard import markdown
from bench.quality.truths.crawls import CRAWLS, SharedCrawl
from bench.tables import put_table
from pagekin.strategy import DEFAULT, presets

Task = tuple[SharedCrawl, str]
NAMES = (*presets(), *RIVALS)


def main() -> int:
    """Judge, print, and put the results in their place."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--neural", action="store_true", help="also judge neural rivals")
    parser.add_argument("--keep", action="store_true", help="use results of an earlier run")
    parser.add_argument("--write", action="store_true", help="put tables and picture in place")
    options = parser.parse_args()
    crawls = [crawl for crawl in CRAWLS.values() if crawl.archive.exists()]
    if not crawls:
        print(f"skipped: no crawl in {DATA}, nothing was measured")
        return 0
    wanted = [name for name in NAMES if options.neural or not _is_neural(name)]
    start = time.perf_counter()
    run_all(crawls, wanted, keep=options.keep)
    print(f"judged in {time.perf_counter() - start:.0f} s by the clock", file=sys.stderr)
    board = {crawl.name: _judged(crawl) for crawl in crawls}
    text = markdown(board)
    print(text)
    if options.write:
        put_table("bench.quality", text)
        draw(board, BENCH.parent / "docs" / "quality.svg")
    return 0


def run_all(crawls: Sequence[SharedCrawl], names: Sequence[str], *, keep: bool) -> None:
    """Judge every system on every crawl; the default first, whose index and truths the others
    need."""
    os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", MKL_NUM_THREADS="1")
    if not keep:
        for crawl in crawls:
            shutil.rmtree(crawl.truths, ignore_errors=True)
    first = [(crawl, DEFAULT) for crawl in crawls]
    rest = [(crawl, name) for crawl in crawls for name in names if name != DEFAULT]
    with ThreadPoolExecutor(2) as pool:
        for tasks in (first, rest):
            wanted = [task for task in tasks if not (keep and _result(*task).exists())]
            list(pool.map(_run, wanted))


def _run(task: Task) -> None:
    crawl, name = task
    print(f"judging: {name} on {crawl.name}", file=sys.stderr)
    command = [sys.executable, "-m", "bench.quality.judge", crawl.name, name]
    output = child_output(command, cores=len(os.sched_getaffinity(0)))
    path = _result(crawl, name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(output, encoding="utf-8")


def _result(crawl: SharedCrawl, name: str) -> Path:
    return crawl.folder / "results" / f"{name}.json"


def _is_neural(name: str) -> bool:
    return name in RIVALS and RIVALS[name].neural


def _judged(crawl: SharedCrawl) -> dict[str, Judged]:
    """Every result that there is, in the order of tables."""
    paths = {name: _result(crawl, name) for name in NAMES}
    return {
        name: read_judged(path.read_text(encoding="utf-8"))
        for name, path in paths.items()
        if path.exists()
    }


if __name__ == "__main__":
    sys.exit(main())
