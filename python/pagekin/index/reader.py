"""An index, opened for reading: its manifest, its tables, and the core's view of them."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cached_property
from os import PathLike
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pagekin import _core
from pagekin.arrays import Numbers, numbers
from pagekin.errors import (
    Defect,
    EngineError,
    IndexCorrupt,
    MalformedUrl,
    StrategyError,
    StrategyMismatch,
)
from pagekin.index.manifest import Manifest
from pagekin.index.tables.checksums import checksum_of, read_sums
from pagekin.index.tables.mapped import MappedTable, corrupt, raise_file_limit, unreadable
from pagekin.index.tables.schema import CHECKSUMMED, TABLES, file_name, schema_of
from pagekin.index.tables.sorted import SortedTable
from pagekin.index.titles import SAMPLE, SiteTitles
from pagekin.replay import ReplayTemplate
from pagekin.strategy import Sketch, Strategy
from pagekin.url import registrable_domain

__all__ = ["IndexReader", "canonical_url", "searched_tables", "telling_contradictions"]


class IndexReader:
    """An index opened for reading. Opening takes milliseconds, whatever its size.

    Every file is opened at once, so a build that replaces the index does not affect the reader.
    """

    def __init__(self, path: str | PathLike[str], *, replay: ReplayTemplate | None = None) -> None:
        self.path = Path(path)
        self.replay = replay
        self.manifest, self.files, self.tables, self.searcher = _open(self.path)
        self._bm25f: tuple[Mapping[str, float], _core.Bm25f] | None = None

    @property
    def counts(self) -> dict[str, int]:
        """How many pages, URLs (`bags`), terms, links and concepts the index has."""
        return self.manifest.counts

    @property
    def id_order(self) -> Numbers | None:
        """The rows in order of the ids of their pages; None if they are."""
        return None

    @cached_property
    def strategy(self) -> Strategy:
        """The strategy that the index was built with."""
        return Strategy.from_toml(self.manifest.strategy)

    @cached_property
    def fitted(self) -> Strategy:
        """The strategy of the bags: that of the index, fitted to the crawl."""
        return Strategy.from_toml(self.manifest.fitted)

    @contextmanager
    def blaming(self) -> Iterator[None]:
        """Turn whatever the tables of the index cause into errors about the index.

        A table that matches its checksums may still hold numbers that no build writes.
        """
        try:
            with telling_contradictions(self.path):
                yield
        except (_core.CoreError, IndexCorrupt) as error:
            _check_sums(self.path, self.manifest)
            if isinstance(error, IndexCorrupt):
                raise
            raise corrupt(self.path, str(error)) from error

    def find(self, url: str) -> _core.PageRef | None:
        """The page at a canonical URL, or at another address of it."""
        key = _core.url_id(url)
        place = self.searcher.find(key)
        if place is not None:
            return place if self.searcher.page_meta(place).url == url else None
        alias = self.tables["aliases"].find(key)
        page = alias and self.tables["pages"].find(alias["page"])
        return self.searcher.find(page["id"]) if page and url in page["variants"] else None

    def word(self, term: int) -> str:
        """The word to show for a term; a link term shows the linking page."""
        return self.searcher.word(term)

    @cached_property
    def concepts(self) -> _core.Concepts | None:
        """The concepts of this index, if its strategy has any."""
        if not self.strategy.kinds.concept:
            return None
        loadings = self.tables["loadings"]
        try:
            return _core.Concepts(list(loadings.batches()), self.strategy.concept.power)
        except ValueError as error:
            raise loadings.corrupt(f"the loadings cannot be used ({error})") from error

    def concept_words(self, number: int) -> list[str]:
        """The heaviest words of a concept."""
        return self._concept_words.get(number, [])

    @cached_property
    def _concept_words(self) -> dict[int, list[str]]:
        rows = [row for batch in self.tables["concepts"].batches() for row in batch.to_pylist()]
        return {row["concept"]: row["words"] for row in rows}

    def site_of(self, url: str) -> str:
        """The site of a canonical URL, as the strategy cuts sites."""
        host = _core.site(url)
        return host if self.strategy.site.kind == "host" else registrable_domain(host)

    @cached_property
    def titles(self) -> SiteTitles:
        """What titles of sites share, for display."""
        return SiteTitles(self.sampled_titles(SAMPLE))

    def sampled_titles(self, most: int) -> Iterator[tuple[str, str | None]]:
        """Sites and titles of at most this many pages."""
        left = most
        for batch in self.tables["pages"].batches():
            some = batch.slice(0, left)
            columns = (some.column(name).to_pylist() for name in ("site", "title"))
            yield from zip(*columns, strict=True)
            left -= some.num_rows
            if not left:
                break

    @cached_property
    def core_strategy(self) -> _core.Strategy:
        """The strategy as the core reads it."""
        return _core.Strategy(self.fitted.to_core())

    def bm25f(self, params: Mapping[str, float]) -> _core.Bm25f:
        """BM25F with these constants; the lengths of all fields are read once."""
        if self._bm25f is None or self._bm25f[0] is not params:
            self._bm25f = params, _core.Bm25f(self.searcher, params)
        return self._bm25f[1]

    @cached_property
    def languages(self) -> dict[str, int]:
        """How many crawled pages are in each language, the most common first."""
        counts: Counter[str] = Counter()
        for batch in self.tables["pages"].batches():
            found = pc.value_counts(batch.column("language"))
            named = found.field("values").to_pylist()
            pairs = zip(named, numbers(found.field("counts")).tolist(), strict=True)
            counts.update({language: count for language, count in pairs if language})
        return dict(sorted(counts.items(), key=lambda each: (-each[1], each[0])))

    def place(self, rows: Numbers) -> list[_core.PageRef]:
        """The pages in these rows, counted from 0 through all shards."""
        shards = np.searchsorted(self._starts, rows, side="right") - 1
        inside = rows.astype(np.int64) - self._starts[shards]
        return [*map(_core.PageRef, shards.tolist(), inside.tolist())]

    def row(self, page: _core.PageRef) -> int:
        """The row of a page, counted from 0 through all shards."""
        return int(self._starts[page.shard]) + page.row

    def phrases(self, rows: Numbers, phrases: Sequence[str]) -> Numbers:
        """Which phrases (words with single spaces between them) the pages in these rows have in
        their title or text: a row of 0 and 1 for each page."""
        marks = _core.phrases(self.searcher, self.place(rows), [*phrases])
        return np.frombuffer(marks, np.uint8).reshape(len(rows), len(phrases))

    @cached_property
    def _starts(self) -> Numbers:
        """The first row of each shard."""
        return np.cumsum([0, *self.searcher.rows()])

    def posting_lists(self, term: int) -> Iterator[tuple[int, pa.RecordBatch]]:
        """The row of a term in the table of postings, and the number that its pages begin at."""
        yield from ((0, row) for row in self.tables["postings"].slices(term))

    def text_of(self, page: int) -> str:
        """The text of a page as it is read, a line for each paragraph; empty if it has none."""
        row = self.tables["texts"].find(page)
        return row["text"] if row else ""

    def replay_link(self, url: str, seconds: int | None) -> str | None:
        """The link to replay a capture, if there is a template."""
        return self.replay.link(url, seconds) if self.replay else None

    def replay_of(self, page: _core.PageMeta) -> str | None:
        """The link to replay a page; None for one that was not crawled."""
        return self.replay_link(page.url, page.date) if page.crawled else None

    def words_of(self, page: int, start: int = 0, end: int = 1 << 62) -> list[str]:
        """The words of a page's text from `start` up to `end`, or to the last word."""
        place = self.searcher.find(page)
        return [] if place is None else self.searcher.words(place, start, end)


