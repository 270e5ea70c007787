"""The model of an index: what bags are weighted by, besides the pages themselves.

It consists of the number of bags and the document frequency of each term, the words that stand for
terms, the loadings of concepts and topics with their names, and the strategy as it was fitted to
the crawl. A build learns it, or takes that of another index. Scores of bags that were weighted by
one model compare.
"""

from os import PathLike
from typing import Any

import pyarrow as pa

from pagekin.errors import StrategyMismatch
from pagekin.index.manifest import ModelEntry
from pagekin.index.reader import IndexReader
from pagekin.index.tables.schema import schema_of
from pagekin.strategy import Strategy

__all__ = ["Model"]


class Model:
    """The model of an index, for a build that takes it over."""

    def __init__(self, reader: IndexReader) -> None:
        self._reader = reader

    @classmethod
    def of(cls, index: str | PathLike[str]) -> "Model":
        """The model of the index in a folder."""
        return cls(IndexReader(index))

    @property
    def path(self) -> str:
        """The folder of the index."""
        return str(self._reader.path.absolute())

    @property
    def entry(self) -> ModelEntry:
        """What manifests say of the model."""
        return self._reader.manifest.model

    @property
    def strategy(self) -> Strategy:
        """The strategy of every index that is built with it."""
        return self._reader.strategy

    @property
    def fitted(self) -> Strategy:
        """The strategy that bags are weighted by."""
        return self._reader.fitted

    @property
    def loadings(self) -> pa.RecordBatch:
        """The loadings of terms, as one batch."""
        return self._whole("loadings")

    @property
    def concepts(self) -> pa.RecordBatch:
        """The concepts and their words, as one batch."""
        return self._whole("concepts")

    def lexicon(self, number: int, bits: int) -> list[pa.RecordBatch]:
        """The lexicon in one of 2^`bits` ranges of terms."""
        size = 1 << (64 - bits)
        with self._reader.blaming():
            return [*self._reader.tables["lexicon"].between(number * size, (number + 1) * size)]

    def wanted(self, strategy: Strategy | None) -> Strategy:
        """The strategy of a build with this model, for which one was given or not."""
        if strategy is not None and strategy != self.strategy:
            raise StrategyMismatch(
                "the model belongs to another strategy than the one given",
                path=self._reader.path,
                advice="leave out the strategy, or the model",
            )
        return self.strategy

    def _whole(self, table: str) -> pa.RecordBatch:
        with self._reader.blaming():
            batches = [*self._reader.tables[table].batches()]
        found = pa.Table.from_batches(batches, schema_of(table, 0)).combine_chunks()
        return next(iter(found.to_batches()), _no_rows(table))


def _no_rows(table: str) -> Any:
    return pa.RecordBatch.from_pylist([], schema_of(table, 0))
