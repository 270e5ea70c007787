"""Ground truth: directories of pages in their file formats, matched with a crawl.

A directory is a hand-made tree of classes with pages. A see-also list has the pages that authors
point their readers to.
"""

from pagekin.evaluation.truths.directory import DEPTH, UNCUT, Directory, read_rows
from pagekin.evaluation.truths.rows import Row
from pagekin.evaluation.truths.see_also import SeeAlso

__all__ = ["DEPTH", "UNCUT", "Directory", "Row", "SeeAlso", "read_rows"]
