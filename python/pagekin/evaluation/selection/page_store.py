"""The parsed page store: pages of a crawl, parsed once, from which every strategy starts.

The pages are files under `pages/` of the sweep's folder. `pages.json` is written last and names
them: without it, the crawl is read again. A survey merges them once by the cheapest strategy,
links, and finds what holds for every strategy: which URLs there are, which captures count, and
which pages of the directory are among them.
"""

import json
import shutil
import tempfile
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from functools import partial
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pagekin import _core
from pagekin.bags.addresses import find_addresses
from pagekin.bags.concepts import SampledPages, sample_pages
from pagekin.bags.templates import PartitionedPages
from pagekin.crawl import Feed, Source, SourceName, open_feed, resolve_sources, sizes_of
from pagekin.errors import DirectoryError
from pagekin.evaluation.truths import Directory
from pagekin.evaluation.truths.matching import CrawlPages, MatchedPages, match
from pagekin.strategy import MAX_PAGES, presets
from pagekin.work.files import sync_file, write_whole
from pagekin.work.outcome import BuildSummary, Failure, no_page_error
from pagekin.work.partitions import PartitionedFile, assumed_bytes, known_bytes, term_bits
from pagekin.work.progress import Progress
from pagekin.work.settings import Settings
from pagekin.work.threads import drain, map_in_threads, map_to_list

__all__ = [
    "PAGES_JSON",
    "JudgedCrawl",
    "PageNames",
    "ParsedPages",
    "Survey",
    "parse_pages",
    "survey",
]

PAGES_JSON = "pages.json"
PAGES = "pages"


@dataclass(frozen=True, slots=True)
class JudgedCrawl:
    """The sources of a crawl, as in `build`, and the directory to measure by."""

    sources: SourceName | Iterable[SourceName]
    directory: Directory | str | PathLike[str]

    def read(self) -> tuple[list[Source], Directory]:
        """The sources that are there, and the directory from its file."""
        return resolve_sources(self.sources), Directory.of(self.directory)


@dataclass(frozen=True, slots=True)
class ParsedPages:
    """The files of pages, how finely their evidence is cut, and what was skipped."""

    files: list[str]
    bits: int
    pages: int
    skipped: dict[str, int]
    failures: list[Failure]

    def paths(self, folder: Path) -> list[Path]:
        """Where the files are."""
        return [folder / PAGES / name for name in self.files]


def parse_pages(
    sources: Sequence[Source], folder: Path, settings: Settings, progress: Progress
) -> ParsedPages:
    """The pages of the sources: those parsed before, or read now."""
    known = _read(folder / PAGES_JSON)
    if known is not None and all(path.exists() for path in known.paths(folder)):
        return known
    shutil.rmtree(folder / PAGES, ignore_errors=True)
    (folder / PAGES).mkdir(parents=True)
    sizes = sizes_of(sources)
    progress.stage("read", known_bytes(sizes), "bytes")
    with open_feed(sources, settings.threads) as feed:
        parts = _parse(_core.Queue(feed.sources), folder / PAGES, settings, progress)
    progress.done()
    bits = settings.partition_bits(assumed_bytes(sizes))
    parsed = _gather(parts, feed, bits)
    for path in parsed.paths(folder):
        sync_file(path)
    sync_file(folder / PAGES)
    write_whole(folder / PAGES_JSON, json.dumps(asdict(parsed), indent=1))
    return parsed


def _parse(
    queue: _core.Queue, folder: Path, settings: Settings, progress: Progress
) -> list[_core.ExtractSummary]:
    def keep_pages() -> _core.ExtractSummary:
        return _core.keep_pages(queue, folder, settings.run_bytes, settings.limits)

    with ThreadPoolExecutor(settings.threads) as pool:
        return drain(queue, keep_pages, (pool, settings.threads), progress)


def _gather(parts: Sequence[_core.ExtractSummary], feed: Feed, bits: int) -> ParsedPages:
    summary = BuildSummary()
    for part in parts:
        summary.count(part)
    summary.failures = feed.all_failures(summary.failures)
    summary.failures.sort(key=lambda failure: (failure.source, failure.offset))
    files = sorted(Path(str(run.place)).name for part in parts for run in part.runs)
    if not files:
        raise no_page_error(summary.failures, summary.skipped)
    return ParsedPages(files, bits, summary.pages, summary.skipped, summary.failures)


def _read(path: Path) -> ParsedPages | None:
    try:
        raw: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        failures = [Failure(**failure) for failure in raw.pop("failures")]
        return ParsedPages(failures=failures, **raw)
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return None


Ids = np.ndarray[Any, np.dtype[np.uint64]]


@dataclass(frozen=True, slots=True)
class PageNames:
    """The titles of the chosen pages, in their order."""

    urls: list[str]
    titles: list[str | None]


