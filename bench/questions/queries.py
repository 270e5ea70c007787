"""Queries per second and recall, compared with tantivy's more-like-this.

    python -m bench.questions.queries [--pages 100000] [--questions 1000] [--write]

The pages are put together from the articles of `schools.warc.gz`, a few dozen passages of one
article each, so that every page has others that are about the same thing. Both systems index the
same texts and are asked about the same pages from Python, one after another, on one core.
"""

import argparse
import gzip
import json
import random
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import tantivy

import pagekin
from bench.indexes import strategy_of
from bench.measure import DATA, OUT, child_output
from bench.tables import put_table
from pagekin import _core
from pagekin.query.filters import ExclusionLists
from pagekin.strategy import presets

PASSAGE = 12
PASSAGES = 45
"""Passages of a page, and words of a passage: about 230 distinct terms."""
STRATEGY = presets()["content"]
TERMS = 25
HITS = 10


def main() -> int:
    """Make the pages if they are not there, measure in a process of its own, print."""
    options = _options()
    schools = DATA / "schools.warc.gz"
    if not schools.exists():
        print(f"skipped: no schools in {DATA}, nothing was measured")
        return 0
    folder = OUT / f"questions-{options.pages}"
    if options.measure:
        print(json.dumps(measure(folder, options.questions)))
        return 0
    if strategy_of(folder / "pages.index") != STRATEGY or not (folder / "done").exists():
        prepare(folder, schools, options.pages)
    words = ["--measure", "--pages", str(options.pages), "--questions", str(options.questions)]
    found = json.loads(
        child_output([sys.executable, "-m", "bench.questions.queries", *words], cores=1)
    )
    text = markdown(found, options.pages)
    print(text)
    if options.write:
        put_table("bench.questions.queries", text)
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--pages", type=int, default=100_000)
    parser.add_argument("--questions", type=int, default=1_000)
    parser.add_argument("--write", action="store_true", help="put the table into BENCHMARKS.md")
    parser.add_argument("--measure", action="store_true", help=argparse.SUPPRESS)
    return parser.parse_args()


def prepare(folder: Path, schools: Path, pages: int) -> None:
    """Write the pages and index them twice."""
    folder.mkdir(parents=True, exist_ok=True)
    pagekin.build(schools, folder / "schools.index", strategy=STRATEGY)
    texts = list(texts_of(folder / "schools.index", pages))
    with gzip.open(folder / "pages.warc.gz", "wb", compresslevel=1) as warc:
        for number, text in enumerate(texts):
            warc.write(_record(_url(number), text))
    pagekin.build(folder / "pages.warc.gz", folder / "pages.index", strategy=STRATEGY)
    _index_with_tantivy(folder / "tantivy", texts)
    (folder / "done").touch()


def texts_of(index: Path, pages: int) -> Iterator[str]:
    """Pages put together from the passages of an article, one article after another."""
    rng = random.Random(2002)
    articles = [
        _core.words_of(text)
        for batch in pagekin.open(index).reader.tables["texts"].batches()
        for text in batch.column("text").to_pylist()
        if text
    ]
    long = [words for words in articles if len(words) > PASSAGE * PASSAGES]
    for number in range(pages):
        words = long[number % len(long)]
        starts = sorted(rng.randrange(len(words) - PASSAGE) for _ in range(PASSAGES))
        yield " ".join(" ".join(words[start : start + PASSAGE]) for start in starts)


def _url(number: int) -> str:
    return f"http://pages.example/{number}"


def _record(url: str, text: str) -> bytes:
    http = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n<p>" + text.encode()
    head = f"WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\n"
    kind = "Content-Type: application/http; msgtype=response\r\n"
    return f"{head}{kind}Content-Length: {len(http)}\r\n\r\n".encode() + http + b"\r\n\r\n"


