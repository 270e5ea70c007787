"""What holds for every strategy: which URLs there are, which captures count, what is chosen.

Found by merging once with the cheapest strategy, links.
"""

import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from pagekin import _core
from pagekin.bags import sample
from pagekin.evaluation.directory import Directory
from pagekin.evaluation.kept.pages import Kept
from pagekin.evaluation.kept.resources import each
from pagekin.evaluation.matching import CrawlPages, Matched, match
from pagekin.strategy import MOST_PAGES, presets
from pagekin.types import Run

__all__ = ["PageNames", "Survey", "survey"]

Ids = np.ndarray[Any, np.dtype[np.uint64]]


@dataclass(frozen=True, slots=True)
class PageNames:
    """How the chosen pages are called, in their order."""

    urls: list[str]
    titles: list[str | None]


@dataclass(frozen=True, slots=True)
class Survey:
    """The kept pages, seen as a whole. `crawled` are the first ones that were, for samples."""

    pages: list[Path]
    bits: int
    superseded: _core.Superseded
    matched: Matched
    chosen: _core.Chosen
    names: PageNames
    crawled: Ids
    bags: int

    @property
    def partitions(self) -> range:
        """The numbers of the partitions."""
        return range(1 << self.bits)

    @property
    def term_bits(self) -> int:
        """The lexicon is merged in fewer parts than the bags: it is far smaller."""
        return max(self.bits - 2, 0)

    def cut(self, strategy: _core.Strategy, folder: Path, threads: int) -> list[Run[str]]:
        """The evidence of all pages by a strategy, as runs in a folder."""
        return _cut(self.pages, strategy, self.bits, folder, threads)


def survey(kept: Kept, folder: Path, directory: Directory, threads: int) -> Survey:
    """Merge once, and see which pages of the directory are there."""
    strategy = _core.Strategy(presets()["links"].to_core())
    pages, partitions = kept.paths(folder), range(1 << kept.bits)
    with tempfile.TemporaryDirectory(prefix=".survey-", dir=folder) as work:
        runs = _cut(pages, strategy, kept.bits, Path(work), threads)
        superseded = _core.Superseded()
        for partition in partitions:
            superseded.add(_core.superseded([run.part(partition) for run in runs])[1])

        merger = _core.Merger(superseded, strategy, 0)

        def merge(partition: int) -> pa.RecordBatch:
            bags, counts = (Path(work) / f"{partition}.{kind}" for kind in ("bags", "counts"))
            parts = [run.part(partition) for run in runs]
            merged = merger.merge(parts, bags, counts)
            columns = ["id", "url", "title", "crawled", "inlinks"]
            return merged.pages.select(columns)

        table = pa.Table.from_batches(each(merge, partitions, threads))
    matched = match(directory, _crawl_pages(table))
    chosen = _core.Chosen(matched.ids.tolist())
    names = _names(table, matched)
    crawled = sample(table.to_batches(), MOST_PAGES)
    return Survey(pages, kept.bits, superseded, matched, chosen, names, crawled, table.num_rows)


def _cut(
    pages: list[Path], strategy: _core.Strategy, bits: int, folder: Path, threads: int
) -> list[Run[str]]:
    def cut(path: Path) -> Run[str]:
        run = folder / f"{path.stem}.run"
        # The number of a run is what replaced captures are known by.
        return Run(str(run), _core.cut_run(path, strategy, int(path.stem), bits, run))

    return each(cut, pages, threads)


def _crawl_pages(table: pa.Table) -> CrawlPages:
    return CrawlPages(
        np.asarray(table.column("id").to_numpy(), dtype=np.uint64),
        np.asarray(table.column("crawled").to_numpy(), dtype=bool),
        np.asarray(table.column("inlinks").to_numpy(), dtype=np.int64),
    )


def _names(table: pa.Table, matched: Matched) -> PageNames:
    ids = np.asarray(table.column("id").to_numpy(), dtype=np.uint64)
    found = table.take(np.searchsorted(ids, matched.ids))
    urls = [str(url) for url in found.column("url").to_pylist()]
    return PageNames(urls, found.column("title").to_pylist())
