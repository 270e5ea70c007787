"""Recall of searches by sketches against an exact scan.

    python recall.py

The crawl is schools three times: as it is, and under two other hosts with a third of each page's
paragraphs left out. That makes too many bags for holders, and pages with near and far relatives.
The strategy is the default.
"""

import gzip
import random
import re
import sys
import tempfile
from pathlib import Path

import pagekin
from bench.measure import DATA, OUT
from bench.memory import HOST, members
from pagekin._core import FEW_BAGS
from pagekin.query.filters import ExclusionLists

__all__ = ["recall"]

COPIES = 10
LEFT_OUT = 1 / 3
QUESTIONS = 400
PARAGRAPH = re.compile(rb"(?=<p[ >])")
LENGTH = re.compile(rb"Content-Length: \d+")
DIGEST = re.compile(rb"WARC-\w+-Digest: .*\r\n")


def main() -> int:
    """Build, query, print."""
    if not (DATA / "schools.warc.gz").exists():
        print(f"skipped: no schools.warc.gz in {DATA}, nothing was measured")
        return 0
    OUT.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=OUT) as folder:
        archives = [write_thinned(number, Path(folder)) for number in range(COPIES)]
        pagekin.build([*map(str, archives)], Path(folder) / "index")
        index = pagekin.open(Path(folder) / "index")
        bags = index.reader.manifest.counts["bags"]
        if bags <= FEW_BAGS:
            raise RuntimeError("the index is so small that it is asked through holders")
        print(f"{bags:,} bags: recall@10 {recall(index):.4f} of {QUESTIONS} pages")
    return 0


def write_thinned(number: int, folder: Path) -> Path:
    """Schools under another host, without some paragraphs; the first copy has them all."""
    path = folder / f"{number}.warc.gz"
    chance = random.Random(number)
    with path.open("wb") as out:
        for member in members(DATA / "schools.warc.gz"):
            record = _thinned(member, LEFT_OUT if number else 0, chance)
            host = HOST.replace(b"schools", b"c%d.schools" % number)
            out.write(gzip.compress(record.replace(HOST, host, 1), compresslevel=1, mtime=0))
    return path


def _thinned(member: bytes, share: float, chance: random.Random) -> bytes:
    head, _, body = member.removesuffix(b"\r\n\r\n").partition(b"\r\n\r\n")
    first, *paragraphs = PARAGRAPH.split(body)
    kept = first + b"".join(each for each in paragraphs if chance.random() >= share)
    head = LENGTH.sub(b"Content-Length: %d" % len(kept), DIGEST.sub(b"", head))
    return b"%b\r\n\r\n%b\r\n\r\n" % (head, kept)


def recall(index: pagekin.Index) -> float:
    """The share of hits that are as good as the tenth best."""
    searcher, chance = index.reader.searcher, random.Random(1)
    rows = searcher.rows()
    found = best = 0
    for _ in range(QUESTIONS):
        shard = chance.randrange(len(rows))
        place = pagekin._core.PageRef(shard, chance.randrange(rows[shard]))
        bag, left_out = searcher.bag(place), ExclusionLists([place])
        sure, quick = (
            searcher.search(bag, pagekin.Filters(k=10, exact=exact).options(left_out)).hits
            for exact in (True, False)
        )
        best += len(sure)
        found += sum(hit.overlap >= sure[-1].overlap for hit in quick)
    return found / best


if __name__ == "__main__":
    sys.exit(main())
