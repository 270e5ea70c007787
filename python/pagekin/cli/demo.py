"""`pagekin demo`: the whole thing on the bundled sample crawl."""

import argparse
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from pagekin.build import build
from pagekin.cli.answer import print_answer
from pagekin.cli.progress import progress_on
from pagekin.cli.show import card_text
from pagekin.cli.summary import summary_text
from pagekin.errors import ExitCode
from pagekin.opened import Index
from pagekin.sample.pack import write_sample

if TYPE_CHECKING:
    from pagekin.cli.types import Commands

__all__ = ["add_to", "run"]

ASKED = (
    "http://www.hedgerow.example/plants/roses.html",
    "http://www.national-soaring-centre.example/",
)
TEXT = "a thunderstorm with hail and lightning"
HITS = 3
SHOWN = "http://www.national-soaring-centre.example/"


def add_to(commands: "Commands") -> None:
    """Add the command's options."""
    command = commands.add_parser(
        "demo",
        help="run on the bundled sample crawl",
        description="Pack the bundled sample crawl, index it and ask for related pages.",
    )
    command.add_argument(
        "-o", "--output", metavar="FOLDER", help="keep the crawl and the index here"
    )
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> ExitCode:
    """Pack, index, show."""
    if options.output:
        Path(options.output).mkdir(parents=True, exist_ok=True)
        _demonstrate(Path(options.output))
    else:
        with tempfile.TemporaryDirectory(prefix="pagekin-demo-") as folder:
            _demonstrate(Path(folder))
    return ExitCode.DONE


def _demonstrate(folder: Path) -> None:
    crawl, index = folder / "sample.warc.gz", folder / "sample.index"
    pages = write_sample(crawl)
    print(f"packed {pages} pages into {crawl}\n\n$ pagekin index {crawl} -o {index}")
    summary = build(crawl, index, progress=progress_on(sys.stderr))
    print(summary_text(summary, str(index)))
    opened = Index(index)
    for url in ASKED:
        print(f"\n$ pagekin related {index} {url} -k {HITS}")
        print_answer(opened.related(url, k=HITS))
    print(f'\n$ pagekin related {index} --text "{TEXT}" -k {HITS}')
    print_answer(opened.related_to_text(TEXT, k=HITS))
    print(f"\n$ pagekin show {index} {SHOWN}\n{card_text(opened.show(SHOWN))}")
    print(f"\n$ pagekin check {index}")
    opened.check(progress_on(sys.stderr))
    print("sound")
