"""Samples: how long a piece of work took, in a child process that has its cores to itself.

Seconds are taken twice, by the clock and on the core. They agree on an idle machine; on a busy
one only the second is a property of the program.
"""

import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

__all__ = [
    "BENCH",
    "DATA",
    "OUT",
    "Sample",
    "child_output",
    "child_sample",
    "command_sample",
    "emit",
    "timed",
    "worker_seconds",
]

BENCH = Path(__file__).resolve().parent
DATA = Path(os.environ.get("PAGEKIN_DATA", BENCH.parent.parent / "shared" / "data"))
OUT = BENCH / "out"


@dataclass(frozen=True, slots=True)
class Sample:
    """One measurement.

    `parts` are seconds on the core of what it consists of. `others` is how many cores the rest
    of the machine kept busy meanwhile; seconds by the clock mean little unless it is near 0.
    """

    wall: float
    cpu: float
    parts: dict[str, float] = field(default_factory=dict)
    others: float = 0.0


def timed(work: Callable[[], object]) -> Sample:
    """Do the work once."""
    wall, cpu = time.perf_counter(), time.process_time()
    work()
    return Sample(time.perf_counter() - wall, time.process_time() - cpu)


def emit(sample: Sample) -> None:
    """Report to the parent process."""
    print(json.dumps({"wall": sample.wall, "cpu": sample.cpu, "parts": sample.parts}))


def child_output(command: list[str], cores: int) -> str:
    """Run a command on N cores, from the root of the repository; the last line it printed."""
    chosen = sorted(os.sched_getaffinity(0))[-cores:]
    if len(chosen) < cores:
        raise RuntimeError(f"{cores} cores are needed, {len(chosen)} are there")
    mask = ",".join(map(str, chosen))
    done = subprocess.run(
        ["taskset", "-c", mask, *command],
        capture_output=True,
        text=True,
        check=False,
        cwd=BENCH.parent,
    )
    if done.returncode:
        raise RuntimeError(f"{command} ended with {done.returncode}:\n{done.stderr[-2000:]}")
    return done.stdout.strip().rpartition("\n")[2]


def child_sample(module: str, *words: str, cores: int = 1) -> Sample:
    """What a module of this package measured in a process of its own."""
    clock, busy, own = time.perf_counter(), busy_seconds(), _child_seconds()
    fields = json.loads(child_output([sys.executable, "-m", f"bench.{module}", *words], cores))
    others = busy_seconds() - busy - (_child_seconds() - own)
    share = max(others, 0.0) / (time.perf_counter() - clock)
    return Sample(fields["wall"], fields["cpu"], fields["parts"], share)


def command_sample(command: list[str], folder: Path, **environment: str) -> Sample:
    """A command in a folder, with the children that it waits for."""
    clock, busy, own = time.perf_counter(), busy_seconds(), _child_seconds()
    done = subprocess.run(
        command, cwd=folder, check=False, capture_output=True, env=os.environ | environment
    )
    wall, cpu = time.perf_counter() - clock, _child_seconds() - own
    if done.returncode:
        raise RuntimeError(f"{command} ended with {done.returncode}:\n{done.stderr[-2000:]!r}")
    return Sample(wall, cpu, others=max(busy_seconds() - busy - cpu, 0.0) / wall)


def busy_seconds() -> float:
    """Core-seconds that the machine has worked: all but idle and waiting for disk."""
    line = Path("/proc/stat").read_text(encoding="ascii").partition("\n")[0]
    user, nice, system, _, _, *rest = map(int, line.split()[1:9])
    return (user + nice + system + sum(rest)) / os.sysconf("SC_CLK_TCK")


def worker_seconds(process: int) -> float:
    """Seconds that a process was on the core."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _child_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