_HOST = re.compile(r"www\.\w|[\w-]+(\.[\w-]+)+(:\d+)?/")
"""The start of a URL without a scheme."""


def canonical_url(url: str) -> str:
    """The canonical form of a URL from user input."""
    try:
        canonical = _core.canonical(url)
        meant = _core.canonical(f"http://{url}") if _HOST.match(url) else None
    except UnicodeEncodeError:
        # Bytes that are not UTF-8 arrive from the command line as lone surrogates.
        canonical = meant = None
    if canonical is None:
        raise MalformedUrl(url, meant=meant)
    return canonical


@contextmanager
def telling_contradictions(path: Path) -> Iterator[None]:
    """Turn errors that only a defect or a forged table causes into errors of the tree."""
    try:
        yield
    except _core.CorePanic as error:
        raise Defect(str(error), where=str(path)) from error
    except MemoryError as error:
        raise EngineError(
            f"there is not enough memory to answer ({error})",
            where=str(path),
            advice="ask for less, or give the process more; if the index comes from a stranger, "
            "run pagekin check first",
        ) from error
    except _UNEXPECTED as error:
        raise IndexCorrupt(
            f"the tables give no answer ({type(error).__name__}: {error})",
            path=path,
            advice="run pagekin check; if the index is sound, this is a defect: please report it",
        ) from error


