"""The cost of an uncached answer of the service, part by part.

    python -m bench.questions.answers [--index FOLDER] [--questions 200] [--rounds 5] [--write]

Milliseconds on the core in one process, without a socket: finding the page, the search, the
reasons, the JSON; then whole requests through the application, beside an empty endpoint.
"""

import argparse
import asyncio
import random
import time
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

import orjson
from starlette.types import ASGIApp, Message

import pagekin
from bench.indexes import kept_index
from bench.measure import DATA
from bench.tables import put_table
from pagekin import Filters
from pagekin.query import Question, resolve
from pagekin.query.related import explain, find
from pagekin.serve.app import create_app
from pagekin.serve.service import Service
from pagekin.serve.settings import ServeSettings

Parts = dict[str, float]


def main() -> int:
    """Query, print."""
    options = _options()
    schools = DATA / "schools.warc.gz"
    if options.index is None and not schools.exists():
        print(f"skipped: no schools in {DATA}, nothing was measured")
        return 0
    index = options.index or kept_index(schools)
    urls = crawled(pagekin.open(index))
    random.Random(2002).shuffle(urls)
    found = questions(pagekin.open(index), urls[: options.questions], options.rounds)
    found |= asyncio.run(requests(index, urls[: options.questions], options.rounds))
    lines = ["| | ms on the core |", "| --- | --- |"]
    text = "\n".join([*lines, *(f"| {name} | {each:.2f} |" for name, each in found.items())])
    print(text)
    if options.write:
        put_table("bench.questions.answers", text)
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--index", type=Path, help="default: one of schools.warc.gz is built")
    parser.add_argument("--questions", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--write", action="store_true", help="put the table into BENCHMARKS.md")
    return parser.parse_args()


def crawled(index: pagekin.Index) -> list[str]:
    """The pages that were fetched."""
    return [
        str(url)
        for batch in index.reader.tables["pages"].batches()
        for url in batch.column("url").filter(batch.column("crawled")).to_pylist()
    ]


def questions(index: pagekin.Index, urls: list[str], rounds: int) -> Parts:
    """The parts of an answer, with one hit more than is shown, as in the service."""
    reader = index.reader
    asked = [resolve(reader, Question.about(url)) for url in urls]
    found = [find(reader, each, Filters(k=11)).hits[:10] for each in asked]
    hits = [explain(reader, one, hit) for one, hit in zip(asked, found, strict=True)]
    parts: dict[str, Callable[[int], object]] = {
        "finding the page": lambda n: resolve(reader, Question.about(urls[n])),
        "the search": lambda n: find(reader, asked[n], Filters(k=11)),
        "the reasons of ten hits": lambda n: explain(reader, asked[n], found[n]),
        "their JSON": lambda n: orjson.dumps(hits[n]),
    }
    return {name: _best(ask, len(urls), rounds) for name, ask in parts.items()}


def _best(ask: Callable[[int], object], count: int, rounds: int) -> float:
    """Milliseconds of a question, in the best of some rounds."""
    taken = []
    for _ in range(rounds):
        start = time.process_time()
        for number in range(count):
            ask(number)
        taken.append(1000 * (time.process_time() - start) / count)
    return min(taken)


async def requests(index: Path, urls: list[str], rounds: int) -> Parts:
    """Whole requests. Tiny minimum scores leave nothing out, but make each request new."""
    app = create_app(Service.open(ServeSettings(index=str(index))))
    best = {"a whole request": float("inf"), "an empty endpoint": float("inf")}
    for number in range(rounds):
        asked = [
            f"url={quote(url, '')}&min_score={number / 1e9 + at / 1e12:.12f}"
            for at, url in enumerate(urls)
        ]
        for name, path, queries in (
            ("a whole request", "/api/related", asked),
            ("an empty endpoint", "/api/health", [""] * len(urls)),
        ):
            start = time.process_time()
            for query in queries:
                await get(app, path, query)
            taken = 1000 * (time.process_time() - start) / len(urls)
            best[name] = min(best[name], taken)
    return best


async def get(app: ASGIApp, path: str, query: str) -> None:
    """One request; it must be answered."""
    sent: list[Message] = []

    async def receive() -> Message:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Message) -> None:
        sent.append(message)

    scope = {
        "type": "http",
        "method": "GET",
        "path": path,
        "query_string": query.encode(),
        "headers": [],
    }
    await app(scope, receive, send)
    if sent[0]["status"] != 200:
        raise RuntimeError(f"{path}?{query}: status {sent[0]['status']}")


if __name__ == "__main__":
    raise SystemExit(main())
