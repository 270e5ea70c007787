"""`pagekin.engines.spark.build`: from sources to an index, on a Spark session."""

import contextlib
import hashlib
import shutil
import time
import uuid
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from os import PathLike, fspath
from pathlib import Path
from typing import Unpack

from pagekin import _core
from pagekin.crawl import SourceName, resolve_sources
from pagekin.engines.build import BuildKeywords
from pagekin.engines.kernels import refuse_for_indexes
from pagekin.engines.spark.cluster.jobs import STEPS, Jobs, use_settings
from pagekin.engines.spark.cluster.session import open_session
from pagekin.engines.spark.frames import IndexFile
from pagekin.engines.spark.plan import Plan, SourceState, portions, source_states
from pagekin.engines.spark.stages import Stages, mark_of
from pagekin.engines.spark.tasks.weigh import fitted
from pagekin.engines.spark.work_folder import Folder, scratch
from pagekin.errors import CrawlError, EngineError, IndexFault
from pagekin.index.manifest import FORMAT, NAME, Manifest, ModelEntry
from pagekin.index.publish import WORK, IndexDraft, made_folder, publish
from pagekin.index.several import Model
from pagekin.strategy import DEFAULT as PRESET
from pagekin.strategy import Strategy, presets
from pagekin.work.files import hold_lock
from pagekin.work.outcome import BuildSummary
from pagekin.work.progress import SilentProgress
from pagekin.work.settings import TASK_MEMORY, Settings

__all__ = ["build"]

DEFAULT = Settings(memory=TASK_MEMORY, threads=1)
MAX_BITS = 16
"""There are at most 65,536 partitions."""
ATTEMPT = "attempt"
"""The file that names the work folder to resume from."""


def build(
    sources: SourceName | Iterable[SourceName],
    index: str | PathLike[str],
    *,
    strategy: Strategy | None = None,
    model: str | PathLike[str] | None = None,
    **keywords: Unpack[BuildKeywords],
) -> BuildSummary:
    """Index a crawl on the active Spark session, or on one for this build: the same bytes as
    `pagekin.build` gives.

    The index, the sources and the index of the model must be where every executor reaches them.
    `settings.memory` is what the Python worker of one task may use.
    """
    crawl = source_states(resolve_sources(sources))
    shared = None if model is None else Model.of(model)
    strategy = shared.wanted(strategy) if shared else strategy or presets()[PRESET]
    entry = shared.entry if shared else None
    settings = replace(keywords.get("settings") or DEFAULT, threads=1)
    progress = keywords.get("progress") or SilentProgress()
    if any(known.source.is_index for known in crawl):
        refuse_for_indexes(settings)
    with open_session() as spark, _lock(fspath(index)) as folder, use_settings(spark, STEPS):
        bits = settings.partition_bits(sum(source.size for source in crawl), MAX_BITS, finest=0)
        workspace = folder.within(f"{WORK}{_fingerprint(crawl, (strategy, entry), settings, bits)}")
        _remove_other_work(folder, workspace)
        attempt = _attempt(workspace)
        tables = _tables(folder, workspace, attempt)
        work = workspace.within(attempt)
        place = shared.path if shared else None
        plan = Plan(strategy, settings.limits, bits, settings.run_bytes, work, tables, place)
        jobs = Jobs(spark, progress, "build again: finished stages are kept")
        stages = Stages(spark, plan, jobs)
        cores = spark.sparkContext.defaultParallelism
        try:
            files = stages.run(portions(crawl, cores), settings.shard_urls)
        except CrawlError:
            # The same sources would give no page again.
            _remove_work(workspace)
            raise
        _publish(folder, plan, files, stages.summary)
        _remove_work(workspace)
    return stages.summary


def _attempt(workspace: Folder) -> str:
    """The name of the attempt to resume, or of a new one."""
    if not workspace.exists(ATTEMPT):
        workspace.write(ATTEMPT, uuid.uuid4().hex[:16].encode())
    return workspace.read(ATTEMPT).decode()


def _tables(index: Folder, workspace: Folder, attempt: str) -> Folder:
    """Where the tables are written: the final place if it is remote and cannot be renamed."""
    return (
        index.within(f"tables-{attempt}")
        if index.is_remote
        else workspace.within(f"{attempt}/tables")
    )


def _remove_work(workspace: Folder) -> None:
    """Remove finished work. The name of the attempt goes first, so that no build resumes it."""
    workspace.remove(ATTEMPT)
    workspace.remove()


def _fingerprint(
    crawl: Sequence[SourceState],
    weighting: tuple[Strategy, ModelEntry | None],
    settings: Settings,
    bits: int,
) -> str:
    """Equal for builds that may resume from each other's work."""
    made_by = _core.VERSION, FORMAT, _core.SPILL_FORM
    strategy, model = weighting
    settled = (made_by, strategy.to_toml(), model, settings.limits, settings.shard_urls, bits)
    return hashlib.sha256(repr((settled, crawl)).encode()).hexdigest()[:16]


@contextlib.contextmanager
def _lock(index: str) -> Iterator[Folder]:
    """The folder of the index, locked against other builds if it is on a disk."""
    if not index:
        raise EngineError("no folder given for the index", advice="name one")
    if Folder(index).is_remote:
        yield Folder(index.rstrip("/"))
        return
    path = Path(index).absolute()
    with made_folder(path), hold_lock(path, "build"):
        yield Folder(str(path))


def _remove_other_work(index: Folder, workspace: Folder) -> None:
    """Remove the leftovers of other builds, on a disk."""
    if not index.is_remote:
        for path in Path(index.url).glob(f"{WORK}*"):
            if str(path) != workspace.url:
                shutil.rmtree(path, ignore_errors=True)


def _publish(index: Folder, plan: Plan, files: Sequence[IndexFile], summary: BuildSummary) -> None:
    """Make the files the index."""
    start = time.perf_counter()
    model = plan.shared_model()
    draft = IndexDraft(
        folder=Path(plan.tables.url),
        strategies=(plan.strategy, fitted(plan)),
        shards=sum(file.name.startswith("sums-") for file in files),
        counts=summary.counts,
        files={file.name: {"bytes": file.bytes, "xxh3": file.xxh3} for file in files},
        model=model.entry if model else None,
    )
    if index.is_remote:
        _publish_there(index, draft.manifest(plan.tables.url.rpartition("/")[2]))
    else:
        _remove_strays(draft)
        # From here on files may have been moved: a resumed build writes them again.
        plan.work.remove(mark_of("shards"))
        summary.changed = publish(Path(index.url), draft)
    summary.bytes_written = draft.bytes
    summary.seconds["publish"] = round(time.perf_counter() - start, 3)


def _publish_there(index: Folder, manifest: Manifest) -> None:
    """Replace a remote manifest; then remove the tables of the old one."""
    before = _published_name(index)
    index.write(NAME, manifest.to_json())
    if before not in (None, manifest.folder):
        index.within(str(before)).remove()


def _published_name(index: Folder) -> str | None:
    """The folder of the current tables of the index."""
    if not index.exists(NAME):
        return None
    with scratch() as folder, contextlib.suppress(IndexFault):
        (folder / NAME).write_bytes(index.read(NAME))
        return Manifest.read(folder).folder
    return None


def _remove_strays(draft: IndexDraft) -> None:
    """Remove partial files of killed task attempts."""
    for path in draft.folder.iterdir():
        if path.name not in draft.files:
            path.unlink()