@dataclass(frozen=True, slots=True)
class Survey:
    """The parsed pages, seen as a whole. `crawled` are the first ones that were, for samples.

    `directory` is what is judged by, `left_out` how many of its own pages were left out of the
    crawl.
    """

    pages: list[Path]
    bits: int
    superseded: _core.SupersededCaptures
    aliases: _core.Aliases
    matched: MatchedPages
    chosen: _core.UrlSet
    names: PageNames
    crawled: SampledPages
    bags: int
    directory: Directory
    left_out: int

    @property
    def notes(self) -> list[str]:
        """How the directory was cut, and what was left out of it and of the crawl, as sentences."""
        own = f"{self.left_out:,} pages of the directory itself are left out of the crawl."
        return [
            self.directory.depth_note,
            *(
                f"Skipped: {count:,} rows, {what}."
                for what, count in self.directory.skipped.items()
            ),
            *([own] if self.left_out else []),
        ]

    @property
    def partitions(self) -> range:
        """The numbers of the partitions."""
        return range(1 << self.bits)

    @property
    def term_bits(self) -> int:
        """The lexicon is merged in ranges of terms."""
        return term_bits(self.bits, min_bits=0)

    def cut(
        self, strategy: _core.Strategy, folder: Path, threads: int
    ) -> list[PartitionedFile[str]]:
        """The evidence of all pages by a strategy, as runs in a folder."""
        return _cut(self.pages, strategy, self.bits, folder, threads)


def survey(parsed: ParsedPages, folder: Path, directory: Directory, threads: int) -> Survey:
    """Merge once, and see which pages of the directory are there."""
    strategy = _core.Strategy(presets()["links"].to_core())
    pages, partitions = parsed.paths(folder), range(1 << parsed.bits)
    with tempfile.TemporaryDirectory(prefix=".survey-", dir=folder) as work:
        runs = _cut(pages, strategy, parsed.bits, Path(work), threads)
        superseded = _core.SupersededCaptures()
        for partition in partitions:
            superseded.add(_core.superseded([run.part(partition) for run in runs]).replaced)

        def place(partition: int, kind: str = "addresses") -> Path:
            return Path(work) / f"{partition}.{kind}"

        evidence = PartitionedPages(
            lambda partition: [run.part(partition) for run in runs], parsed.bits, superseded, place
        )
        moved = partial(place, kind="moved")
        addresses = find_addresses(map_in_threads(threads), evidence, 0, moved)
        facts = superseded, _core.Templates([]), addresses.aliases
        merger = _core.Merger(*facts, strategy, 0)

        def merge(partition: int) -> pa.RecordBatch:
            bags, counts = (Path(work) / f"{partition}.{kind}" for kind in ("bags", "counts"))
            parts = [*evidence.parts(partition), *addresses.parts(partition)]
            merged = merger.merge(parts, bags, counts)
            columns = ["id", "url", "site", "title", "crawled", "inlinks"]
            return merged.pages.select(columns)

        table = pa.Table.from_batches(map_to_list(merge, partitions, threads))
        left_out = _own_pages(table, directory)
        if len(left_out):
            urls = _core.UrlSet(left_out.tolist())
            for partition in partitions:
                parts = [run.part(partition) for run in runs]
                superseded.add(_core.captures_of(parts, urls))
            table = pa.Table.from_batches(map_to_list(merge, partitions, threads))
    matched = match(directory, _crawl_pages(table))
    chosen = _core.UrlSet(matched.ids.tolist())
    names = _names(table, matched)
    crawled = sample_pages(table.to_batches(), MAX_PAGES)
    return Survey(
        pages,
        parsed.bits,
        superseded,
        addresses.aliases,
        matched,
        chosen,
        names,
        crawled,
        table.num_rows,
        directory,
        len(left_out),
    )


def _own_pages(table: pa.Table, directory: Directory) -> Ids:
    """The crawled pages of the directory itself."""
    urls, crawled = table.column("url"), table.column("crawled").to_numpy()
    own = np.zeros(table.num_rows, dtype=bool)
    for start in directory.own_pages:
        found = crawled & pc.starts_with(urls, start).to_numpy().astype(bool)
        if not found.any():
            raise DirectoryError(
                f"no crawled page has a URL that begins with {start}",
                source=directory.source,
                advice="give how the URLs of the directory's own pages begin",
            )
        own |= found
    return np.asarray(table.column("id").to_numpy()[own], dtype=np.uint64)


def _cut(
    pages: list[Path], strategy: _core.Strategy, bits: int, folder: Path, threads: int
) -> list[PartitionedFile[str]]:
    def cut(path: Path) -> PartitionedFile[str]:
        run = folder / f"{path.stem}.run"
        # The number of a run is what replaced captures are known by.
        return PartitionedFile(str(run), _core.cut_run(path, strategy, int(path.stem), bits, run))

    return map_to_list(cut, pages, threads)


def _crawl_pages(table: pa.Table) -> CrawlPages:
    return CrawlPages(
        np.asarray(table.column("id").to_numpy(), dtype=np.uint64),
        np.asarray(table.column("crawled").to_numpy(), dtype=bool),
        np.asarray(table.column("inlinks").to_numpy(), dtype=np.int64),
    )


def _names(table: pa.Table, matched: MatchedPages) -> PageNames:
    ids = np.asarray(table.column("id").to_numpy(), dtype=np.uint64)
    found = table.take(np.searchsorted(ids, matched.ids))
    urls = [str(url) for url in found.column("url").to_pylist()]
    return PageNames(urls, found.column("title").to_pylist())
