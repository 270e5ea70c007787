"""Known items of a crawl: drawn once, because every system is asked the same texts."""

import json
import tempfile
from pathlib import Path

from bench.quality.truths.crawls import SharedCrawl
from pagekin.evaluation.truths.known_items import KnownItem, draw_known_items
from pagekin.index import IndexReader

__all__ = ["known_texts"]

TEXTS = 300
"""Known items of each kind."""
SEED = 0


def known_texts(crawl: SharedCrawl, index: IndexReader) -> dict[str, list[KnownItem]]:
    """The texts by kind."""
    path = crawl.truths / "known-items.json"
    if not path.exists():
        crawl.truths.mkdir(parents=True, exist_ok=True)
        drawn = draw_known_items(index, TEXTS, SEED).items
        rows = {kind: [[item.page, item.text] for item in items] for kind, items in drawn.items()}
        with tempfile.TemporaryDirectory(dir=crawl.truths) as folder:
            draft = Path(folder) / path.name
            draft.write_text(json.dumps(rows), encoding="utf-8")
            draft.replace(path)
    found = json.loads(path.read_text(encoding="utf-8"))
    return {kind: [KnownItem(*row) for row in items] for kind, items in found.items()}
