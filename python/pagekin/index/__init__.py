"""The index: a folder of Arrow files, described by a manifest."""

from pagekin.index.index import Index
from pagekin.index.manifest import FORMAT, Manifest
from pagekin.index.writer import IndexWriter

__all__ = ["FORMAT", "Index", "IndexWriter", "Manifest"]
