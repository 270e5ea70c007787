"""The command line: commands grouped by what they do, each module imported when needed."""

from pagekin.cli.main import imported, main

__all__ = ["imported", "main"]
