"""Related pages by pagekin and other tools, measured by one directory on the same pages.

    make quality                                      what it needs, then everything
    cd bench && python -m quality [--write] [--again]

Scores are kept in bench/out/quality and used again unless `--again` is given. Embedding takes a few
minutes. Nothing of this is needed to run pagekin.
"""

import argparse
import json
import sys
from importlib.metadata import version

import numpy as np

from bench.measure import BENCH, DATA, child_output
from bench.quality.pages import CRAWL, FOLDER, Judged
from bench.quality.picture import draw
from bench.quality.verdict import MEASURES, Verdict, counts_of, verdicts
from bench.quality.ways import ROUNDS, WAYS, index_of
from bench.tables import put_table
from pagekin.evaluation.truths.matching import MatchedPages, split
from pagekin.strategy import DEFAULT

PAPER = "paper-best"
RIVAL = "MiniLM"
OURS = (PAPER, DEFAULT)
PARTS = ("The classes that `pagekin tune` holds back", "All classes")
FASTER = 100
SEED = 0
"""Of `pagekin tune`: which classes it holds back."""


def main() -> int:
    """Run what has no results yet, evaluate, print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--write", action="store_true", help="put table and picture in their place")
    parser.add_argument("--again", action="store_true", help="run what was run before, too")
    options = parser.parse_args()
    if not CRAWL.exists():
        print(f"skipped: no schools.warc.gz in {DATA}, nothing was measured")
        return 0
    FOLDER.mkdir(parents=True, exist_ok=True)
    costs = {name: cost(name, again=options.again) for name in (*OURS, *WAYS)}
    everything = Judged(index_of(PAPER)).matched
    held_back = split(everything, SEED).held_back
    judged = [judge(costs, part, everything) for part in (held_back, everything)]
    text = "\n\n".join(
        [_versions(), speed(costs), *(markdown(*pair) for pair in zip(judged, PARTS, strict=True))]
    )
    print(text)
    if options.write:
        put_table("bench.quality", text)
        draw(judged[0], OURS, BENCH.parent / "docs" / "quality.svg")
    return 0


def cost(name: str, *, again: bool) -> float:
    """Milliseconds of one core per page; afterwards the scores are on disk."""
    kept = FOLDER / f"{name}.json"
    if again or not kept.exists():
        print(f"running: {name}", file=sys.stderr)
        output = child_output([sys.executable, "-m", "bench.quality.ways", name], cores=1)
        kept.write_text(output, encoding="utf-8")
    return milliseconds(name, "represent")


def milliseconds(name: str, part: str) -> float:
    """Milliseconds per page of a part of a method."""
    kept = (FOLDER / f"{name}.json").read_text(encoding="utf-8")
    parts = json.loads(kept)["parts"]
    return float(1000 * parts[part] / parts["pages"])


def speed(costs: dict[str, float]) -> str:
    """The speed relative to the rival."""
    bags = costs[DEFAULT]
    index = bags + milliseconds(DEFAULT, "index")
    return (
        f"While {RIVAL} represents one page, `{DEFAULT}` represents {costs[RIVAL] / bags:.0f} "
        f"(target: at least {FASTER})\nor indexes {costs[RIVAL] / index:.0f} "
        f"({index:.2f} ms per page). Best of {ROUNDS} rounds each."
    )


def judge(costs: dict[str, float], part: MatchedPages, everything: MatchedPages) -> list[Verdict]:
    """Every method on a part of the directory."""
    counts = {name: counts_of(np.load(FOLDER / f"{name}.npy"), part, everything) for name in costs}
    return verdicts(counts, costs, RIVAL)


def markdown(judged: list[Verdict], part: str) -> str:
    """The table of one part."""
    heads = " | ".join(f"{measure} | against {RIVAL}" for measure in MEASURES)
    lines = [
        f"{part}:",
        "",
        f"| | ms per page | {heads} |",
        f"| --- | --- |{' --- | --- |' * len(MEASURES)}",
    ]
    return "\n".join([*lines, *map(_row, judged)])


def _row(verdict: Verdict) -> str:
    cells = [verdict.name, f"{verdict.milliseconds:.2f}"]
    for found in verdict.measured:
        low, high = found.gain_interval
        cells.append(f"{found.value:.3f}")
        cells.append("" if verdict.name == RIVAL else f"{low:+.3f} to {high:+.3f}")
    return f"| {' | '.join(cells)} |"


def _versions() -> str:
    names = ("datasketch", "tantivy", "scikit-learn", "sentence-transformers", "torch")
    return ", ".join(f"{name} {version(name)}" for name in names)


if __name__ == "__main__":
    sys.exit(main())
