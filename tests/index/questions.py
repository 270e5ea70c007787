"""Every question that can be asked of an index, each with an answer that can be compared."""

import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pyarrow.parquet as pq

import pagekin
from pagekin import Index
from pagekin.evaluation import SeeAlso
from pagekin.pairs import PairsQuestion
from pagekin.query import Question
from pagekin.sample import sample_directory

TEXT = "garden roses and lightning"
PAGE = b"<title>Roses</title><p>garden roses and lightning"
KEYWORDS = ("garden", "roses")

Ask = Callable[[Index, str], Any]

NOT_QUESTIONS = {"close", "counts", "fitted", "left_out", "path", "reader", "sign", "strategy"}
"""Public names of an index that read no table."""


def untimed(answer: Any) -> Any:
    """An answer without the time it took."""
    return replace(answer, took_ms=0)


def of_file(index: Index, _: str) -> Any:
    with tempfile.NamedTemporaryFile(suffix=".html") as file:
        file.write(PAGE)
        file.flush()
        return index.related_to_file(file.name).hits


def precomputed(index: Index, _: str) -> Any:
    with tempfile.TemporaryDirectory() as folder:
        index.precompute(Path(folder) / "answers.parquet", k=2, threads=1)
        return pq.read_table(Path(folder) / "answers.parquet").to_pylist()


def exported(index: Index, _: str) -> Any:
    with tempfile.TemporaryDirectory() as folder:
        index.export(folder, k=2, threads=1)
        return sorted(path.name for path in Path(folder).rglob("*.json"))


def exported_data(index: Index, url: str) -> Any:
    with tempfile.TemporaryDirectory() as folder:
        told = index.export_data(Path(folder) / "d.json", site=urlsplit(url).netloc, threads=1)
        return told.file.read_text()


def cdxj(index: Index, _: str) -> Any:
    with tempfile.TemporaryDirectory() as folder:
        index.write_cdxj(Path(folder) / "index.cdxj")
        return (Path(folder) / "index.cdxj").read_text()


def dumped(index: Index, _: str) -> Any:
    with tempfile.TemporaryDirectory() as folder:
        index.write_table("postings", Path(folder) / "postings.parquet")
        return pq.read_table(Path(folder) / "postings.parquet").to_pylist()


def related_pages(index: Index, url: str) -> list[str]:
    return [hit.url for hit in index.related(url, k=3).hits]


def classes(index: Index, _: str) -> Any:
    found = index.evaluate(sample_directory())
    return found.gamma, found.precision_at_10


def see_also(index: Index, url: str) -> Any:
    lines = [f"{url}\t{page}" for page in related_pages(index, url)]
    with tempfile.NamedTemporaryFile("w", suffix=".tsv") as file:
        file.write("\n".join(lines))
        file.flush()
        return index.evaluate_see_also(SeeAlso.read(file.name)).as_dict()


QUESTIONS: dict[str, Ask] = {
    "show": lambda index, url: index.show(url),
    "related_many": lambda index, url: [*map(untimed, index.related_many([url], k=2))],
    "related": lambda index, url: untimed(index.related(url)),
    "related_to_text": lambda index, _: untimed(index.related_to_text(TEXT)),
    "related_to_page": lambda index, _: untimed(index.related_to_page(PAGE)),
    "related_to_file": of_file,
    "related_part": lambda index, url: untimed(index.related_part(Question.about(url), offset=3)),
    "search": lambda index, _: untimed(index.search(TEXT)),
    "best_match": lambda index, _: index.best_match(TEXT),
    "recognise_url": lambda index, url: index.recognise_url(url.partition("://")[2]),
    "compare": lambda index, url: index.compare(url, url),
    "captures": lambda index, url: index.captures(url),
    "capture": lambda index, url: index.capture(url),
    "text": lambda index, url: index.text(url),
    "write_cdxj": cdxj,
    "write_table": dumped,
    "neighbourhood": lambda index, url: index.neighbourhood(url, k=2),
    "overview": lambda index, _: index.overview(),
    "languages": lambda index, _: index.languages(),
    "sites": lambda index, _: untimed(index.sites()),
    "site": lambda index, url: untimed(index.site(url)),
    "subjects": lambda index, _: index.subjects(),
    "pairs": lambda index, _: untimed(index.pairs(KEYWORDS)),
    "pairs_part": lambda index, _: untimed(index.pairs_part(PairsQuestion(KEYWORDS), offset=1)),
    "precompute": precomputed,
    "export": exported,
    "export_data": exported_data,
    "evaluate": classes,
    "evaluate_see_also": see_also,
    "evaluate_known_items": lambda index, _: index.evaluate_known_items(5).as_dict(),
    "audit": lambda index, _: replace(index.audit("www.hedgerow.example"), took_ms=0),
    "check": lambda index, _: index.check(),
}


SLOW = ("audit", "export", "evaluate", "evaluate_see_also", "evaluate_known_items")
"""Questions that take a second or more."""


def answer(path: Path, name: str, url: str) -> Any:
    """The answer of an index opened for this question alone; an unknown word is one as well."""
    try:
        return QUESTIONS[name](pagekin.open(path), url)
    except pagekin.errors.UnknownWord as error:
        return str(error)
