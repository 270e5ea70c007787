"""The crawl for tests of Spark builds, and the results of its builds."""

import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import pagekin
from pagekin.engines import spark
from pagekin.engines.spark import stages
from pagekin.sample.pack import write_sample
from pagekin.work.outcome import BuildSummary
from pagekin.work.progress import Progress
from pagekin.work.settings import Settings
from tests.crawls import manifest, read_warc, spread
from tests.engines.test_identical import ALL_KINDS, copied, twins
from tests.engines.test_random import Cut

COPIES = 3


def sample_files(folder: Path, parts: int) -> list[Path]:
    """Copies of the sample under other hosts; some pages are captured a second time, or at
    a second address."""
    write_sample(folder / "sample.warc.gz")
    sample = list(read_warc(folder / "sample.warc.gz"))
    captures = [copied(capture, copy) for copy in range(COPIES) for capture in sample]
    again = [capture._replace(date=5, body=b"<p>older") for capture in captures[::20]]
    return spread(folder, [*captures, *again, *twins(captures)], parts)


def local(
    files: Sequence[Path | str], index: Path, settings: Settings | None = None
) -> dict[str, Any]:
    """The manifest of the local engine's index, which has the checksum of every file."""
    pagekin.build(files, index, strategy=ALL_KINDS, settings=settings or Settings())
    return _taken(index)


def distributed(
    files: Sequence[Path | str],
    index: Path,
    settings: Settings | None = None,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """The manifest of the Spark engine's index."""
    spark.build(files, index, strategy=ALL_KINDS, settings=settings, progress=progress)
    return _taken(index)


def local_with_model(files: Sequence[Path], index: Path, model: Path) -> dict[str, Any]:
    """The same, with the model of another index."""
    pagekin.build(files, index, model=model)
    return _taken(index)


def distributed_with_model(files: Sequence[Path], index: Path, model: Path) -> dict[str, Any]:
    """The same on Spark; nothing fits one task."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stages, "SMALL_LEXICON", 0)
        spark.build(files, index, model=model, settings=Cut(threads=1, run=50_000, bits=3))
    return _taken(index)


def as_if_large(files: Sequence[Path], index: Path, settings: Settings) -> dict[str, Any]:
    """The same, with thresholds so low that nothing fits one task."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stages, "SMALL_LEXICON", 0)
        patch.setattr(stages, "SMALL_GRAPH", 0)
        return distributed(files, index, settings)


def _taken(index: Path) -> dict[str, Any]:
    """The manifest of an index, whose folder must have nothing else."""
    described = manifest(index)
    assert {path.name for path in index.iterdir()} == {"manifest.json", described["folder"]}
    tables = {path.name for path in (index / described["folder"]).iterdir()}
    assert tables == described["files"].keys()
    shutil.rmtree(index)
    return described


def summary_without_times(summary: BuildSummary) -> str:
    """A summary without its times."""
    known = {name: getattr(summary, name) for name in summary.__slots__ if name != "seconds"}
    return json.dumps(known, default=str, indent=1)
