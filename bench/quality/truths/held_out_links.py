"""Held-out links: pages that a page names side by side, while its links are left out of evidence.

A tenth of the linking pages of a crawl is drawn with a seed. The pairs are found once; whoever uses
links as evidence is built again without those of the drawn pages. The truth prefers the specific.
"""

import tempfile
from pathlib import Path

import numpy as np

import pagekin
from bench.quality.truths.crawls import SharedCrawl
from pagekin.errors import SeeAlsoError
from pagekin.evaluation.truths.see_also import MatchedSeeAlso, SeeAlso, match_see_also
from pagekin.work.outcome import HELD_OUT_LINKS
from pagekin.work.settings import HoldOut

__all__ = ["HOLD_OUT", "held_out_links"]

HOLD_OUT = HoldOut(0.1, 0)
QUERIES = 1000
"""Query pages of a crawl, about."""


def held_out_links(crawl: SharedCrawl) -> MatchedSeeAlso | None:
    """The pairs of a crawl, for some of the query pages; nothing if no page names two others."""
    path = crawl.truths / "held-out-links.npz"
    if not path.exists():
        crawl.truths.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=crawl.truths) as folder:
            pairs = _find(crawl, Path(folder) / "index")
            draft = Path(folder) / path.name
            np.savez(draft, queries=pairs.queries, related=pairs.related, linked=pairs.linked)
            draft.replace(path)
    found = np.load(path)
    pairs = MatchedSeeAlso(found["queries"], found["related"], found["linked"], {}, 0)
    # Ids are hashes: every Nth is as good as a draw.
    queries = np.unique(pairs.queries)
    asked = queries[:: max(len(queries) // QUERIES, 1)]
    return pairs.only(np.isin(pairs.queries, asked)) if len(asked) else None


def _find(crawl: SharedCrawl, path: Path) -> MatchedSeeAlso:
    built = pagekin.build(
        crawl.archive, path, settings=pagekin.Settings(threads=1, hold_out=HOLD_OUT)
    )
    held_out = built.held_out_pages, built.held_out_pairs
    try:
        truth = SeeAlso.held_out(*held_out, what=HELD_OUT_LINKS)
        return match_see_also(pagekin.open(path).reader, truth)
    except SeeAlsoError:
        none = np.zeros(0, dtype=np.uint64)
        return MatchedSeeAlso(none, none, np.zeros(0, dtype=bool), {}, 0)
