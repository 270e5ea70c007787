"""An index, opened for reading: its manifest, its tables, and the core's view of them."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from os import PathLike
from pathlib import Path

from pagekin import _core
from pagekin.errors import IndexCorrupt, InputError, StrategyError, StrategyMismatch
from pagekin.index.manifest import Manifest
from pagekin.index.table import SortedTable, mapped
from pagekin.index.tables import TABLES, schema_of
from pagekin.strategy import Strategy

__all__ = ["IndexReader", "address"]


class IndexReader:
    """A crawl that has been indexed. Opening costs milliseconds, whatever its size.

    Every file is open from the start, so a build that replaces the index takes nothing away.
    """

    def __init__(self, path: str | PathLike[str]) -> None:
        self.path = Path(path)
        self.manifest, self.tables, self.searcher = _opened(self.path)

    @cached_property
    def strategy(self) -> Strategy:
        """The strategy that the index was built with."""
        return Strategy.from_toml(self.manifest.strategy)

    @contextmanager
    def blaming(self) -> Iterator[None]:
        """Whatever the core cannot read is a damage of the index."""
        try:
            yield
        except _core.CoreError as error:
            raise _corrupt(self.path, str(error)) from error

    def word(self, term: int) -> str:
        """The word to show for a term; a link term shows the linking page."""
        if not term & _core.LINK_BIT:
            return self.searcher.word(term) or f"term {term:016x}"
        for page in (term, term ^ _core.LINK_BIT):
            place = self.searcher.find(page)
            if place is not None:
                return self.searcher.card(place)[0]
        return f"page {term:016x}"

    def words_of(self, page: int) -> list[str]:
        """The words of a page's text, in order."""
        row = self.tables["words"].find(page)
        return (row["words"] or "").split(" ") if row else []


def address(url: str) -> str:
    """The canonical form of a URL that a person gave."""
    try:
        canonical = _core.canonical(url)
    except UnicodeEncodeError:
        # Bytes that are no UTF-8 reach us from the command line as halves of characters.
        canonical = None
    if canonical is None:
        raise InputError(
            "is no address of a web page", source=url, advice="give an http or https URL"
        )
    return canonical


Opened = tuple[Manifest, dict[str, SortedTable], _core.Searcher]


def _opened(path: Path) -> Opened:
    """The manifest and its tables. A build that replaces them meanwhile is met by a second look."""
    manifest = Manifest.read(path)
    try:
        positions = _strategy(path, manifest).sketch.positions
        tables = {name: _table(path, manifest, name, positions) for name in TABLES}
        return manifest, tables, _searcher(path, manifest)
    except IndexCorrupt:
        if Manifest.read(path) == manifest:
            raise
        return _opened(path)


def _strategy(path: Path, manifest: Manifest) -> Strategy:
    try:
        strategy = Strategy.from_toml(manifest.strategy)
    except StrategyError as error:
        raise _corrupt(path, f"the manifest's strategy cannot be used ({error})") from error
    if strategy.fingerprint != manifest.fingerprint:
        raise StrategyMismatch(
            f"the manifest's strategy has the fingerprint {strategy.fingerprint}, "
            f"and the tables were made with {manifest.fingerprint}",
            path=path,
            advice="build the index again",
        )
    return strategy


def _table(path: Path, manifest: Manifest, name: str, positions: int) -> SortedTable:
    sizes = {file: manifest.files[file.name]["bytes"] for file in _files(path, manifest, name)}
    return SortedTable(sizes, schema_of(name, positions))


def _files(path: Path, manifest: Manifest, table: str) -> list[Path]:
    names = [f"{table}-{shard:05}.arrow" for shard in range(manifest.shards)]
    for name in names:
        if name not in manifest.files:
            raise _corrupt(path, f"the manifest lacks {name}")
    return [path / manifest.folder / name for name in names]


def _searcher(path: Path, manifest: Manifest) -> _core.Searcher:
    files = {name: _files(path, manifest, name) for name in _core.Searcher.TABLES}
    try:
        return _core.Searcher(
            {name: [(file.name, mapped(file)) for file in shards] for name, shards in files.items()}
        )
    except (_core.CoreError, ValueError, OSError) as error:
        raise _corrupt(path, str(error)) from error


def _corrupt(path: Path, what: str) -> IndexCorrupt:
    return IndexCorrupt(what, path=path, advice="build the index again")
