"""Figure 12 of the paper: the time of every step of a build, and the size of every structure.

    python -m bench.build.structures [--crawl schools ...] [--write]

Each crawl is built once with one thread; seconds are on the core. Below stands what a question
costs, the median of 200 pages that are asked about with `index.related`.
"""

import argparse
import random
import statistics
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pagekin
from bench.build.stages import Watch
from bench.measure import DATA
from bench.tables import put_table

CRAWLS = ("schools", "universities", "numpy")
QUESTIONS = 200
STEPS = {
    "read": "fragments: inflate, parse, find windows",
    "compare": "the latest capture of each URL",
    "merge": "merging of fragments to bags",
    "sites": "PageRank and site graphs",
    "lexicon": "lexicon",
    "postings": "postings of search and pairs",
    "concepts": "learning concepts",
    "weigh": "weights and min-hash sketches (H)",
    "invert": "inverted sketches (I)",
    "hold": "inverted lists of bags",
    "pack": "bags packed by terms",
    "publish": "checksums, publishing",
}
TABLES = {
    "bags": "merged bags",
    "sketches": "min-hash sketches (H)",
    "inverse": "inverted sketches (I)",
    "holders": "inverted lists of bags",
    "postings": "postings of search and pairs",
    "texts": "texts of pages, for snippets and quotations",
    "links": "links",
    "pages": "pages",
    "lexicon": "lexicon",
    "loadings": "loadings of concepts",
    "concepts": "names of concepts",
    "ranks": "PageRank",
    "arcs": "arcs of sites",
    "sites": "sites",
    "sums": "checksums of blocks",
}
PAPER = {
    "read": "24 h on three machines, 5,760 µs",
    "merge": "8 h, 640 µs",
    "weigh": "22 h, 1,760 µs",
    "bags": "42 GB, 560 B",
    "sketches": "24 GB, 320 B",
    "inverse": "5 GB, 67 B, without URLs of up to 3 inlinks",
}


@dataclass(frozen=True, slots=True)
class Structures:
    """What a build took and left behind."""

    archive: int
    pages: int
    urls: int
    seconds: dict[str, float]
    sizes: dict[str, int]
    question_ms: float


def main() -> int:
    """Build every crawl, print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--crawl", action="append", help=f"default: {', '.join(CRAWLS)}")
    parser.add_argument("--write", action="store_true", help="put the table into BENCHMARKS.md")
    options = parser.parse_args()
    archives = {name: DATA / f"{name}.warc.gz" for name in options.crawl or CRAWLS}
    if missing := [name for name, path in archives.items() if not path.exists()]:
        print(f"skipped: no {', '.join(missing)} in {DATA}, nothing was measured")
        return 0
    text = table({name: measured(path) for name, path in archives.items()})
    print(text)
    if options.write:
        put_table("bench.build.structures", text)
    return 0


def measured(archive: Path) -> Structures:
    """Build an index in a temporary folder, and ask it."""
    with tempfile.TemporaryDirectory() as folder:
        watch = Watch()
        path = Path(folder) / "index"
        pagekin.build(archive, path, settings=pagekin.Settings(threads=1), progress=watch)
        watch.done()
        with pagekin.open(path) as index:
            manifest = index.reader.manifest
            sizes: Counter[str] = Counter()
            for name, file in manifest.files.items():
                sizes[name.rpartition("-")[0]] += file["bytes"]
            return Structures(
                archive.stat().st_size,
                manifest.counts["pages"],
                manifest.counts["bags"],
                watch.cpu,
                dict(sizes),
                _question(index),
            )


def _question(index: pagekin.Index) -> float:
    pages = index.reader.tables["pages"].scan(["url", "crawled"])
    urls = pages.filter(pages.column("crawled")).column("url").to_pylist()
    taken = []
    for url in random.Random(2002).sample(urls, min(QUESTIONS, len(urls))):
        start = time.process_time()
        index.related(str(url))
        taken.append(1000 * (time.process_time() - start))
    return statistics.median(taken)


def table(found: dict[str, Structures]) -> str:
    """Steps and structures, one column a crawl, with the paper's beside them."""
    crawls = [*found.values()]
    heads = " | ".join(f"{name}, {each.pages:,} pages" for name, each in found.items())
    lines = [f"| | the paper, 45 million pages | {heads} |", "| --- " * (2 + len(crawls)) + "|"]

    def add(name: str, paper: str, cells: list[str]) -> None:
        lines.append(f"| {name} | {paper} | {' | '.join(cells)} |")

    for step, name in STEPS.items():
        cells = [
            f"{each.seconds.get(step, 0):.2f} s, {_micro(each.seconds.get(step, 0), each.pages)}"
            for each in crawls
        ]
        add(name, PAPER.get(step, ""), cells)
    add("a question", "under 3 s", [f"{each.question_ms:.2f} ms" for each in crawls])
    add(
        "the crawl, compressed",
        "100 GB, 2,222 B",
        [_size(each.archive, each.pages) for each in crawls],
    )
    add("URLs", "75 million", [f"{each.urls:,}" for each in crawls])
    known = dict.fromkeys([*TABLES, *(name for each in crawls for name in each.sizes)])
    for name in known:
        cells = [_size(each.sizes.get(name, 0), each.urls) for each in crawls]
        add(TABLES.get(name, name), PAPER.get(name, ""), cells)
    whole = [_size(sum(each.sizes.values()), each.urls) for each in crawls]
    add("the whole index", "", whole)
    return "\n".join(lines)


def _micro(seconds: float, pages: int) -> str:
    return f"{1e6 * seconds / pages:,.0f} µs"


def _size(size: int, rows: int) -> str:
    return f"{size / 1e6:,.1f} MB, {size / rows:,.0f} B"


if __name__ == "__main__":
    raise SystemExit(main())