_UNEXPECTED = (ArithmeticError, LookupError, ValueError, pa.ArrowException)


Files = dict[str, list[MappedTable]]
"""The files of each table, shard by shard."""
OpenIndex = tuple[Manifest, Files, dict[str, SortedTable], _core.Searcher]


def _open(path: Path) -> OpenIndex:
    """Open the manifest and its tables, again if a build replaces them meanwhile."""
    manifest = Manifest.read(path)
    try:
        sketch = _strategy(path, manifest).sketch
        if manifest.with_checksum() != manifest:
            raise corrupt(path, "the manifest does not match its checksum")
        with telling_contradictions(path):
            files = _files(path, manifest)
            tables = _tables(files, sketch.positions)
            return manifest, files, tables, _searcher(path, manifest, files, sketch)
    except IndexCorrupt:
        if Manifest.read(path) == manifest:
            _check_sums(path, manifest)
            raise
        return _open(path)


def _tables(files: Files, positions: int) -> dict[str, SortedTable]:
    terms = SortedTable(files["terms"], schema_of("terms", positions))
    own = {"bags": terms}
    return {
        name: SortedTable(files[name], schema_of(name, positions), own.get(name)) for name in files
    }


def _check_sums(path: Path, manifest: Manifest) -> None:
    """Raise an error about the checksums if they are what is damaged, and not a table."""
    for shard in range(manifest.shards):
        file = path / manifest.folder / file_name("sums", shard)
        entry = manifest.files.get(file.name)
        # A build that replaces the index may take the file away at any moment.
        with suppress(OSError):
            if entry and checksum_of(file) != entry["xxh3"]:
                raise corrupt(file, "the table does not match its checksum")


def _strategy(path: Path, manifest: Manifest) -> Strategy:
    try:
        strategy = Strategy.from_toml(manifest.strategy)
        fitted = Strategy.from_toml(manifest.fitted)
    except StrategyError as error:
        raise corrupt(path, f"the manifest's strategy cannot be used ({error})") from error
    if strategy.fingerprint != manifest.fingerprint:
        raise StrategyMismatch(
            f"the manifest's strategy has the fingerprint {strategy.fingerprint}, "
            f"and the tables were made with {manifest.fingerprint}",
            path=path,
            advice="build the index again",
        )
    if not fitted.is_fit_of(strategy):
        raise corrupt(path, "the manifest's fitted strategy is not one of its strategy")
    return strategy


def _files(path: Path, manifest: Manifest) -> Files:
    """Every file that has checksums, with its checksums."""
    shards = range(manifest.shards)
    for name in (file_name(table, shard) for table in TABLES for shard in shards):
        if name not in manifest.files:
            raise corrupt(path, f"the manifest lacks {name}")
    folder = path / manifest.folder
    raise_file_limit(len(manifest.files))
    sums = [read_sums(folder / file_name("sums", shard)) for shard in shards]

    def file(table: str, shard: int) -> MappedTable:
        name = file_name(table, shard)
        return MappedTable.opened(folder / name, manifest.files[name]["bytes"], sums[shard][table])

    return {table: [file(table, shard) for shard in shards] for table in CHECKSUMMED}


def _searcher(path: Path, manifest: Manifest, files: Files, sketch: Sketch) -> _core.Searcher:
    try:
        tables = searched_tables(manifest, files)
        return _core.Searcher([tables], sketch.positions, sketch.seed, sketch.min_inlinks)
    except (_core.CoreError, ValueError, OSError) as error:
        raise unreadable(path, "the tables cannot be opened", error) from error


def searched_tables(manifest: Manifest, files: Files) -> dict[str, list[_core.VerifiedFile]]:
    """The files of an index that the core searches."""
    tables = [name for name in _core.Searcher.TABLES if name != "holders" or manifest.has_holders]
    return {name: [file.verified for file in files[name]] for name in tables}
