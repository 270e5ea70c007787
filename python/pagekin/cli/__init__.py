"""The command line: one file per command."""

from pagekin.cli.main import imported, main

__all__ = ["imported", "main"]
