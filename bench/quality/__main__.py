"""The scoreboard: pagekin's presets and its rivals, on every crawl and by every truth it has.

    make quality                               everything but neural rivals
    make quality-neural                        these, too; installs torch
    python -m bench.quality [--neural] [--crawl NAME]... [--anew] [--write]

Two processes judge, a crawl and some systems each. Results are kept in bench/out as soon as they
are there: the same command goes on where it was stopped. After a change of the program or of the
benchmark everything is judged anew.
"""

import argparse
import sys
from collections.abc import Sequence

from bench.measure import BENCH, DATA
from bench.quality.picture import draw
from bench.quality.rivals import RIVALS
from bench.quality.runs import forget, judge_missing, read_cost, read_result
from bench.quality.scoreboard import Board, in_short, markdown, told
from bench.quality.systems import STRATEGIES
from bench.quality.truths.crawls import CRAWLS, SharedCrawl
from bench.tables import put_table

NAMES = (*STRATEGIES, *RIVALS)


def main() -> int:
    """Judge, print, and put the results in their place."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--neural", action="store_true", help="also judge neural rivals")
    parser.add_argument(
        "--crawl", choices=CRAWLS, action="append", help="judge on this crawl alone (repeatable)"
    )
    parser.add_argument("--anew", action="store_true", help="forget the results of earlier starts")
    parser.add_argument("--write", action="store_true", help="put tables and picture in place")
    options = parser.parse_args()
    if options.write and options.crawl:
        parser.error("--write needs every crawl")
    wanted = [CRAWLS[name] for name in options.crawl or CRAWLS]
    crawls = [crawl for crawl in wanted if crawl.archive.exists()]
    if not crawls:
        print(f"skipped: no crawl in {DATA}, nothing was measured")
        return 0
    if options.anew:
        forget(crawls)
    judge_missing(crawls, [name for name in NAMES if options.neural or not _is_neural(name)])
    cost, board = read_cost(), _board(crawls)
    text = markdown(board, cost)
    print(text)
    if options.write:
        put_table("bench.quality", text)
        put_table("bench.quality", in_short(board), BENCH.parent / "README.md")
        draw(board, BENCH.parent / "docs" / "quality.svg")
    print(f"judged in {told(cost)}", file=sys.stderr)
    return 0


def _is_neural(name: str) -> bool:
    return name in RIVALS and RIVALS[name].neural


def _board(crawls: Sequence[SharedCrawl]) -> Board:
    """Every result that there is, in the order of tables."""
    found = {crawl.name: {name: read_result(crawl, name) for name in NAMES} for crawl in crawls}
    return {
        crawl: {name: judged for name, judged in results.items() if judged}
        for crawl, results in found.items()
    }


if __name__ == "__main__":
    sys.exit(main())
