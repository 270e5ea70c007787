"""`pagekin tune`: a search for the best strategy for a crawl."""

import argparse
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from pagekin.cli.options import add_crawl, directory_of, settings_of
from pagekin.cli.progress import progress_on
from pagekin.cli.summary import printable
from pagekin.cli.values import count
from pagekin.crawl import resolve_sources
from pagekin.errors import ExitCode
from pagekin.evaluation.kept.pages import keep
from pagekin.evaluation.kept.survey import survey
from pagekin.evaluation.measures import Gamma, measure
from pagekin.evaluation.sweep import Contender
from pagekin.evaluation.tune import Comparison, Halves, Search, Tuned, Workbench, split, tune
from pagekin.files import refuse_folder, write_whole, writing
from pagekin.strategy import Strategy

if TYPE_CHECKING:
    from pagekin.cli.types import Commands

__all__ = ["add_to", "run", "verdict"]


def add_to(commands: "Commands") -> None:
    """Add the command's options."""
    command = commands.add_parser(
        "tune",
        help="search the best strategy for a crawl",
        description="Search the best strategy for a crawl. Half of the directory's classes are "
        "tuned on, half are held back to tell how good it is.",
    )
    add_crawl(command)
    command.add_argument(
        "-o", "--output", metavar="STRATEGY.toml", required=True, help="file to write"
    )
    command.add_argument(
        "--trials", type=count, default=100, help="strategies to try (default: %(default)s)"
    )
    command.add_argument(
        "--measure",
        default=str(Gamma()),
        help="what to make as large as possible, for example unrelated-gamma or P@10 "
        "(default: %(default)s)",
    )
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> ExitCode:
    """Search, write what was found, and say how good it is."""
    search = Search(measure(options.measure), options.trials, options.seed)
    output = Path(options.output)
    refuse_folder("the strategy", output)
    with writing("the strategy", output):
        with tempfile.TemporaryDirectory(prefix=".tune-", dir=output.parent) as folder:
            tuned, halves = _search(options, search, Path(folder))
        written = _write(output, tuned, search)
    print("\n".join(map(printable, _lines(tuned, halves, search, written))))
    return ExitCode.DONE


def _search(options: argparse.Namespace, search: Search, folder: Path) -> tuple[Tuned, Halves]:
    progress, settings = progress_on(sys.stderr), settings_of(options)
    directory = directory_of(options)
    sources = resolve_sources(options.sources, options.base_url)
    kept = keep(sources, folder, settings, progress)
    for failure in kept.failures:
        print(f"pagekin: {printable(str(failure.as_error()))}", file=sys.stderr)
    seen = survey(kept, folder, directory, settings.threads)
    halves = split(seen.matched, search.seed)
    with Workbench(seen, folder, settings.threads) as bench:
        return tune(bench, halves, search, progress), halves


def _write(output: Path, tuned: Tuned, search: Search) -> list[Path]:
    """The strategy; and those of the bands, if choosing by band wins."""
    files = {output: tuned.strategy}
    if tuned.bands.kept:
        for name, strategy in tuned.bands.strategies.items():
            files[output.with_suffix(f".{name}{output.suffix}")] = strategy
    for path, strategy in files.items():
        write_whole(path, f"{_comment(tuned, search)}\n{strategy.to_toml()}")
    return [*files]


def _comment(tuned: Tuned, search: Search) -> str:
    held = tuned.held_back
    return (
        f"# {search.measure} {held.value:.3f} ({held.interval[0]:.3f} to {held.interval[1]:.3f}) "
        f"on classes held back; seed {search.seed}, {search.trials} trials\n"
    )


def _lines(tuned: Tuned, halves: Halves, search: Search, written: list[Path]) -> list[str]:
    held, name = tuned.held_back, _name(tuned.strategy)
    return [
        f"tuned on {len(halves.tuning.ids):,} pages in {len(halves.tuning.classes):,} classes, "
        f"judged on {len(halves.held_back.ids):,} in {len(halves.held_back.classes):,} others "
        f"({halves.left_out:,} pages in both left out)",
        f"best of {tuned.trials:,}: {name}",
        f"{search.measure} where it was tuned {tuned.tuned_on:.3f}, on the classes held back "
        f"{held.value:.3f} ({held.interval[0]:.3f} to {held.interval[1]:.3f})",
        f"the default strategy there: {tuned.default:.3f}; gain {held.gain:+.3f} "
        f"({held.gain_interval[0]:+.3f} to {held.gain_interval[1]:+.3f}): "
        f"{verdict(held)}",
        *_band_lines(tuned),
        f"written: {', '.join(map(str, written))}",
    ]


def verdict(held: Comparison) -> str:
    """What the classes held back say of the search."""
    if held.wins:
        return "better than the default"
    return "worse than the default: keep that" if held.loses else "no sure gain over the default"


def _band_lines(tuned: Tuned) -> list[str]:
    bands = tuned.bands
    held = bands.held_back
    gain = f"{held.gain:+.3f} ({held.gain_interval[0]:+.3f} to {held.gain_interval[1]:+.3f})"
    if not bands.kept:
        return [f"another strategy for each band of in-degree gains {gain}: not kept"]
    return [
        f"another strategy for each band of in-degree gains {gain}: kept",
        *(f"  {name} inlinks: {_name(each)}" for name, each in bands.strategies.items()),
    ]


def _name(strategy: Strategy) -> str:
    frequency = strategy.frequency
    mu = f" (mu {frequency.mu:.3f}, sigma {frequency.sigma:.3f})" if frequency.mu else ""
    return Contender(strategy, "jaccard").name + mu
