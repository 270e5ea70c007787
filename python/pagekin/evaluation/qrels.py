"""A directory as TREC's qrels: `query 0 page grade`, a row a pair, so that other tools can judge.

Grades: 3 the same class, 2 sibling, 1 cousin. Unrelated pages are left out, as qrels leave out
what is not relevant.
"""

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from pagekin.evaluation.matching import Matched
from pagekin.files import writing
from pagekin.index import IndexReader

__all__ = ["write_qrels"]

_GRADES = (3, 2, 1)


def write_qrels(path: Path, index: IndexReader, matched: Matched) -> int:
    """Write the rows of every query page; returns how many."""
    rows = 0
    with writing("the qrels", path), path.open("w", encoding="utf-8") as out:
        for lines, count in _rows(index, matched):
            out.write(lines)
            rows += count
    return rows


def _rows(index: IndexReader, matched: Matched) -> Iterator[tuple[str, int]]:
    found = index.tables["pages"].select(matched.ids)
    urls = [url for batch in found for url in batch.column("url").to_pylist()]
    for query, url in enumerate(urls):
        relations = np.frombuffer(matched.family.relations(query), dtype=np.uint8)
        related = np.flatnonzero(relations < len(_GRADES))
        others = related[related != query].tolist()
        yield (
            "".join(f"{url} 0 {urls[other]} {_GRADES[relations[other]]}\n" for other in others),
            len(others),
        )
