"""The pages of a crawl, parsed once and kept, so that every strategy starts from them.

The pages are files under `pages/` of the sweep's folder. `pages.json` is written last and names
them: without it, reading begins anew.
"""

import json
import shutil
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from pagekin import _core
from pagekin.crawl import Feed, Source, emptied, feeding, sizes_of
from pagekin.errors import CrawlError
from pagekin.evaluation.kept.resources import Resources
from pagekin.files import synced, write_whole
from pagekin.progress import Progress
from pagekin.types import Failure

__all__ = ["Kept", "keep"]

NAME = "pages.json"
FOLDER = "pages"
GUESS = 4 << 30
"""What sources are taken for whose size nobody knows."""


@dataclass(frozen=True, slots=True)
class Kept:
    """The files of pages, how finely their evidence is cut, and what was left out."""

    files: list[str]
    bits: int
    pages: int
    skipped: dict[str, int]
    failures: list[Failure]

    def paths(self, folder: Path) -> list[Path]:
        """Where the files are."""
        return [folder / FOLDER / name for name in self.files]


def keep(sources: Sequence[Source], folder: Path, resources: Resources, progress: Progress) -> Kept:
    """The pages of the sources: those kept before, or read now."""
    known = _read(folder / NAME)
    if known is not None and all(path.exists() for path in known.paths(folder)):
        return known
    shutil.rmtree(folder / FOLDER, ignore_errors=True)
    (folder / FOLDER).mkdir(parents=True)
    sizes = sizes_of(sources)
    size = sum(each or 0 for each in sizes)
    progress.stage("read", None if None in sizes else size, "bytes")
    with feeding(sources, resources.threads) as feed:
        parts = _parsed(_core.Queue(feed.sources), folder / FOLDER, resources, progress)
    progress.done()
    bits = resources.partition_bits(GUESS if None in sizes else size)
    kept = _gathered(parts, feed, bits)
    for path in kept.paths(folder):
        synced(path)
    synced(folder / FOLDER)
    write_whole(folder / NAME, json.dumps(asdict(kept), indent=1))
    return kept


def _parsed(
    queue: _core.Queue, folder: Path, resources: Resources, progress: Progress
) -> list[_core.Extracted]:
    limits = (resources.limits.record, resources.limits.body)

    def keep_pages() -> _core.Extracted:
        return _core.keep_pages(queue, folder, resources.run_bytes, limits)

    with ThreadPoolExecutor(resources.threads) as pool:
        return emptied(queue, keep_pages, (pool, resources.threads), progress)


def _gathered(parts: Sequence[_core.Extracted], feed: Feed, bits: int) -> Kept:
    skipped: dict[str, int] = {}
    for part in parts:
        for reason, count in part.skips:
            skipped[reason] = skipped.get(reason, 0) + count
    failures = sorted(
        feed.told(Failure(*failure) for part in parts for failure in part.failures),
        key=lambda failure: (failure.source, failure.offset),
    )
    files = sorted(Path(str(path)).name for part in parts for path, _ in part.runs)
    if not files:
        raise _no_page(failures, skipped)
    return Kept(files, bits, sum(part.pages for part in parts), skipped, failures)


def _no_page(failures: list[Failure], skipped: dict[str, int]) -> CrawlError:
    if failures:
        return failures[0].as_error()
    reasons = ", ".join(f"{count} {reason}" for reason, count in skipped.items())
    return CrawlError(
        f"no page was found (skipped: {reasons or 'nothing'})",
        source="the sources",
        advice="give captures of HTML pages with status 200",
    )


def _read(path: Path) -> Kept | None:
    try:
        raw: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        failures = [Failure(**failure) for failure in raw.pop("failures")]
        return Kept(failures=failures, **raw)
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return None
