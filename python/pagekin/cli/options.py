"""Flags that several commands share, most of them generated from the fields of dataclasses."""

import argparse
from collections.abc import Callable
from itertools import dropwhile
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

from pagekin.api import Index
from pagekin.crawl import Source, resolve_sources
from pagekin.errors import EngineError, InputError
from pagekin.fields import Option, byte_size, byte_size_text, options_of
from pagekin.index.manifest import NAME as MANIFEST
from pagekin.query import Filters, PageSelection
from pagekin.replay import EXAMPLE
from pagekin.work.settings import MEMORY, Settings

__all__ = [
    "Commands",
    "add_crawl",
    "add_directory",
    "add_engine",
    "add_fields",
    "add_filters",
    "add_folder",
    "add_index",
    "add_indexes",
    "add_json",
    "add_memory",
    "add_replay",
    "add_sources",
    "add_threads",
    "count",
    "fields_of",
    "filters_of",
    "open_index",
    "refuse",
    "settings_of",
    "size",
    "sources_of",
    "split_indexes",
]

Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"
T = TypeVar("T")

FILTERS = (
    "k",
    *(each.name for each in options_of(PageSelection)),
    "min_score",
    "exclude_site",
    "exclude_linked",
    "group_by_site",
)
"""The filters of every command that finds related pages."""
NUMBERS = {int: "N", float: "X"}
"""How usage lines show a number."""


def add_fields(
    command: argparse.ArgumentParser, described: type, *names: str, **defaults: Any
) -> None:
    """Add flags for the options of a dataclass: all, or those with these names."""
    for option in options_of(described, *names):
        _add_flag(command, option, defaults.get(option.name, option.default))


def fields_of(
    options: argparse.Namespace, described: Callable[..., T], *names: str, **others: Any
) -> T:
    """The dataclass that the flags describe."""
    found = options_of(described, *names) if isinstance(described, type) else ()
    values = {option.name: getattr(options, option.name) for option in found}
    return described(**values | others)


def _add_flag(command: argparse.ArgumentParser, option: Option, default: Any) -> None:
    add, flag = command.add_argument, option.flag
    if option.kind is bool:
        action: Any = argparse.BooleanOptionalAction if default else "store_true"
        add(flag, dest=option.name, action=action, default=default, help=option.help)
        return
    shown = byte_size_text(default) if option.in_bytes else default
    shown_default = "" if default in (None, 0.0, ()) else f" (default: {shown})"
    metavar = option.placeholder or NUMBERS.get(option.kind) or option.name.upper()
    several: dict[str, Any] = {"action": "append"} if option.many else {}
    add(
        flag,
        dest=option.name,
        type=_type(option.parse),
        default=list(default) if option.many else default,
        metavar=metavar,
        help=f"{option.help}{shown_default}",
        **several,
    )


def _type(parse: Callable[[str], T]) -> Callable[[str], T]:
    """A parser of values whose error message argparse shows unchanged."""

    def parsed(text: str) -> T:
        try:
            return parse(text)
        except InputError as error:
            raise argparse.ArgumentTypeError(error.what) from None

    return parsed


count = _type(Option("", low=1, kind=int).parse)
"""A whole number from 1."""
size = _type(byte_size)
"""A number of bytes."""


def add_index(command: argparse.ArgumentParser) -> None:
    """Add the index, which is the first argument."""
    command.add_argument("index", metavar="INDEX", help="folder of the index")


def add_indexes(command: argparse.ArgumentParser) -> None:
    """Add the index, or the first of several, which are the first arguments, and `--partial`."""
    command.add_argument(
        "index",
        metavar="INDEX",
        help="folder of the index; with further ones after it, they answer as one",
    )
    command.add_argument(
        "--partial",
        action="store_true",
        help="answer without those of several indexes that cannot be read, and say so",
    )


def split_indexes(options: argparse.Namespace, arguments: list[str]) -> tuple[list[str], list[str]]:
    """The indexes, which are those that arguments begin with as well, and the other arguments."""
    others = [*dropwhile(_is_index, arguments)]
    return [options.index, *arguments[: len(arguments) - len(others)]], others


def _is_index(name: str) -> bool:
    """Whether a name is that of an index, even one without its tables."""
    try:
        return Path(name, MANIFEST).is_file()
    except (OSError, ValueError):
        # Not a possible name of a folder: too long, for example.
        return False


def add_replay(command: argparse.ArgumentParser) -> None:
    """Add `--replay`."""
    command.add_argument(
        "--replay",
        metavar="TEMPLATE",
        help="address of a web archive with {url} and {timestamp} (14 digits), for links that "
        f"replay captures: {EXAMPLE}",
    )


