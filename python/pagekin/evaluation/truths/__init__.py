"""Truths: what people know of pages, in the files that they keep it in, matched with a crawl.

A directory is a hand-made tree of classes with pages.
"""

from pagekin.evaluation.truths.directory import DEPTH, Directory, read_rows
from pagekin.evaluation.truths.rows import Row

__all__ = ["DEPTH", "Directory", "Row", "read_rows"]
