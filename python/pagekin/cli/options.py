"""Options that several commands have, each with what is made of it."""

import argparse

from pagekin.cli.values import byte_size, count, share
from pagekin.engines.settings import Settings
from pagekin.errors import EngineError
from pagekin.evaluation import Directory
from pagekin.query import Filters

__all__ = [
    "add_crawl",
    "add_directory",
    "add_engine",
    "add_filters",
    "add_index",
    "add_json",
    "add_sources",
    "add_threads",
    "directory_of",
    "filters_of",
    "refuse",
    "settings_of",
]


def add_index(command: argparse.ArgumentParser) -> None:
    """What is asked, and so the first word."""
    command.add_argument("index", metavar="INDEX", help="folder of the index")


def add_json(command: argparse.ArgumentParser) -> None:
    """Whether a program reads the answer."""
    command.add_argument("--json", action="store_true", help="print one JSON document")


def add_threads(command: argparse.ArgumentParser) -> None:
    """How much of the machine is used."""
    command.add_argument("--threads", type=count, help="how many (default: one a core)")


def add_sources(command: argparse.ArgumentParser) -> None:
    """What is read."""
    command.add_argument("sources", metavar="SOURCE", nargs="+", help="what to read")
    command.add_argument("--base-url", metavar="URL", help="what a folder of HTML stands for")


def add_filters(command: argparse.ArgumentParser, k: int) -> None:
    """Which related pages are wanted, `k` of them unless told otherwise."""
    add = command.add_argument
    add("-k", type=count, default=k, help="how many related pages (default: %(default)s)")
    add("--min-score", type=share, default=0.0, metavar="X", help="only pages at least so similar")
    add("--exclude-site", action="store_true", help="no pages of the page's own site")
    add("--exclude-linked", action="store_true", help="no pages that the page links to")
    add("--group-by-site", action="store_true", help="only the best page of each site")


def filters_of(options: argparse.Namespace) -> Filters:
    """The filters that the options name."""
    return Filters(
        k=options.k,
        min_score=options.min_score,
        exclude_site=options.exclude_site,
        exclude_linked=options.exclude_linked,
        group_by_site=options.group_by_site,
    )


def add_engine(command: argparse.ArgumentParser) -> None:
    """What runs the work."""
    command.add_argument(
        "--engine",
        choices=["local", "spark"],
        default="local",
        help="what does the work (default: local)",
    )
    command.add_argument(
        "--master",
        metavar="URL",
        help="where Spark runs, for example local[4] or spark://host:7077 (default: what Spark is "
        "set to, or this machine)",
    )


def refuse(value: object, name: str, advice: str) -> None:
    """An option that another engine has is an error."""
    if value is not None:
        raise EngineError("is not for this engine", where=name, advice=advice)


def add_directory(command: argparse.ArgumentParser) -> None:
    """What is judged by."""
    add = command.add_argument
    add(
        "--directory",
        metavar="FILE",
        required=True,
        help="pages and their classes: TSV, CSV, JSON lines or the Open Directory's content.rdf.u8",
    )
    add(
        "--depth",
        type=count,
        default=3,
        help="classes farther down count as the one above them (default: %(default)s)",
    )
    add(
        "--structure",
        metavar="FILE",
        help="the Open Directory's structure.rdf.u8, which says what is below a class",
    )
    add(
        "--sample",
        metavar="PAIRS",
        type=count,
        help="judge by so many pairs of sibling classes, drawn at random (default: all classes)",
    )
    add("--seed", type=int, default=0, help="of what is drawn at random (default: %(default)s)")


def directory_of(options: argparse.Namespace) -> Directory:
    """The directory that the options name."""
    found = Directory.read(options.directory, depth=options.depth, structure=options.structure)
    return found.sampled(options.sample, options.seed) if options.sample else found


def add_crawl(command: argparse.ArgumentParser) -> None:
    """What strategies are compared on: a crawl, a directory, and how much of the machine."""
    add_sources(command)
    add_directory(command)
    command.add_argument(
        "--memory", type=byte_size, default="2GB", help="how much to use (default: %(default)s)"
    )
    add_threads(command)


def settings_of(options: argparse.Namespace) -> Settings:
    """What the work may use."""
    if options.threads:
        return Settings(memory=options.memory, threads=options.threads)
    return Settings(memory=options.memory)
