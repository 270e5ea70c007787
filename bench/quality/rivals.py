"""Rivals: ways to score pages by their texts that a person could use instead of pagekin.

tf-idf        cosine of scikit-learn's weights, stop words left out, sublinear
BM25          tantivy: more-like-this with 25 terms for a page, the words of a text for a text
LSA           cosine of a truncated SVD of the tf-idf weights
MiniLM        cosine of sentence embeddings
model2vec     cosine of static embeddings distilled from MiniLM
"""

import re
import shutil
import tempfile
import time
import weakref
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from bench.quality.embeddings import MODELS, embed_pages
from bench.quality.pages import read_texts
from bench.quality.truths.crawls import SharedCrawl

__all__ = ["RIVALS", "WITHOUT", "FittedRival", "Rival", "TextScorer", "removed_with"]

Scores = NDArray[np.float32]
TERMS = 25
_WORD = re.compile(r"\w+")
WITHOUT = "without templates"


class TextScorer(Protocol):
    """Scores of all pages, in order of ids; 0 where there is nothing in common.

    If only the `most` best are wanted, the others may be 0.
    """

    def of_pages(self, rows: Sequence[int], most: int | None = None) -> Scores:
        """How alike each of these pages is to every page."""

    def of_texts(self, texts: Sequence[str], most: int | None = None) -> Scores:
        """How alike each of these texts is to every page."""


class FittedRival(NamedTuple):
    """A rival that knows the pages of a crawl, and the seconds of one core that it took."""

    scorer: TextScorer
    seconds: float


@dataclass(frozen=True, slots=True)
class Rival:
    """A rival by its name in tables, the texts that it reads, and how it learns them."""

    name: str
    fit: Callable[[SharedCrawl, bool], FittedRival]
    templates: bool = True
    neural: bool = False


@dataclass(frozen=True, slots=True)
class _Cosine:
    """Normalised vectors of pages, dense or sparse, and the way from texts to vectors."""

    vectors: Any
    embed: Callable[[Sequence[str]], Any]

    def of_pages(self, rows: Sequence[int], most: int | None = None) -> Scores:
        del most
        return self._alike(self.vectors[[*rows]])

    def of_texts(self, texts: Sequence[str], most: int | None = None) -> Scores:
        del most
        return self._alike(self.embed(texts))

    def _alike(self, queries: Any) -> Scores:
        alike = queries @ self.vectors.T
        return np.asarray(alike.toarray() if hasattr(alike, "toarray") else alike, np.float32)


@cache
def _weighed(crawl: SharedCrawl, templates: bool) -> tuple[_Cosine, float]:
    """The tf-idf weights of all pages, and the seconds they took; LSA begins with them, too."""
    texts = read_texts(crawl, templates=templates).texts
    text = import_module("sklearn.feature_extraction.text")
    start = time.process_time()
    weigher = text.TfidfVectorizer(
        stop_words="english", sublinear_tf=True, min_df=2, dtype=np.float32
    )
    scorer = _Cosine(weigher.fit_transform(texts), weigher.transform)
    return scorer, time.process_time() - start


def with_tfidf(crawl: SharedCrawl, templates: bool) -> FittedRival:
    """Cosine of tf-idf weights."""
    return FittedRival(*_weighed(crawl, templates))


def with_lsa(crawl: SharedCrawl, templates: bool, components: int) -> FittedRival:
    """Latent semantic analysis (Deerwester et al. 1990) of tf-idf weights, whose cost counts."""
    weighed, seconds = _weighed(crawl, templates)
    svd = import_module("sklearn.decomposition").TruncatedSVD(components, random_state=0)
    unit = import_module("sklearn.preprocessing").normalize
    start = time.process_time()
    vectors = unit(svd.fit_transform(weighed.vectors))
    seconds += time.process_time() - start
    return FittedRival(
        _Cosine(vectors, lambda asked: unit(svd.transform(weighed.embed(asked)))), seconds
    )


def removed_with(owner: object) -> Path:
    """A new folder, which is removed when its owner is."""
    folder = Path(tempfile.mkdtemp(prefix="pagekin-"))
    weakref.finalize(owner, shutil.rmtree, folder)
    return folder


class _Bm25:
    """An index of tantivy in a folder that is removed with it."""

    def __init__(self, texts: list[str]) -> None:
        tantivy = import_module("tantivy")
        self._query = tantivy.Query
        schema = tantivy.SchemaBuilder()
        schema.add_text_field("page", stored=True, tokenizer_name="raw")
        schema.add_text_field("text", stored=True, tokenizer_name="en_stem")
        self._index = tantivy.Index(schema.build(), path=str(removed_with(self)))
        writer = self._index.writer(heap_size=512 << 20, num_threads=1)
        for page, text in enumerate(texts):
            writer.add_document(tantivy.Document(page=str(page), text=text))
        writer.commit()
        writer.wait_merging_threads()
        self._index.reload()
        self._searcher = self._index.searcher()
        self._pages = len(texts)
        everything = self._searcher.search(self._query.all_query(), self._pages).hits
        self._numbers = {
            (hit.segment_ord, hit.doc): int(self._searcher.doc(hit)["page"][0])
            for _, hit in everything
        }
        self._addresses = {self._numbers[hit.segment_ord, hit.doc]: hit for _, hit in everything}

    def of_pages(self, rows: Sequence[int], most: int | None = None) -> Scores:
        like = partial(self._query.more_like_this_query, max_query_terms=TERMS)
        return self._scores([like(self._addresses[row]) for row in rows], most)

    def of_texts(self, texts: Sequence[str], most: int | None = None) -> Scores:
        words = [" ".join(_WORD.findall(text.lower())) for text in texts]
        return self._scores([self._index.parse_query(each, ["text"]) for each in words], most)

    def _scores(self, queries: Sequence[Any], most: int | None) -> Scores:
        scores = np.zeros((len(queries), self._pages), dtype=np.float32)
        for row, query in enumerate(queries):
            for score, hit in self._searcher.search(query, most or self._pages, count=False).hits:
                scores[row, self._numbers[hit.segment_ord, hit.doc]] = score
        return scores


def with_bm25(crawl: SharedCrawl, templates: bool) -> FittedRival:
    """Okapi BM25 (Robertson et al. 1994)."""
    texts = read_texts(crawl, templates=templates).texts
    start = time.process_time()
    scorer = _Bm25(texts)
    return FittedRival(scorer, time.process_time() - start)


def with_model(crawl: SharedCrawl, templates: bool, model: str) -> FittedRival:
    """Cosine of embeddings, which are computed once."""
    found = embed_pages(crawl, model, templates=templates)
    return FittedRival(_Cosine(found.vectors, MODELS[model]), found.seconds)


def _rivals() -> list[Rival]:
    ways: dict[str, Callable[[SharedCrawl, bool], FittedRival]] = {
        "tf-idf": with_tfidf,
        "BM25": with_bm25,
        "LSA 50": partial(with_lsa, components=50),
        "LSA 200": partial(with_lsa, components=200),
        **{model: partial(with_model, model=model) for model in MODELS},
    }
    return [
        Rival(name if templates else f"{name}, {WITHOUT}", fit, templates, name in MODELS)
        for templates in (True, False)
        for name, fit in ways.items()
    ]


RIVALS = {rival.name: rival for rival in _rivals()}
"""By name: each with the whole text of pages, and without templates."""