def _index_with_tantivy(folder: Path, texts: list[str]) -> None:
    folder.mkdir(exist_ok=True)
    schema = tantivy.SchemaBuilder()
    schema.add_text_field("url", stored=True, tokenizer_name="raw")
    schema.add_text_field("text", stored=True, tokenizer_name="en_stem")
    index = tantivy.Index(schema.build(), path=str(folder))
    writer = index.writer(heap_size=512 << 20, num_threads=1)
    for number, text in enumerate(texts):
        writer.add_document(tantivy.Document(url=_url(number), text=text))
    writer.commit()
    writer.wait_merging_threads()


def measure(folder: Path, questions: int) -> dict[str, float]:
    """Seconds per query of each system, and the recall of pagekin."""
    index = pagekin.open(folder / "pages.index")
    rng = random.Random(7)
    numbers = rng.sample(range(index.reader.manifest.counts["pages"]), questions)
    places = [index.reader.searcher.find(pagekin._core.url_id(_url(number))) for number in numbers]
    search = _searching(index, exact=False)
    found = {
        "pagekin": _seconds(search, places),
        "pagekin, why": _seconds(index.related, [*map(_url, numbers)]),
        "tantivy": _seconds(*_asking_tantivy(folder / "tantivy", numbers)),
    }
    sure, some = _searching(index, exact=True), places[: questions // 5]
    found["pagekin, exact"] = _seconds(sure, some)
    found["recall"] = sum(_recall(search(place), sure(place)) for place in some) / len(some)
    found["tenth"] = sorted(sure(place)[-1].overlap for place in some)[len(some) // 2]
    return found


def _searching(index: pagekin.Index, *, exact: bool) -> Callable[[Any], list[_core.ScoredPage]]:
    filters = pagekin.Filters(k=HITS, exact=exact, copy_score=1.0)

    def search(place: _core.PageRef) -> list[_core.ScoredPage]:
        searcher, options = index.reader.searcher, filters.options(ExclusionLists([place]))
        return searcher.search(searcher.bag(place), options).hits

    return search


def _recall(found: list[_core.ScoredPage], best: list[_core.ScoredPage]) -> float:
    """The share of hits that are as good as the last of the best."""
    return sum(hit.overlap >= best[-1].overlap for hit in found) / len(best)


def _asking_tantivy(folder: Path, numbers: list[int]) -> tuple[Callable[[Any], Any], list[Any]]:
    index = tantivy.Index.open(str(folder))
    searcher = index.searcher()

    def address(number: int) -> Any:
        query = tantivy.Query.term_query(index.schema, "url", _url(number))
        return searcher.search(query, 1).hits[0][1]

    def ask(page: Any) -> list[Any]:
        query = tantivy.Query.more_like_this_query(page, max_query_terms=TERMS)
        hits = searcher.search(query, HITS + 1, count=False).hits
        return [searcher.doc(hit) for _, hit in hits]

    return ask, [address(number) for number in numbers]


def _seconds(ask: Callable[[Any], Any], questions: list[Any]) -> float:
    """Core time of a query in seconds: the best of three rounds."""
    best = float("inf")
    for _ in range(3):
        start = time.process_time()
        for question in questions:
            ask(question)
        best = min(best, (time.process_time() - start) / len(questions))
    return best


def markdown(found: dict[str, float], pages: int) -> str:
    """The table."""
    tenth = found["tenth"] / (2 * pagekin._core.TOTAL - found["tenth"])
    lines = [
        f"{pages:,} pages, one core, {HITS} hits; the median tenth page is {tenth:.2f} similar.",
        "",
        "| | ms per query | queries per second, tantivy = 1 | recall@10 |",
        "| --- | --- | --- | --- |",
    ]
    for name, recall in (
        ("pagekin", f"{found['recall']:.3f}"),
        ("pagekin, why", ""),
        ("pagekin, exact", "1"),
        ("tantivy", ""),
    ):
        ratio = found["tantivy"] / found[name]
        lines.append(f"| {name} | {found[name] * 1000:.2f} | {ratio:.2f} | {recall} |")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
