"""Ground truth: directories of pages in their file formats, matched with a crawl.

A directory is a hand-made tree of classes with pages.
"""

from pagekin.evaluation.truths.directory import DEPTH, Directory, read_rows
from pagekin.evaluation.truths.rows import Row

__all__ = ["DEPTH", "Directory", "Row", "read_rows"]
