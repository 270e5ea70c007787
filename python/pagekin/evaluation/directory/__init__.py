"""Directories: hand-made trees of classes with pages, in the forms that people keep them in."""

from pagekin.evaluation.directory.directory import DEPTH, Directory, Row, read_rows

__all__ = ["DEPTH", "Directory", "Row", "read_rows"]
