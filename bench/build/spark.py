"""The Spark engine: against the local one, how it grows, and what a popular page costs.

    spark.py [--quick] [--write]        everything; --quick leaves the growth and the skew out
    spark.py child MASTER ARCHIVE...    seconds of the start of a session, and of builds on it

Targets (schools, local[2], without the start of the JVM): at most 2.5 times the local engine's
time; time in proportion to the crawl within 15 %; a page with a million inlinks and a posting list
of a million pages within executors of 1 GB. What a first build needs may be done when a session
starts, so the start is measured too, from the call that opens a session until it is open.
"""

import argparse
import gzip
import json
import os
import shutil
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import pagekin
from bench.measure import DATA, OUT, Sample, child_output
from bench.memory import HOST, members
from bench.tables import put_table
from pagekin.engines import spark

COPIES = (1, 2, 4, 8)
FILES = 4
"""Files of each copy of the crawl: one task reads one file."""
INLINKS = 1_000_000
ROUNDS = 3
SMALL = "--conf spark.executor.memory=480m --conf spark.executor.memoryOverhead=544m"
"""An executor of 1 GB: its JVM and the Python beside it."""
GIB = 1 << 30


def main() -> None:
    """Measure and print, or measure what a parent process requests."""
    if sys.argv[1:2] == ["child"]:
        child(sys.argv[2], sys.argv[3:])
        return
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--quick", action="store_true")
    options.add_argument("--write", action="store_true")
    chosen = options.parse_args()
    OUT.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="spark-", dir=OUT) as folder:
        text = "\n".join(tables(Path(folder), chosen.quick))
    print(text)
    if chosen.write:
        put_table("bench.build.spark", text)


def tables(folder: Path, quick: bool) -> Iterator[str]:
    """What was measured, as Markdown."""
    yield from against_local([DATA / "schools.warc.gz"])
    if quick:
        return
    yield ""
    yield from growth(folder)
    yield ""
    yield from skew(folder)


def against_local(archives: list[Path]) -> Iterator[str]:
    """Both engines on two cores."""
    local = [run("local", archives).builds[0] for _ in range(ROUNDS)]
    runs = [run("local[2]", archives, archives) for _ in range(ROUNDS)]
    yield "| schools, two cores | by the clock | on the cores | of the local engine, by the clock |"
    yield "| --- | --- | --- | --- |"
    best = min(sample.wall for sample in local)
    for name, samples in (
        ("local engine", local),
        ("Spark, first build of a session", [run.builds[0] for run in runs]),
        ("Spark, second build", [run.builds[1] for run in runs]),
        ("Spark, start of the session", [run.start for run in runs]),
        ("Spark, start and first build", [run.start_and_first for run in runs]),
    ):
        wall, cpu = (min(getattr(sample, side) for sample in samples) for side in ("wall", "cpu"))
        yield f"| {name} | {wall:.2f} s | {cpu:.2f} s | {wall / best:.2f} |"


def growth(folder: Path) -> Iterator[str]:
    """Time for more and more copies under other hosts, after one build that warms the JVM."""
    archives = [path for number in range(max(COPIES)) for path in write_copy(number, folder)]
    crawls = [archives[: copies * FILES] for copies in (1, *COPIES)]
    samples = run("local[2]", *crawls).builds[1:]
    yield "| copies of schools | by the clock | a copy, of one | on the cores | a copy, of one |"
    yield "| --- | --- | --- | --- | --- |"
    for copies, sample in zip(COPIES, samples, strict=True):
        wall = sample.wall / copies / samples[0].wall
        cpu = sample.cpu / copies / samples[0].cpu
        yield f"| {copies} | {sample.wall:.1f} s | {wall:.2f} | {sample.cpu:.1f} s | {cpu:.2f} |"


def skew(folder: Path) -> Iterator[str]:
    """A page that all others link to, and a word that all have, in executors of 1 GB."""
    archives = write_star(folder, INLINKS)
    os.environ["PYSPARK_SUBMIT_ARGS"] = f"{SMALL} pyspark-shell"
    with watching() as memory:
        sample = run("local-cluster[2,1,1024]", archives).builds[0]
    highest = max(memory.peaks.values(), default=0)
    yield (
        f"{INLINKS:,} pages that link to one page and share a word, on two executors of 1 GB: "
        f"{sample.wall:.0f} s;\nthe larger executor, including Python, used at most "
        f"{highest / GIB:.2f} GB."
    )


@dataclass(frozen=True)
class Run:
    """The start of a session, until builds may begin, and builds on it."""

    start: Sample
    builds: list[Sample]

    @property
    def start_and_first(self) -> Sample:
        """The waiting time of a single build."""
        first = self.builds[0]
        return Sample(self.start.wall + first.wall, self.start.cpu + first.cpu)


