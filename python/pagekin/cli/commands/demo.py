"""`pagekin demo`: the main commands, one after the other, on the bundled sample crawl."""

import argparse
import shlex
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from pagekin.cli.main import main
from pagekin.cli.options import Commands
from pagekin.errors import ExitCode
from pagekin.sample import sample_directory
from pagekin.sample.pack import write_sample

__all__ = ["add_demo"]

CRAWLED = "http://www.hedgerow.example/plants/roses.html"
NOT_CRAWLED = "http://www.national-soaring-centre.example/"
TEXT = "a thunderstorm with hail and lightning"


def add_demo(commands: Commands) -> None:
    """`pagekin demo`."""
    command = commands.add_parser(
        "demo",
        help="run the main commands on the bundled sample crawl",
        description="Pack the bundled sample crawl, index it, then ask for related pages and "
        "pairs of pages, evaluate the index and check it.",
    )
    command.add_argument(
        "-o", "--output", metavar="FOLDER", help="keep the crawl and the index here"
    )
    command.add_argument(
        "--json", action="store_true", help="print JSON lines: one document for each command"
    )
    command.set_defaults(run=run_demo)


def run_demo(options: argparse.Namespace) -> int:
    """Pack the sample and run each command on it, up to the first that fails."""
    if options.output:
        Path(options.output).mkdir(parents=True, exist_ok=True)
        return _run_commands(Path(options.output), as_json=options.json)
    with tempfile.TemporaryDirectory(prefix="pagekin-demo-") as folder:
        return _run_commands(Path(folder), as_json=options.json)


def _run_commands(folder: Path, *, as_json: bool) -> int:
    crawl, directory = folder / "sample.warc.gz", folder / "directory.tsv"
    packed = write_sample(crawl)
    if not as_json:
        print(f"packed {packed} pages into {crawl}")
    shutil.copyfile(sample_directory(), directory)
    for command in _commands(str(crawl), str(folder / "sample.index"), str(directory)):
        if not as_json:
            print(f"\n$ pagekin {shlex.join(command)}", flush=True)
        if code := main([*command, *(["--json"] * as_json)]):
            return code
    return ExitCode.DONE


def _commands(crawl: str, index: str, directory: str) -> Iterator[list[str]]:
    yield ["index", crawl, "-o", index]
    yield ["related", index, CRAWLED, "-k", "3"]
    yield ["related", index, NOT_CRAWLED, "-k", "3"]
    yield ["related", index, "--text", TEXT, "-k", "3"]
    yield ["show", index, NOT_CRAWLED]
    yield ["pairs", index, "garden", "pruning", "roses", "--sites", "1"]
    yield ["evaluate", index, "--directory", directory]
    yield ["check", index]
