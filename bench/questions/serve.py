"""The service under load: rate relative to an empty endpoint, latency, memory, failures.

    python -m bench.questions.serve [--index FOLDER] [--workers 1] [--seconds 10]
        [--minutes 10] [--write]

wrk (Debian's package) sends requests over loopback with 32 connections. Related pages are requested
in four ways: one page again and again; the pages of the crawl by popularity, few often and many
seldom (Zipf), which is what the cache is for; every page repeatedly, after an idle minute in which
answers were precomputed; and with new parameters, so that the core must compare. Then follow
minutes of mixed load in which memory must not grow.
"""

import argparse
import random
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from urllib.parse import quote

import pagekin
from bench.indexes import kept_index
from bench.measure import DATA
from bench.processes import Processes
from bench.tables import put_table

CONNECTIONS = 32
WARM = {"popular pages": 60}
"""Seconds of a load before it is measured, if not two."""
SILENCE = {"precomputed": 60}
"""Idle seconds before that, if not one."""
ASKED = 200_000
"""Number of requests in a list that wrk repeats."""
LUA = """
local paths = {}
for line in io.lines(os.getenv("PATHS")) do paths[#paths + 1] = line end
local at = 0
request = function()
  at = at % #paths + 1
  return wrk.format("GET", paths[at])
end
"""


@dataclass(frozen=True, slots=True)
class Loaded:
    """What wrk saw, and what the workers took on the core for each request."""

    requests: int
    seconds: float
    median_ms: float
    p99_ms: float
    failures: int
    core_ms: float

    @property
    def rate(self) -> float:
        """Requests per second."""
        return self.requests / self.seconds


def main() -> int:
    """Serve, send requests, print."""
    options = _options()
    if shutil.which("wrk") is None:
        print("skipped: no wrk (apt-get install wrk), the service was not measured")
        return 0
    index = options.index or _schools()
    if index is None:
        print(f"skipped: no schools in {DATA}, the service was not measured")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(Path(folder), index, options.workers)
        found: dict[str, list[Loaded]] = {name: [] for name in bench.lists}
        for name in [*found] * options.rounds:
            found[name].append(bench.load(name, options.seconds))
        text = table(found, options.workers)
        print(text, flush=True)
        if options.minutes:
            text += "\n\n" + bench.long(options.minutes * 60)
            print(text.rpartition("\n\n")[2])
    if options.write:
        put_table("bench.questions.serve", text)
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--index", type=Path, help="default: one of schools.warc.gz is built")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=int, default=10, help="of each load in each round")
    parser.add_argument("--minutes", type=float, default=10, help="of the last load; 0 for none")
    parser.add_argument("--write", action="store_true", help="put the table into BENCHMARKS.md")
    return parser.parse_args()


def _schools() -> Path | None:
    source = DATA / "schools.warc.gz"
    return kept_index(source) if source.exists() else None


