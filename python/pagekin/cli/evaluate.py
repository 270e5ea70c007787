"""`pagekin evaluate`: an index, or anybody's answers, judged by a directory."""

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING

from pagekin.cli.options import add_directory, add_index, add_json, directory_of
from pagekin.cli.summary import printable
from pagekin.errors import ExitCode
from pagekin.evaluation import Evaluation, evaluate
from pagekin.evaluation.judge import SIMILARITIES, matched_with
from pagekin.evaluation.qrels import write_qrels
from pagekin.evaluation.summary import Band
from pagekin.opened import Index

if TYPE_CHECKING:
    from pagekin.cli.types import Commands

__all__ = ["add_to", "run"]


def add_to(commands: "Commands") -> None:
    """Add the command's options."""
    command = commands.add_parser(
        "evaluate",
        help="judge an index, or anybody's answers, by a directory",
        description="Judge by a hand-made directory how well an index finds related pages.",
    )
    add_index(command)
    add_directory(command)
    command.add_argument(
        "--similarity",
        choices=SIMILARITIES,
        default="jaccard",
        help="how bags are compared (default: %(default)s)",
    )
    command.add_argument(
        "--run",
        dest="answers",
        metavar="FILE",
        help="judge these answers instead of the index: a TREC run with URLs as names",
    )
    command.add_argument(
        "--qrels", metavar="FILE", help="also write the directory as TREC qrels to this file"
    )
    add_json(command)
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> ExitCode:
    """Judge, and say how well."""
    directory = directory_of(options)
    index = Index(options.index)
    found = evaluate(index, directory, similarity=options.similarity, run=options.answers)
    if options.qrels:
        write_qrels(Path(options.qrels), index, matched_with(index, directory))
    print(json.dumps(found.as_dict()) if options.json else evaluation_text(found))
    return ExitCode.DONE


def evaluation_text(found: Evaluation) -> str:
    """The evaluation as lines for people."""
    coverage = found.coverage
    lines = [
        f"{found.pages:,} pages in {found.classes:,} classes, {found.queries:,} asked about",
        f"in the directory only: {coverage.directory_only:,}; in the crawl only: "
        f"{coverage.crawl_only:,}; not crawled but linked to: {coverage.not_crawled:,}",
    ]
    lines += [f"skipped: {number:,} rows, {reason}" for reason, number in found.skipped.items()]
    lines += ["", "Γ          strict  95 % of resamples   value       pairs    tied"]
    for name, gamma in found.gamma.items():
        pairs = gamma.concordant + gamma.discordant + gamma.tied
        low, high = gamma.interval or (None, None)
        tied = f"{gamma.tied / pairs:7.1%}" if pairs else "      -"
        between = f"{number(low)} to {number(high)}"
        lines.append(
            f"{name:9} {number(gamma.strict)}  {between} {number(gamma.value)} {pairs:11,} {tied}"
        )
    lines += [
        "",
        f"precision at 10              {number(found.precision_at_10)}",
        f"orthogonal pairs of a class  {number(found.orthogonal_same_class)}",
        "",
        "inlinks      pages  sibling cousin unrelated  P@10",
        *map(_band_text, found.bands),
    ]
    return "\n".join(map(printable, lines))


def _band_text(band: Band) -> str:
    gammas = f"{number(band.sibling)} {number(band.cousin)}   {number(band.unrelated)}"
    return f"{band.inlinks:9} {band.pages:8,}  {gammas} {number(band.precision_at_10)}"


def number(value: float | None) -> str:
    """Three decimals, or a dash for nothing."""
    return "      -" if value is None else f"{value:7.3f}"
