"""From samples to ratios, and from ratios to Markdown.

A ratio divides the best sample of one thing by the best of another of the same run. Its spread is
the lowest and the highest of the ratios that each round gives by itself: rounds take every
measurement once, so both sides of a round's ratio were taken within a minute of each other.
"""

import os
import platform
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bench.build.floor import Floor
from bench.measure import Sample
from bench.memory import Peaks

__all__ = [
    "Crawl",
    "Results",
    "by_clock",
    "machine",
    "markdown",
    "on_core",
    "ratio",
    "table",
]


Seconds = Callable[[Sample], float]


def on_core(sample: Sample) -> float:
    """Seconds on the core."""
    return sample.cpu


def by_clock(sample: Sample) -> float:
    """Seconds that passed."""
    return sample.wall


@dataclass(slots=True)
class Crawl:
    """One input and its measurements; a list has one sample per round."""

    name: str
    floors: list[Floor] = field(default_factory=list)
    fragments: list[Sample] = field(default_factory=list)
    runs: list[Sample] = field(default_factory=list)
    runs_tmpfs: list[Sample] = field(default_factory=list)
    bags: list[Sample] = field(default_factory=list)
    bags_two: list[Sample] = field(default_factory=list)
    python: list[Sample] = field(default_factory=list)

    @property
    def floor(self) -> list[Sample]:
        """The floor of each round."""
        return [floor.sample for floor in self.floors]


@dataclass(slots=True)
class Results:
    """A run of the benchmark."""

    machine: str
    versions: str
    rounds: int
    crawls: list[Crawl]
    peaks: Peaks | None


@dataclass(frozen=True, slots=True)
class Figure:
    """A row of the table: `above` divided by `below`, and the target."""

    name: str
    above: str
    below: str
    targets: dict[str, str]
    clock_only: bool = False


FIGURES = (
    Figure(
        "WARC to fragments in memory / floor",
        "fragments",
        "floor",
        {"schools": "≤ 5, aim 4", "modern": "≤ 3.5, aim 2.5"},
    ),
    Figure("WARC to fragments, written as runs / floor", "runs", "floor", {}),
    Figure("the same, runs on tmpfs", "runs_tmpfs", "floor", {}),
    Figure("WARC to bags on disk / floor", "bags", "floor", {"schools": "≤ 10", "modern": "≤ 10"}),
    Figure(
        "Python way / WARC to fragments in memory",
        "python",
        "fragments",
        {"schools": "≥ 10", "modern": "≥ 10"},
    ),
    Figure("Python way / WARC to fragments, written as runs", "python", "runs", {}),
    Figure(
        "bags: one core / two cores",
        "bags",
        "bags_two",
        {"schools": "≥ 1.7", "modern": "≥ 1.7"},
        clock_only=True,
    ),
)


QUIET = 0.1
"""Maximum load of other processes, in cores, of a round whose clock counts."""


def clock_ratio(above: Sequence[Sample], below: Sequence[Sample]) -> str:
    """The ratio by the clock, from the rounds without load of other processes."""
    rounds = zip(above, below, strict=True)
    quiet = [(a, b) for a, b in rounds if max(a.others, b.others) <= QUIET]
    if not quiet:
        return "not measured: busy machine"
    value = ratio([a for a, _ in quiet], [b for _, b in quiet], by_clock)
    return f"{value}, {len(quiet)} of {len(above)} rounds"


def ratio(above: Sequence[Sample], below: Sequence[Sample], seconds: Seconds) -> str:
    """The ratio of the best, and the spread over the rounds."""
    value = min(map(seconds, above)) / min(map(seconds, below))
    each = [seconds(a) / seconds(b) for a, b in zip(above, below, strict=True)]
    return f"{value:.2f} ({min(each):.2f} to {max(each):.2f})"


def markdown(results: Results) -> str:
    """Everything for BENCHMARKS.md that this run measures."""
    head = f"{results.machine}; rounds: {results.rounds}.\n{results.versions}."
    return "\n\n".join([head, _ratios(results), _seconds(results), _parts(results)])


def machine() -> str:
    """Processor and system."""
    lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    model = next((line.partition(": ")[2] for line in lines if line.startswith("model name")), "?")
    return f"{model}, {os.cpu_count()} cores, {platform.system()} {platform.machine()}"


def table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table in Markdown."""
    lines = [columns, ["---"] * len(columns), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def _ratios(results: Results) -> str:
    rows = []
    for figure in FIGURES:
        for crawl in results.crawls:
            above, below = getattr(crawl, figure.above), getattr(crawl, figure.below)
            cells = [figure.name, crawl.name, figure.targets.get(crawl.name, "")]
            if above:
                core = "" if figure.clock_only else ratio(above, below, on_core)
                rows.append([*cells, core, clock_ratio(above, below)])
            else:
                rows.append([*cells, "not measured", "not measured"])
    rows.append(
        ["peak memory, ten times the input / once", "schools", "< 1.3", _memory(results), ""]
    )
    return table(["ratio (spread)", "input", "target", "on the core", "by the clock"], rows)


def _memory(results: Results) -> str:
    peaks = results.peaks
    if peaks is None:
        return "not measured"
    return f"{peaks.ratio:.2f} ({peaks.one / 1e6:.0f} and {peaks.ten / 1e6:.0f} MB)"


def _seconds(results: Results) -> str:
    rows = []
    for crawl in results.crawls:
        for library in crawl.floors[0].libraries:
            samples = [floor.libraries[library] for floor in crawl.floors]
            mark = " (the floor)" if library == crawl.floors[0].fastest else ""
            rows.append(_row(crawl.name, f"inflate and walk, {library}{mark}", samples))
        for name, samples in (
            ("WARC to fragments in memory", crawl.fragments),
            ("WARC to fragments, written as runs", crawl.runs),
            ("WARC to fragments, runs on tmpfs", crawl.runs_tmpfs),
            ("WARC to bags on disk", crawl.bags),
            ("WARC to bags on disk, two threads", crawl.bags_two),
            ("Python way", crawl.python),
        ):
            if samples:
                rows.append(_row(crawl.name, name, samples))
    return table(["input", "best (worst) seconds", "on the core", "by the clock"], rows)


def _row(crawl: str, name: str, samples: Sequence[Sample]) -> list[str]:
    cells = [
        f"{min(map(seconds, samples)):.3f} ({max(map(seconds, samples)):.3f})"
        for seconds in (on_core, by_clock)
    ]
    return [crawl, name, *cells]


def _parts(results: Results) -> str:
    """A whole build by stage, as multiples of the floor: seconds on one core."""
    names = list(results.crawls[0].bags[0].parts)
    rows = []
    for crawl in results.crawls:
        best = min(crawl.bags, key=on_core).parts
        floor = min(map(on_core, crawl.floor))
        cells = [f"{best[name] / floor:.2f}" for name in names]
        rows.append([crawl.name, *cells, f"{sum(best.values()) / floor:.2f}"])
    return table(["whole build / floor", *names, "sum"], rows)
