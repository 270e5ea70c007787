"""`pagekin.add`, `remove`, `compact` and `merge`: a new index from old ones, in their place.

An index is a source of a build, so each of these is a build: of the index and more, of the index
without some pages, of the index alone, or of several. What it gives is what a build of the same
captures gives, to the byte.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from os import PathLike, fspath
from typing import Unpack

from pagekin.crawl import Source, SourceName, resolve_sources
from pagekin.engines.build import BuildKeywords, build
from pagekin.errors import EngineError, StrategyMismatch
from pagekin.index import IndexReader, addresses_to_remove
from pagekin.strategy import Strategy
from pagekin.work.outcome import BuildSummary

__all__ = [
    "Rebuild",
    "add",
    "addition",
    "compact",
    "compaction",
    "merge",
    "removal",
    "remove",
    "union",
]

IndexPath = str | PathLike[str]


@dataclass(frozen=True, slots=True)
class Rebuild:
    """A build of an index and perhaps more: for any engine."""

    sources: Sequence[Source]
    index: IndexPath
    strategy: Strategy | None
    model: IndexPath | None = None

    def run(self, **keywords: Unpack[BuildKeywords]) -> BuildSummary:
        """Build on this machine."""
        return build(self.sources, self.index, strategy=self.strategy, model=self.model, **keywords)


def addition(index: IndexPath, sources: SourceName | Iterable[SourceName]) -> Rebuild:
    """The index and these sources."""
    reader = IndexReader(index)
    return _again(reader, [_source(reader), *resolve_sources(sources)], index)


def removal(
    index: IndexPath,
    urls: Iterable[str] = (),
    *,
    prefix: str | None = None,
    site: str | None = None,
) -> Rebuild:
    """The index without some pages."""
    reader = IndexReader(index)
    without = addresses_to_remove(reader, urls, prefix, site)
    return _again(reader, [_source(reader, without)], index)


def compaction(index: IndexPath) -> Rebuild:
    """The index alone."""
    reader = IndexReader(index)
    return _again(reader, [_source(reader)], index)


def union(
    indexes: Iterable[IndexPath],
    index: IndexPath,
    strategy: Strategy | None,
    model: IndexPath | None = None,
) -> Rebuild:
    """Several indexes, by their strategy unless another or a model is given."""
    readers = [IndexReader(each) for each in indexes]
    if not readers:
        raise EngineError("no index was given", where=fspath(index), advice="name at least one")
    for other in readers[1:]:
        if strategy is None and model is None and other.strategy != readers[0].strategy:
            raise StrategyMismatch(
                f"the index was built by another strategy than {readers[0].path}",
                path=other.path,
                advice="say by which strategy the new one is built: --strategy",
            )
    chosen = strategy if strategy or model else readers[0].strategy
    return Rebuild([_source(reader) for reader in readers], index, chosen, model)


def _again(reader: IndexReader, sources: Sequence[Source], index: IndexPath) -> Rebuild:
    """A build in place of an index: with its model if that is another index's."""
    kept = None if reader.manifest.has_own_model else reader.path
    return Rebuild(sources, index, reader.strategy, kept)


def _source(reader: IndexReader, without: tuple[str, ...] = ()) -> Source:
    return Source(str(reader.path), is_index=True, without=without)


def add(
    index: IndexPath,
    sources: SourceName | Iterable[SourceName],
    **keywords: Unpack[BuildKeywords],
) -> BuildSummary:
    """Add captures to an index. Of each URL the latest capture counts, as in a build."""
    return addition(index, sources).run(**keywords)


def remove(
    index: IndexPath,
    urls: str | Iterable[str] = (),
    *,
    prefix: str | None = None,
    site: str | None = None,
    **keywords: Unpack[BuildKeywords],
) -> BuildSummary:
    """Remove pages from an index, with all captures of their addresses and all their links.

    If something of it was never captured, nothing is removed; `NeverCaptured` names all of that.
    """
    named = [urls] if isinstance(urls, str) else urls
    return removal(index, named, prefix=prefix, site=site).run(**keywords)


def compact(index: IndexPath, **keywords: Unpack[BuildKeywords]) -> BuildSummary:
    """Build an index again from itself. One that is as it should be stays the same."""
    return compaction(index).run(**keywords)


def merge(
    indexes: Iterable[IndexPath],
    index: IndexPath,
    *,
    strategy: Strategy | None = None,
    model: IndexPath | None = None,
    **keywords: Unpack[BuildKeywords],
) -> BuildSummary:
    """Make one index of several: the one that a build of all their captures gives, with the model
    of another index if one is named."""
    return union(indexes, index, strategy, model).run(**keywords)