def run(master: str, *crawls: Sequence[Path]) -> Run:
    """Builds of crawls one after another, in a process that has two cores."""
    words = [",".join(map(str, crawl)) for crawl in crawls]
    told = child_output([sys.executable, "-m", "bench.build.spark", "child", master, *words], 2)
    start, *builds = (Sample(*sample) for sample in json.loads(told))
    return Run(start, builds)


def child(master: str, crawls: list[str]) -> None:
    """Start a session, build each crawl and print how long each of it took."""
    started = nullcontext() if master == "local" else spark.open_session(master)
    build = pagekin.build if master == "local" else spark.build
    with ExitStack() as stack, tempfile.TemporaryDirectory(prefix="build-", dir=OUT) as folder:
        samples = [sampled(lambda: stack.enter_context(started))]
        index = Path(folder) / "index"
        for crawl in crawls:
            samples.append(sampled(partial(build, crawl.split(","), index)))
            shutil.rmtree(index)
    print(json.dumps([(sample.wall, sample.cpu) for sample in samples]))


def sampled(work: Callable[[], object]) -> Sample:
    """Seconds of some work: by the clock, and on the cores of this process and all it started."""
    wall, cpu = time.perf_counter(), sum(seconds(os.getpid()).values())
    work()
    return Sample(time.perf_counter() - wall, sum(seconds(os.getpid()).values()) - cpu)


def seconds(root: int) -> dict[int, float]:
    """Seconds on the core of a process and those below it, with their children that ended."""
    tick = os.sysconf("SC_CLK_TCK")
    return {process: sum(map(int, fields[11:15])) / tick for process, fields in below(root).items()}


def below(root: int) -> dict[int, list[str]]:
    """The state of a process and of all below it, as /proc has it after the name."""
    states = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            states[int(path.parent.name)] = path.read_text().rpartition(")")[2].split()
    found = {root}
    for process in sorted(states, key=lambda one: int(states[one][19])):
        if int(states[process][1]) in found:
            found.add(process)
    return {process: states[process] for process in found if process in states}


@dataclass
class Memory:
    """The peak memory of each executor, with all its child processes."""

    peaks: dict[int, int] = field(default_factory=dict)
    ended: threading.Event = field(default_factory=threading.Event)

    def watch(self) -> None:
        """Look until it is over."""
        while not self.ended.wait(0.2):
            for executor in executors():
                total = sum(map(held, below(executor)))
                self.peaks[executor] = max(self.peaks.get(executor, 0), total)


def held(process: int) -> int:
    """Bytes that a process holds, what it shares being divided; not files that it has mapped."""
    with suppress(OSError):
        lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
        return sum(int(line.split()[1]) << 10 for line in lines if line.startswith("Pss_Anon"))
    return 0


def executors() -> list[int]:
    """The processes that run Spark's tasks."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            if b"CoarseGrainedExecutorBackend" in path.read_bytes():
                found.append(int(path.parent.name))
    return found


@contextmanager
def watching() -> Iterator[Memory]:
    """The memory of executors while the block lasts."""
    memory = Memory()
    thread = threading.Thread(target=memory.watch)
    thread.start()
    try:
        yield memory
    finally:
        memory.ended.set()
        thread.join()


def write_copy(number: int, folder: Path) -> list[Path]:
    """Schools under another host, dealt out to several files."""
    paths = [folder / f"{number}-{part}.warc.gz" for part in range(FILES)]
    host = HOST.replace(b"schools", b"c%d.schools" % number)
    with ExitStack() as files:
        outs = [files.enter_context(path.open("wb")) for path in paths]
        for place, member in enumerate(members(DATA / "schools.warc.gz")):
            record = member.replace(HOST, host, 1)
            outs[place % FILES].write(gzip.compress(record, compresslevel=1, mtime=0))
    return paths


def write_star(folder: Path, pages: int) -> list[Path]:
    """Pages that link to one page and have a word in common, in several files."""
    paths = [folder / f"star-{part}.warc" for part in range(2 * FILES)]
    with ExitStack() as files:
        outs = [files.enter_context(path.open("wb")) for path in paths]
        for number in range(pages):
            outs[number % len(outs)].write(star_record(number))
    return paths


def star_record(number: int) -> bytes:
    """A page of the star; ten of them are a site."""
    word = "".join(chr(ord("a") + int(digit)) for digit in str(number))
    body = f"<p>everywhere {word} <a href='http://sun.example/'>towards {word}</a> moon</p>"
    http = f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{body}".encode()
    head = (
        "WARC/1.0\r\nWARC-Type: response\r\n"
        f"WARC-Target-URI: http://planet{number // 10}.example/{number}\r\n"
        "WARC-Date: 2020-01-01T00:00:00Z\r\n"
        "Content-Type: application/http; msgtype=response\r\n"
        f"Content-Length: {len(http)}\r\n\r\n"
    )
    return head.encode() + http + b"\r\n\r\n"


if __name__ == "__main__":
    main()
