"""`pagekin add`, `remove`, `compact` and `merge`: change an index, or make one of several."""

import argparse

from pagekin.cli.commands.indexing import add_build_options, add_model, run_build
from pagekin.cli.options import Commands, add_index, add_sources, sources_of
from pagekin.crawl import read_names
from pagekin.engines.update import addition, compaction, removal, union
from pagekin.errors import ExitCode
from pagekin.strategy import Strategy

__all__ = ["add_add", "add_compact", "add_merge", "add_remove"]


def add_add(commands: Commands) -> None:
    """`pagekin add`."""
    command = commands.add_parser(
        "add",
        help="add captures to an index",
        description="Add captures to an index. The latest capture of each URL counts. The new "
        "index is the one that a build of all captures gives, but the old archives are not read. "
        "The old index answers until the new one is complete.",
    )
    add_index(command)
    add_sources(command)
    add_build_options(command)
    command.set_defaults(run=run_add, as_of=None)


def run_add(options: argparse.Namespace) -> ExitCode:
    """Add captures and print a summary."""
    return run_build(options, addition(options.index, sources_of(options)))


def add_remove(commands: Commands) -> None:
    """`pagekin remove`."""
    command = commands.add_parser(
        "remove",
        help="remove pages from an index",
        description="Remove pages from an index, with all captures of their addresses and all "
        "their links. If one of them was never captured, the command names it, removes nothing "
        "and ends with exit code 1.",
    )
    add_index(command)
    command.add_argument(
        "urls", metavar="URL", nargs="*", help="page to remove, or @list.txt with one URL per line"
    )
    command.add_argument("--prefix", metavar="URL", help="remove pages whose URL begins with this")
    command.add_argument("--site", metavar="HOST", help="remove all pages of this site")
    add_build_options(command)
    command.set_defaults(run=run_remove, as_of=None)


def run_remove(options: argparse.Namespace) -> ExitCode:
    """Remove pages and print a summary."""
    urls = [url for word in options.urls for url in _named(word)]
    wanted = removal(options.index, urls, prefix=options.prefix, site=options.site)
    return run_build(options, wanted)


def _named(word: str) -> list[str]:
    return read_names(word[1:]) if word.startswith("@") else [word]


def add_compact(commands: Commands) -> None:
    """`pagekin compact`."""
    command = commands.add_parser(
        "compact",
        help="build an index again from itself",
        description="Build an index again from itself, in its place. Every build, add and remove "
        "leaves a compact index, which does not change.",
    )
    add_index(command)
    add_build_options(command)
    command.set_defaults(run=run_compact, as_of=None)


def run_compact(options: argparse.Namespace) -> ExitCode:
    """Build the index again and print a summary."""
    return run_build(options, compaction(options.index))


def add_merge(commands: Commands) -> None:
    """`pagekin merge`."""
    command = commands.add_parser(
        "merge",
        help="make one index of several",
        description="Merge several indexes into the one that a build of all their captures gives.",
    )
    command.add_argument("indexes", metavar="INDEX", nargs="+", help="folder of an index")
    command.add_argument("-o", "--output", metavar="INDEX", required=True, help="folder to write")
    command.add_argument(
        "--strategy",
        metavar="FILE.toml",
        help="how pages are represented (default: as in the indexes, which must agree)",
    )
    add_model(command)
    add_build_options(command)
    command.set_defaults(run=run_merge, as_of=None)


def run_merge(options: argparse.Namespace) -> ExitCode:
    """Merge indexes and print a summary."""
    strategy = Strategy.load(options.strategy) if options.strategy else None
    wanted = union(options.indexes, options.output, strategy, options.model)
    return run_build(options, wanted)
