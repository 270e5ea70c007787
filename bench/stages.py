"""The stages of pagekin, timed inside the process that runs them.

    stages.py fragments ARCHIVE FOLDER    WARC to fragments: inflate, parse, write runs
    stages.py bags ARCHIVE FOLDER [N]     WARC to bags on disk, with N threads

Both leave the interpreter's start out and everything else in, first touch of memory included.
"""

import sys
import tempfile
from pathlib import Path

import pagekin
from measure import Sample, emit, timed
from pagekin import _core

__all__ = ["bags", "fragments"]


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
    """A whole build; its parts are the stages."""
    settings = pagekin.Settings(threads=threads)
    return timed(lambda: pagekin.build(archive, folder, settings=settings).seconds)


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