class Bench:
    """The lists of requests, and the load that they make."""

    def __init__(self, folder: Path, index: Path, workers: int) -> None:
        self._folder = folder
        self._index = index
        self._workers = workers
        self._script = folder / "ask.lua"
        self._script.write_text(LUA)
        urls = _crawled(pagekin.open(index))
        rng = random.Random(2002)
        rng.shuffle(urls)
        related = [f"/api/related?url={quote(url, '')}" for url in urls]
        cards = [path.replace("related", "page", 1) for path in related]
        self.lists = {
            "empty": self._list("empty", ["/api/health"]),
            "one page": self._list("one", related[:1]),
            "popular pages": self._list("zipf", _zipf(rng, related)),
            "precomputed": self._list("all", related),
            "uncached": self._list("new", _unlike_each_other(related)),
        }
        self._mixed = self._list("mixed", _zipf(rng, [*related[::2], *cards[1::2]]))

    def _list(self, name: str, paths: Sequence[str]) -> Path:
        path = self._folder / f"{name}.txt"
        path.write_text("\n".join(paths) + "\n")
        return path

    @contextmanager
    def _service(self) -> Iterator[tuple[str, Processes]]:
        """A fresh service."""
        words = [sys.executable, "-m", "pagekin", "serve", str(self._index), "--port", "0"]
        words += ["--workers", str(self._workers)]
        with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process:
            try:
                line = process.stdout.readline() if process.stdout else ""
                found = re.search(r"http://\S+", line)
                if found is None:
                    raise RuntimeError("the service does not start")
                processes = Processes(process.pid)
                while len(processes.children()) < self._workers:
                    time.sleep(0.1)
                yield found[0].rstrip("/"), processes
            finally:
                process.terminate()

    def load(self, name: str, seconds: float) -> Loaded:
        """Send one of the lists for some seconds, after filling the cache as in daily use."""
        computed = name in ("precomputed", "uncached")
        before = self.lists["empty" if computed else name]
        with self._service() as (address, processes):
            time.sleep(SILENCE.get(name, 1))
            self._wrk(address, processes, before, WARM.get(name, 2))
            return self._wrk(address, processes, self.lists[name], seconds)

    def long(self, seconds: float) -> str:
        """Mixed load for minutes, and the memory of the workers meanwhile."""
        with self._service() as (address, processes):
            self._wrk(address, processes, self._mixed, seconds / 10)
            with processes.watched() as memory:
                found = self._wrk(address, processes, self._mixed, seconds)
        fifth = max(len(memory) // 5, 1)
        before, after = statistics.mean(memory[:fifth]), statistics.mean(memory[-fifth:])
        return (
            f"{seconds / 60:g} minutes of related pages and cards, popular pages more often: "
            f"{found.requests:,} requests, {found.failures} failed,\np99 {found.p99_ms:.1f} ms; "
            f"memory in the first fifth {before:.0f} MB, in the last {after:.0f} MB."
        )

    def _wrk(self, address: str, processes: Processes, asked: Path, seconds: float) -> Loaded:
        words = ["wrk", "-t1", f"-c{CONNECTIONS}", f"-d{seconds:.0f}s", "--timeout", "30s"]
        words += ["--latency", "-s", str(self._script), address]
        before = processes.core_seconds()
        done = subprocess.run(
            words, capture_output=True, text=True, check=True, env={"PATHS": str(asked)}
        )
        return _read(done.stdout, processes.core_seconds() - before)


def _crawled(index: pagekin.Index) -> list[str]:
    return [
        str(url)
        for batch in index.reader.tables["pages"].batches()
        for url in batch.column("url").filter(batch.column("crawled")).to_pylist()
    ]


def _unlike_each_other(paths: Sequence[str]) -> list[str]:
    """More requests than a load can send, all different: tiny minimum scores leave out nothing.

    No cached answer serves any of them, though pages repeat.
    """
    return [f"{path}&min_score={n / 1e12:.12f}" for n, path in zip(range(ASKED), cycle(paths))]


def _zipf(rng: random.Random, paths: Sequence[str]) -> list[str]:
    """Draws in which the frequency of the n-th path is proportional to 1 / n."""
    weights = [1 / rank for rank in range(1, len(paths) + 1)]
    return rng.choices(paths, weights, k=ASKED)


UNITS = {"us": 0.001, "ms": 1.0, "s": 1000.0, "m": 60_000.0}


def _read(text: str, core: float) -> Loaded:
    """The figures of wrk's report."""

    def milliseconds(percentile: int) -> float:
        number, unit = re.findall(rf"\s{percentile}%\s+([\d.]+)([a-z]+)", text)[0]
        return float(number) * UNITS[unit]

    requests, time_taken, unit = re.findall(r"(\d+) requests in ([\d.]+)([a-z]+)", text)[0]
    failed = re.findall(r"Non-2xx or 3xx responses: (\d+)", text)
    errors = re.findall(r"(?:connect|read|write|timeout) (\d+)", text)
    return Loaded(
        requests=int(requests),
        seconds=float(time_taken) * UNITS[unit] / 1000,
        median_ms=milliseconds(50),
        p99_ms=milliseconds(99),
        failures=sum(map(int, [*failed, *errors])),
        core_ms=1000 * core / max(int(requests), 1),
    )


def table(found: dict[str, list[Loaded]], workers: int) -> str:
    """Medians of the rounds; ratios are of each round by itself."""
    lines = [
        f"Workers: {workers}, connections: {CONNECTIONS}, rounds: {len(found['empty'])}.",
        "",
        "| request | requests per second | of an empty endpoint's (spread) | ms on the core | "
        "median ms | p99 / median | failed |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    for name, loads in found.items():
        ratios = [one.rate / empty.rate for one, empty in zip(loads, found["empty"], strict=True)]
        tails = [load.p99_ms / load.median_ms for load in loads]
        cells = [
            name,
            f"{statistics.median(load.rate for load in loads):,.0f}",
            f"{statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})",
            f"{statistics.median(load.core_ms for load in loads):.2f}",
            f"{statistics.median(load.median_ms for load in loads):.1f}",
            f"{statistics.median(tails):.1f}",
            f"{sum(load.failures for load in loads)}",
        ]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
