"""The index: a folder of Arrow files, described by a manifest."""

from pagekin.index.check import check
from pagekin.index.holders import ShardHolders
from pagekin.index.inverse import ShardInverse, position_steps
from pagekin.index.manifest import FORMAT, Manifest
from pagekin.index.reader import IndexReader, address
from pagekin.index.table import SortedTable
from pagekin.index.tables import TABLES, schema_of
from pagekin.index.writer import IndexWriter

__all__ = [
    "FORMAT",
    "TABLES",
    "IndexReader",
    "IndexWriter",
    "Manifest",
    "ShardHolders",
    "ShardInverse",
    "SortedTable",
    "address",
    "check",
    "position_steps",
    "schema_of",
]
