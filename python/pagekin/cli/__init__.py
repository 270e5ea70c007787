"""The command line: commands grouped by what they do, each module imported when it is needed."""

from pagekin.cli.main import import_commands, main

__all__ = ["import_commands", "main"]
