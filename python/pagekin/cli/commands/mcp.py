"""`pagekin mcp`: an index as tools for assistants."""

import argparse
import importlib
from importlib.util import find_spec

from pagekin.api import Index
from pagekin.cli.options import Commands, add_index
from pagekin.errors import EngineError, ExitCode

__all__ = ["add_mcp"]


def add_mcp(commands: Commands) -> None:
    """`pagekin mcp`."""
    command = commands.add_parser(
        "mcp",
        help="serve an index to an assistant, over standard input and output",
        description="Serve an index to an assistant by the Model Context Protocol, over standard "
        "input and output. Tools: search, related, read, pairs, compare. It ends when the "
        "assistant closes the input.",
    )
    add_index(command)
    command.set_defaults(run=run_mcp)


def run_mcp(options: argparse.Namespace) -> ExitCode:
    """Serve until the client goes."""
    if find_spec("mcp") is None:
        raise EngineError("an assistant needs the library mcp", advice="pip install 'pagekin[mcp]'")
    index = Index(options.index)
    importlib.import_module("pagekin.mcp").serve_stdio(index)
    return ExitCode.DONE
