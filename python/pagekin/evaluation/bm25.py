"""Okapi BM25 (Robertson et al. 1994) over the words of pages, by bm25s: a rival in the same run."""

import importlib
from collections.abc import Sequence
from typing import Any

import numpy as np

from pagekin import _core
from pagekin.errors import EngineError
from pagekin.evaluation.template_links import page_texts
from pagekin.index import IndexReader

__all__ = ["Bm25"]

Ids = np.ndarray[Any, np.dtype[np.uint64]]


class Bm25:
    """The words and titles of crawled pages, in memory."""

    def __init__(self, index: IndexReader) -> None:
        table = index.tables["pages"].scan(["id", "crawled", "title"])
        crawled = table.column("crawled").to_numpy().astype(bool)
        ids = table.column("id").to_numpy()[crawled]
        titles = dict(
            zip(ids.tolist(), table.filter(crawled).column("title").to_pylist(), strict=True)
        )
        self._ids: Ids = ids
        self._model: Any = _bm25s().BM25()
        texts = (
            _core.words_of(titles[page] or "") + text.split()
            for page, text in page_texts(index, ids)
        )
        self._model.index([*texts], show_progress=False)

    def search(self, texts: Sequence[str], k: int) -> list[Ids]:
        """The best `k` pages for each text; none if no page has a word of it."""
        return [self._search_one(_core.words_of(text), k) for text in texts]

    def _search_one(self, words: list[str], k: int) -> Ids:
        known = [word for word in words if word in self._model.vocab_dict]
        if not known:
            return np.zeros(0, dtype=np.uint64)
        most = min(k, len(self._ids))
        rows, scores = self._model.retrieve([known], k=most, show_progress=False)
        found: Ids = self._ids[rows[0][scores[0] > 0]]
        return found


def _bm25s() -> Any:
    try:
        return importlib.import_module("bm25s")
    except ImportError as error:
        raise EngineError(
            "BM25 needs bm25s, which is not installed",
            advice="pip install 'pagekin[evaluation]'",
        ) from error
