"""The index: a folder of Arrow files, described by a manifest."""

from pagekin.index.captures import capture_rows
from pagekin.index.inverted import ShardInvertedSketches, ShardWeightedPostings, position_steps
from pagekin.index.manifest import FORMAT, Manifest
from pagekin.index.reader import IndexReader, canonical_url
from pagekin.index.removal import addresses_to_remove
from pagekin.index.signature import sign, verify_signature
from pagekin.index.stored import stored_pages
from pagekin.index.tables.packed import bag_packer
from pagekin.index.tables.schema import TABLES, WEIGHED, schema_of
from pagekin.index.tables.shard import ShardFiles
from pagekin.index.tables.sorted import SortedTable
from pagekin.index.verify import check
from pagekin.index.writer import IndexWriter

__all__ = [
    "FORMAT",
    "TABLES",
    "WEIGHED",
    "IndexReader",
    "IndexWriter",
    "Manifest",
    "ShardFiles",
    "ShardInvertedSketches",
    "ShardWeightedPostings",
    "SortedTable",
    "addresses_to_remove",
    "bag_packer",
    "canonical_url",
    "capture_rows",
    "check",
    "position_steps",
    "schema_of",
    "sign",
    "stored_pages",
    "verify_signature",
]
