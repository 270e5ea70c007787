"""A batch of 100 questions against 100 requests.

    python -m bench.questions.batch [--rounds 5] [--write]

The schools crawl is served by one worker. Questions are posted, so that none comes from a cache:
one after the other, over a connection that stays open and over a connection each, and as one batch,
in turns.
"""

import argparse
import http.client
import json
import random
import time
from collections.abc import Callable
from urllib.parse import urlsplit

import pagekin
from bench.indexes import kept_index
from bench.measure import DATA
from bench.questions.first_page import served
from bench.report import machine, table
from bench.tables import put_table

QUESTIONS = 100
FIELDS = "url,title,score"


def main() -> None:
    """Serve, ask, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--write", action="store_true", help="put the table into BENCHMARKS.md")
    options = parser.parse_args()
    index = kept_index(DATA / "schools.warc.gz")
    pages = pagekin.open(index).reader.tables["pages"].scan(["url", "crawled"]).to_pylist()
    urls = random.Random(1).sample([row["url"] for row in pages if row["crawled"]], QUESTIONS)
    rows = []
    with served(index, "--no-access-log", "--no-ahead") as base:
        for name, more in (("all", {}), (FIELDS, {"fields": FIELDS})):
            best = _compared(urlsplit(base).netloc, urls, more, options.rounds)
            rows.append([name, *(f"{each * 1000:.0f}" for each in best)])
            rows[-1] += [f"{each / best[2]:.1f}" for each in best[:2]]
    head = ["fields of hits", "ms of 100 requests", "with a connection each", "ms of a batch"]
    head += ["ratio (target: 3)", "with a connection each"]
    text = f"{machine()}; rounds: {options.rounds}, the best of each.\n\n{table(head, rows)}"
    print(text)
    if options.write:
        put_table("bench.questions.batch", text)


def _compared(host: str, urls: list[str], more: dict[str, str], rounds: int) -> list[float]:
    """The best seconds of requests over one connection, over many, and of a batch."""
    kept = http.client.HTTPConnection(host, timeout=60)

    def single() -> None:
        for url in urls:
            _post(kept, "/api/related", {"url": url, **more})

    def apart() -> None:
        for url in urls:
            client = http.client.HTTPConnection(host, timeout=60)
            _post(client, "/api/related", {"url": url, **more})
            client.close()

    def batch() -> None:
        _post(kept, "/api/batch", {"questions": [{"url": url} for url in urls], **more})

    single()
    times = [[_seconds(each) for each in (single, apart, batch)] for _ in range(rounds)]
    kept.close()
    return [min(column) for column in zip(*times, strict=True)]


def _post(client: http.client.HTTPConnection, path: str, body: dict[str, object]) -> None:
    client.request("POST", path, json.dumps(body), {"content-type": "application/json"})
    response = client.getresponse()
    answer = json.loads(response.read())
    if response.status != 200 or any("error" in each for each in answer.get("answers", [])):
        raise RuntimeError(f"{path}: {response.status} {answer}")


def _seconds(work: Callable[[], None]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


if __name__ == "__main__":
    main()
