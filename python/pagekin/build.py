"""`pagekin.build`: from sources to an index."""

from collections.abc import Iterable
from os import PathLike, fspath
from pathlib import Path

from pagekin import _core
from pagekin.crawl import SourceName, resolve_sources
from pagekin.engines.local import LocalBuild
from pagekin.errors import EngineError
from pagekin.files import writing
from pagekin.outcome import BuildSummary
from pagekin.progress import Progress, Silent
from pagekin.settings import Settings
from pagekin.strategy import DEFAULT, Strategy, presets

__all__ = ["build"]


def build(
    sources: SourceName | Iterable[SourceName],
    index: str | PathLike[str],
    *,
    strategy: Strategy | None = None,
    settings: Settings | None = None,
    progress: Progress | None = None,
) -> BuildSummary:
    """Index a crawl.

    `sources` are archives, `@list.txt` or `-`; a folder of HTML is `Source(folder, base_url)`.
    Files that cannot be read are listed in the summary's `failures`; everything else is indexed.
    """
    work = LocalBuild(strategy or presets()[DEFAULT], settings or Settings(), progress or Silent())
    if not fspath(index):
        raise EngineError("no folder given for the index", advice="name one")
    try:
        with writing("the index", Path(fspath(index))):
            return work.run(resolve_sources(sources), Path(fspath(index)))
    except _core.CoreError as error:
        raise EngineError(
            f"the temporary files of the build cannot be read back ({error})",
            where=fspath(index),
            advice="build again; if it happens again, check the disk",
        ) from error
