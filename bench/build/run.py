"""The benchmark of a build: its figures in BENCHMARKS.md, from one run.

    python -m bench.build.run            all of it; about a quarter of an hour on an idle machine
    python -m bench.build.run --quick    one round, without the Python way and without memory
    python -m bench.build.run --write    also put the tables into BENCHMARKS.md

Samples go to bench/out/results.json. Nothing here fails for being slow.
"""

import argparse
import json
import os
import platform
import sys
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path

import pagekin._core
from bench.build.floor import build_floor, floor
from bench.measure import DATA, OUT, child_sample
from bench.memory import Peaks, peaks
from bench.report import Crawl, Results, machine, markdown
from bench.tables import put_table
from pagekin._core import checksums

ROUNDS = 5
INPUTS = ("schools", "modern")
TMPFS = Path("/dev/shm")
MEMORY = "1GB"
CORE = Path(pagekin._core.__file__)


def main() -> int:
    """Measure, print, store."""
    options = _options()
    missing = [name for name in INPUTS if not archive(name).exists()]
    if missing:
        print(f"skipped: no {' and no '.join(missing)} in {DATA}, nothing was measured")
        return 0
    OUT.mkdir(exist_ok=True)
    build_floor()
    results = run(1 if options.quick else options.rounds, quick=options.quick)
    (OUT / "results.json").write_text(json.dumps(asdict(results), indent=1), encoding="utf-8")
    text = markdown(results)
    print(text)
    if options.write:
        put_table("bench.build.run", text)
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="one round, without Python and memory")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="default: %(default)s")
    parser.add_argument("--write", action="store_true", help="put the tables into BENCHMARKS.md")
    return parser.parse_args()


def archive(name: str) -> Path:
    """Where an input is."""
    return DATA / f"{name}.warc.gz"


def run(rounds: int, *, quick: bool) -> Results:
    """Take every measurement once per round, then memory."""
    crawls = [Crawl(name) for name in INPUTS]
    core = checksums(CORE).whole
    for number in range(rounds):
        for crawl in crawls:
            _say(f"round {number + 1} of {rounds}: {crawl.name}")
            measure(crawl, quick=quick)
    found: Peaks | None = None
    if not quick:
        _say("memory")
        found = peaks(MEMORY)
    if checksums(CORE).whole != core:
        raise RuntimeError("the core was rebuilt during the run; its figures are of no one version")
    return Results(machine(), versions(), rounds, crawls, found)


def measure(crawl: Crawl, *, quick: bool) -> None:
    """One round on one input."""
    path, disk = str(archive(crawl.name)), str(OUT)
    crawl.floors.append(floor(archive(crawl.name)))
    crawl.fragments.append(child_sample("build.stages", "fragments", path, disk))
    crawl.runs.append(child_sample("build.stages", "runs", path, disk))
    if os.access(TMPFS, os.W_OK):
        crawl.runs_tmpfs.append(child_sample("build.stages", "runs", path, str(TMPFS)))
    crawl.bags.append(child_sample("build.stages", "bags", path, disk))
    if len(os.sched_getaffinity(0)) > 1:
        crawl.bags_two.append(child_sample("build.stages", "bags", path, disk, "2", cores=2))
    if not quick:
        crawl.python.append(child_sample("build.python_way", path))


def versions() -> str:
    """What was compared."""
    names = ("pagekin", "fastwarc", "selectolax", "PyStemmer")
    found = [f"{name} {version(name)}" for name in names]
    return ", ".join([*found, f"Python {platform.python_version()}"])


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
