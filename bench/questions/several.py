"""Ten indexes of a tenth of a crawl each, asked together, beside one index of all.

    python -m bench.questions.several [--crawl schools.warc.gz] [--questions 500] [--write]

The parts take every tenth record, so most links lead from one part to another, and are built with
the model of the index of all. Overlap is the share of the first ten hits of the one index that the
ten have among theirs; equal is the share of questions with the same hits and scores. Times are of
`index.related` in one process, alternately.
"""

import argparse
import random
import tempfile
import time
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from warcio.archiveiterator import ArchiveIterator

import pagekin
from bench.measure import DATA
from bench.tables import put_table
from pagekin.strategy import presets

PARTS = 10
STRATEGIES = ("content", "concepts")


class Found(NamedTuple):
    """What one strategy gives."""

    equal: float
    overlap: float
    core: tuple[float, float]
    clock: tuple[float, float]


def main() -> int:
    """Build, query, print."""
    options = _options()
    crawl = DATA / options.crawl
    if not crawl.exists():
        print(f"skipped: no {options.crawl} in {DATA}, nothing was measured")
        return 0
    lines = [
        "| | equal | overlap | ms on the core, one | ten | ratio | ratio by the clock |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        files = split(crawl, Path(folder))
        for strategy in STRATEGIES:
            found = measured(crawl, files, Path(folder) / strategy, strategy, options.questions)
            one, ten = found.core
            lines.append(
                f"| {strategy} | {found.equal:.3f} | {found.overlap:.3f} | {one:.2f} | {ten:.2f} "
                f"| {ten / one:.2f} | {found.clock[1] / found.clock[0]:.2f} |"
            )
    text = "\n".join([f"{crawl.name.partition('.')[0]}, {options.questions:,} pages.", "", *lines])
    print(text)
    if options.write:
        put_table("bench.questions.several", text)
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--crawl", default="schools.warc.gz", help="a crawl of the shared data")
    parser.add_argument("--folder", type=Path, help="where to build (default: a temporary one)")
    parser.add_argument("--questions", type=int, default=500)
    parser.add_argument("--write", action="store_true", help="put the table into BENCHMARKS.md")
    return parser.parse_args()


def split(crawl: Path, folder: Path) -> list[Path]:
    """Files with every tenth record each."""
    paths = [folder / f"part-{number}.warc.gz" for number in range(PARTS)]
    with crawl.open("rb") as stream:
        records = ArchiveIterator(stream)
        starts = [records.get_record_offset() for _ in records]
    content = crawl.read_bytes()
    places = [*pairwise([*starts, len(content)])]
    for number, path in enumerate(paths):
        parts = (content[start:end] for start, end in places[number::PARTS])
        path.write_bytes(b"".join(parts))
    return paths


def measured(crawl: Path, files: list[Path], folder: Path, strategy: str, questions: int) -> Found:
    """Build with one strategy, and compare the answers to questions about random pages."""
    whole, parts = folder / "whole", [folder / file.stem for file in files]
    pagekin.build(crawl, whole, strategy=presets()[strategy])
    for file, part in zip(files, parts, strict=True):
        pagekin.build(file, part, model=whole)
    indexes = pagekin.open(whole), pagekin.open(parts)
    urls = crawled(indexes[0])
    random.Random(2002).shuffle(urls)
    equal = overlap = hits = 0
    core, clock = [0.0, 0.0], [0.0, 0.0]
    for url in urls[:questions]:
        answers = []
        for number, index in enumerate(indexes):
            index.related(url)
            cpu, start = time.process_time(), time.perf_counter()
            answers.append([(hit.url, hit.score) for hit in index.related(url)])
            core[number] += time.process_time() - cpu
            clock[number] += time.perf_counter() - start
        one, ten = answers
        equal += one == ten
        overlap += len({url for url, _ in one} & {url for url, _ in ten})
        hits += len(one)
    asked = len(urls[:questions])
    each = [1000 * spent / asked for spent in core], [1000 * spent / asked for spent in clock]
    (one_core, ten_core), (one_clock, ten_clock) = each
    return Found(equal / asked, overlap / hits, (one_core, ten_core), (one_clock, ten_clock))


def crawled(index: pagekin.Index) -> list[str]:
    """The pages that were fetched."""
    return [
        str(url)
        for batch in index.reader.tables["pages"].batches()
        for url in batch.column("url").filter(batch.column("crawled")).to_pylist()
    ]


if __name__ == "__main__":
    raise SystemExit(main())