def open_index(options: argparse.Namespace, indexes: list[str] | None = None) -> Index:
    """The index that the options name, or several as one, with links to a web archive."""
    if indexes is None:
        return Index(options.index, replay=options.replay)
    return Index(indexes, replay=options.replay, partial=options.partial)


def add_json(command: argparse._ActionsContainer) -> None:
    """Add `--json`."""
    command.add_argument("--json", action="store_true", help="print one JSON document")


def add_threads(command: argparse.ArgumentParser) -> None:
    """Add `--threads`."""
    command.add_argument(
        "--threads", metavar="N", type=count, help="number of threads (default: one per core)"
    )


def add_memory(command: argparse.ArgumentParser, explanation: str) -> None:
    """Add `--memory`."""
    command.add_argument(
        "--memory",
        metavar="SIZE",
        type=size,
        default=MEMORY,
        help=f"{explanation} (default: {byte_size_text(MEMORY)})",
    )


def add_sources(command: argparse.ArgumentParser) -> None:
    """Add the sources, and what a folder of HTML needs."""
    command.add_argument("sources", metavar="SOURCE", nargs="+", help="a crawl to read")
    add_folder(command)


def add_folder(command: argparse.ArgumentParser) -> None:
    """Add `--base-url` and `--follow-links`."""
    command.add_argument(
        "--base-url", metavar="URL", help="URL of the folder, for a folder of HTML"
    )
    command.add_argument(
        "--follow-links",
        action="store_true",
        help="follow symbolic links that lead out of the folder",
    )


def sources_of(options: argparse.Namespace) -> list[Source]:
    """The sources that the options name."""
    return resolve_sources(options.sources, options.base_url, follow_links=options.follow_links)


def add_filters(command: argparse.ArgumentParser, *more: str, **defaults: Any) -> None:
    """Add the common filters, and those named in `more`."""
    add_fields(command, Filters, *FILTERS, *more, **defaults)


def filters_of(options: argparse.Namespace, *more: str) -> Filters:
    """The filters that the flags describe."""
    return fields_of(options, Filters, *FILTERS, *more)


def add_engine(command: argparse.ArgumentParser) -> None:
    """Add `--engine` and `--master`."""
    command.add_argument(
        "--engine",
        choices=["local", "spark"],
        default="local",
        help="engine that runs the build (default: local)",
    )
    command.add_argument(
        "--master",
        metavar="URL",
        help="where Spark runs, for example local[4] or spark://host:7077 (default: Spark's own "
        "setting, or this machine)",
    )


def refuse(value: object, name: str, advice: str) -> None:
    """Reject an option that belongs to another engine."""
    if value is not None:
        raise EngineError("not an option of this engine", where=name, advice=advice)


def add_directory(command: argparse.ArgumentParser, *, required: bool = True) -> None:
    """Add the flags that describe a directory."""
    add = command.add_argument
    add(
        "--directory",
        metavar="FILE",
        required=required,
        help="pages and their classes: TSV, CSV, JSON lines or the Open Directory's content.rdf.u8",
    )
    add(
        "--depth",
        metavar="N",
        type=count,
        default=3,
        help="deeper classes count as their ancestor at this depth (default: %(default)s)",
    )
    add(
        "--deep-only",
        action="store_true",
        help="leave out pages whose class lies above --depth, as the paper does",
    )
    add(
        "--structure",
        metavar="FILE",
        help="the Open Directory's structure.rdf.u8, which lists the subclasses of each class",
    )
    add(
        "--sample",
        metavar="PAIRS",
        type=count,
        help="evaluate on this many random pairs of sibling classes (default: all classes)",
    )
    add("--seed", metavar="N", type=int, default=0, help="random seed (default: %(default)s)")


def add_crawl(command: argparse.ArgumentParser) -> None:
    """Add the flags of commands that compare strategies: crawl, directory, memory and threads."""
    add_sources(command)
    add_directory(command)
    command.add_argument(
        "--directory-pages",
        metavar="PREFIX",
        action="append",
        default=[],
        help="pages whose URL begins with this belong to the directory itself: leave them out of "
        "the crawl, as the paper does, since they list each class side by side (repeatable)",
    )
    add_memory(command, "memory to use")
    add_threads(command)


def settings_of(options: argparse.Namespace) -> Settings:
    """The settings that the flags describe."""
    if options.threads:
        return Settings(memory=options.memory, threads=options.threads)
    return Settings(memory=options.memory)
