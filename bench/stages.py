"""The stages of pagekin, timed inside the process that runs them.

    stages.py fragments ARCHIVE FOLDER    WARC to fragments: inflate, parse, write runs
    stages.py bags ARCHIVE FOLDER [N]     WARC to bags on disk, with N threads

Both leave the interpreter's start out and everything else in, first touch of memory included. A
build makes more than bags: its parts are all of its stages, its seconds those that bags need. The
strategy is the paper's best; what concepts add is measured by concepts.py.
"""

import sys
import tempfile
import time
from pathlib import Path

import pagekin
from measure import Sample, emit, timed
from pagekin import _core

__all__ = ["OF_BAGS", "Watch", "bags", "fragments"]

OF_BAGS = ("read", "compare", "merge", "lexicon", "concepts", "weigh", "publish")
"""The stages without which there are no bags on disk; the rest turn them into an index."""


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


def fragments(archive: Path, folder: Path) -> Sample:
    """One thread of the first stage, with the settings that a build would choose."""
    settings = pagekin.Settings(threads=1)
    strategy = _core.Strategy(pagekin.Strategy().to_core())
    bits = settings.partition_bits(archive.stat().st_size)
    limits = (settings.limits.record, settings.limits.body)

    def work() -> None:
        queue = _core.Queue([(archive, None, None)])
        _core.extract(queue, strategy, folder, bits, settings.run_bytes, limits)

    return timed(work)


def bags(archive: Path, folder: Path, threads: int) -> Sample:
    """A whole build, and of it what the bags take."""
    watch, settings = Watch(), pagekin.Settings(threads=threads)
    pagekin.build(archive, folder, strategy=pagekin.Strategy(), settings=settings, progress=watch)
    return Sample(watch.until_bags(watch.wall), watch.until_bags(watch.cpu), watch.cpu)


def main(words: list[str]) -> None:
    """Measure one stage and print the sample."""
    stage, archive, folder, *threads = words
    with tempfile.TemporaryDirectory(prefix="stages-", dir=folder) as place:
        if stage == "fragments":
            emit(fragments(Path(archive), Path(place)))
        else:
            emit(bags(Path(archive), Path(place), int(threads[0]) if threads else 1))


if __name__ == "__main__":
    main(sys.argv[1:])
