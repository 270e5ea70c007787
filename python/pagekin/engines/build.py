"""`pagekin.build`: from sources to an index."""

from collections.abc import Iterable
from os import PathLike, fspath
from pathlib import Path
from typing import TypedDict, Unpack

from pagekin import _core
from pagekin.crawl import SourceName, resolve_sources
from pagekin.engines.local import LocalBuild
from pagekin.errors import Defect, EngineError
from pagekin.index.several import Model
from pagekin.strategy import DEFAULT, Strategy, presets
from pagekin.work.files import write_errors
from pagekin.work.outcome import BuildSummary
from pagekin.work.progress import Progress, SilentProgress
from pagekin.work.settings import Settings

__all__ = ["BuildKeywords", "build"]


class BuildKeywords(TypedDict, total=False):
    """What a build may use, and how it reports."""

    settings: Settings | None
    progress: Progress | None


def build(
    sources: SourceName | Iterable[SourceName],
    index: str | PathLike[str],
    *,
    strategy: Strategy | None = None,
    model: str | PathLike[str] | None = None,
    **keywords: Unpack[BuildKeywords],
) -> BuildSummary:
    """Index a crawl.

    `sources` are archives, `@list.txt` or `-`; a folder of HTML is `Source(folder, base_url)`.
    Files that cannot be read are listed in the summary's `failures`; everything else is indexed.
    `model` is an index whose document frequencies, concepts and weights are used instead of
    learning them from the crawl: such indexes can be asked together. Keywords: `settings`, what
    the build may use, and `progress`, to which it reports.
    """
    settings, progress = keywords.get("settings") or Settings(), keywords.get("progress")
    shared = None if model is None else Model.of(model)
    strategy = shared.wanted(strategy) if shared else strategy or presets()[DEFAULT]
    job = LocalBuild(strategy, settings, progress or SilentProgress(), shared)
    if not fspath(index):
        raise EngineError("no folder given for the index", advice="name one")
    try:
        with write_errors("the index", Path(fspath(index))):
            return job.run(resolve_sources(sources), Path(fspath(index)))
    except _core.CorePanic as error:
        raise Defect(str(error), where=fspath(index)) from error
    except _core.CoreError as error:
        raise EngineError(
            f"the temporary files of the build cannot be read back ({error})",
            where=fspath(index),
            advice="build again; if it happens again, check the disk",
        ) from error
