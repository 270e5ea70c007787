"""`pagekin sweep`: many strategies on one crawl, judged by a directory."""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from pagekin.cli.options import add_crawl, directory_of, settings_of
from pagekin.cli.progress import progress_on
from pagekin.cli.summary import printable
from pagekin.crawl import resolve_sources
from pagekin.errors import ExitCode
from pagekin.evaluation.measures import Gamma
from pagekin.evaluation.report import HINT, can_draw, write_report
from pagekin.evaluation.sweep import Grid, Result, Swept, sweep
from pagekin.evaluation.sweep.outcome import best, write_best, write_results

if TYPE_CHECKING:
    from pagekin.cli.types import Commands

__all__ = ["add_to", "run"]


def add_to(commands: "Commands") -> None:
    """Add the command's options."""
    command = commands.add_parser(
        "sweep",
        help="compare many strategies on a crawl",
        description="Compare many strategies on a crawl, judged by a hand-made directory. Given "
        "the same folder again, goes on where it was.",
    )
    add_crawl(command)
    command.add_argument(
        "--grid",
        metavar="paper|FILE.toml",
        default="paper",
        help="the strategies to compare (default: %(default)s)",
    )
    command.add_argument(
        "-o", "--output", metavar="FOLDER", required=True, help="folder for results and report"
    )
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> ExitCode:
    """Sweep, report, and say what was best."""
    grid = Grid.load(options.grid)
    swept = sweep(
        resolve_sources(options.sources, options.base_url),
        directory_of(options),
        grid,
        Path(options.output),
        (settings_of(options), progress_on(sys.stderr)),
    )
    write_results(swept.folder / "results.parquet", swept.results)
    winner = best(swept.results, Gamma())
    if winner is not None:
        write_best(swept.folder / "best.toml", winner, Gamma())
    report = write_report(swept)
    print(_summary(swept, winner, report))
    for failure in swept.kept.failures:
        print(f"pagekin: {printable(str(failure.as_error()))}", file=sys.stderr)
    if not can_draw():
        print(f"pagekin: {HINT}", file=sys.stderr)
    return ExitCode.BAD_INPUT if swept.kept.failures else ExitCode.DONE


def _summary(swept: Swept, winner: Result | None, report: Path) -> str:
    matched = swept.survey.matched
    lines = [
        f"{len(swept.results):,} strategies, {len(matched.ids):,} pages in "
        f"{len(matched.classes):,} classes ({matched.coverage.directory_only:,} pages in the "
        f"directory only, {matched.coverage.crawl_only:,} in the crawl only)",
    ]
    if winner is not None:
        low, high = winner.interval(Gamma())
        found = f"{winner.measure(Gamma()):.3f} ({low:.3f} to {high:.3f})"
        lines.append(f"best: {winner.contender.name}, sibling-gamma {found}")
    lines.append(f"{report}, {report.parent / 'results.parquet'}, {report.parent / 'best.toml'}")
    return "\n".join(map(printable, lines))
