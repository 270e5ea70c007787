"""The stages of pagekin, timed inside the process that runs them.

    stages.py fragments ARCHIVE FOLDER    WARC to fragments in memory: inflate, parse, find windows
    stages.py runs ARCHIVE FOLDER         the same, cut by partition and written as runs
    stages.py bags ARCHIVE FOLDER [N]     WARC to bags on disk, with N threads

All leave the interpreter's start out and everything else in, first touch of memory included. A
build makes more than bags: its parts are all of its stages, its seconds those that bags need. The
strategy is the paper's best, with sketches of one position, since weighing and sketching are one
stage and bags need no sketches; what concepts add is measured by concepts.py.
"""

import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pagekin
from bench.measure import Sample, emit, timed
from pagekin import _core
from pagekin.crawl.feed import NamedSource
from pagekin.strategy import Sketch

__all__ = ["OF_BAGS", "Watch", "bags", "fragments", "runs"]

OF_BAGS = ("read", "compare", "merge", "lexicon", "concepts", "weigh", "publish")
"""The stages without which there are no bags on disk; the rest turn them into an index."""

Cut = tuple[int, int, pagekin.Limits]
"""How runs are cut: bits of the partition, bytes of a run, limits of a record and its body."""


class Watch:
    """Progress that takes the time of each stage, by the clock and on the core."""

    def __init__(self) -> None:
        self.wall: dict[str, float] = {}
        self.cpu: dict[str, float] = {}
        self._open: tuple[str, float, float] | None = None

    def stage(self, name: str, total: int | None, unit: str) -> None:
        """End the stage before and start the clocks of this one."""
        del total, unit
        self.done()
        self._open = name, time.perf_counter(), time.process_time()

    def advance(self, amount: int = 1) -> None:
        """Only the ends of stages matter."""

    def done(self) -> None:
        """Stop the clocks of the stage."""
        if self._open:
            name, wall, cpu = self._open
            self.wall[name] = time.perf_counter() - wall
            self.cpu[name] = time.process_time() - cpu
            self._open = None

    @staticmethod
    def until_bags(seconds: dict[str, float]) -> float:
        """The seconds of the stages without which there are no bags."""
        return sum(seconds.get(name, 0.0) for name in OF_BAGS)


def fragments(archive: Path) -> Sample:
    """One thread of the first stage without the exchange: nothing is written."""
    make_fragments = getattr(_core, "make_fragments", None)
    if make_fragments is None:
        raise SystemExit("this core was built without what benchmarks need: run `make bench`")

    def work(queue: _core.Queue, strategy: _core.Strategy, cut: Cut) -> object:
        return make_fragments(queue, strategy, *cut)

    return _first_stage(archive, work)


def runs(archive: Path, folder: Path) -> Sample:
    """One thread of the first stage."""

    def work(queue: _core.Queue, strategy: _core.Strategy, cut: Cut) -> object:
        return _core.extract(queue, strategy, folder, *cut)

    return _first_stage(archive, work)


def _first_stage(
    archive: Path, work: Callable[[_core.Queue, _core.Strategy, Cut], object]
) -> Sample:
    """Time the work with the settings that a build would choose."""
    settings = pagekin.Settings(threads=1)
    strategy = _core.Strategy(pagekin.Strategy().to_core())
    bits = settings.partition_bits(archive.stat().st_size)
    cut = bits, settings.run_bytes, settings.limits
    return timed(lambda: work(_core.Queue([NamedSource(str(archive))]), strategy, cut))


def bags(archive: Path, folder: Path, threads: int) -> Sample:
    """A whole build, and of it what the bags take."""
    watch, settings = Watch(), pagekin.Settings(threads=threads)
    strategy = replace(pagekin.Strategy(), sketch=Sketch(positions=1))
    pagekin.build(archive, folder, strategy=strategy, settings=settings, progress=watch)
    return Sample(watch.until_bags(watch.wall), watch.until_bags(watch.cpu), watch.cpu)


def main(words: list[str]) -> None:
    """Measure one stage and print the sample."""
    stage, archive, folder, *threads = words
    with tempfile.TemporaryDirectory(prefix="stages-", dir=folder) as place:
        if stage == "fragments":
            emit(fragments(Path(archive)))
        elif stage == "runs":
            emit(runs(Path(archive), Path(place)))
        else:
            emit(bags(Path(archive), Path(place), int(threads[0]) if threads else 1))


if __name__ == "__main__":
    main(sys.argv[1:])
