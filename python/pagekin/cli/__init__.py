"""The command line: one file per command."""

from pagekin.cli.main import main

__all__ = ["main"]
