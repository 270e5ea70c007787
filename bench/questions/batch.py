"""A batch of 100 questions against 100 requests.

    python -m bench.questions.batch [--rounds 5] [--write]

The schools crawl is served by one worker. Questions are posted, so that none comes from a cache:
one after the other over a connection that stays open, and as one batch, in turns.
"""

import argparse
import http.client
import json
import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pagekin
from bench.indexes import kept_index
from bench.measure import DATA, Sample, busy_seconds, worker_seconds
from bench.report import clock_ratio, machine, on_core, ratio, table
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
    with _served(index) as (base, worker):
        for name, more in (("all", {}), (FIELDS, {"fields": FIELDS})):
            rows.append([name, *_compared(urlsplit(base).netloc, worker, (urls, more), options)])
    head = ["fields of hits", "ms on the core of 100 requests and of a batch", "ratio (spread)"]
    text = f"{machine()}; rounds: {options.rounds}.\n\n"
    text += table([*head, "by the clock (target: 3)"], rows)
    print(text)
    if options.write:
        put_table("bench.questions.batch", text)


@contextmanager
def _served(index: Path) -> Iterator[tuple[str, int]]:
    """A service; gives its address, and the process id of its worker."""
    options = ["--port", "0", "--no-access-log", "--no-ahead", "--json"]
    words = [sys.executable, "-m", "pagekin", "serve", str(index), *options]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process:
        line = process.stdout.readline() if process.stdout else ""
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text()
        try:
            yield json.loads(line)["address"], int(children)
        finally:
            process.terminate()


def _compared(
    host: str, worker: int, asked: tuple[list[str], dict[str, str]], options: argparse.Namespace
) -> list[str]:
    """Requests one by one, and as a batch, in turns."""
    client = http.client.HTTPConnection(host, timeout=60)
    urls, more = asked

    def single() -> None:
        for url in urls:
            _post(client, "/api/related", {"url": url, **more})

    def batch() -> None:
        _post(client, "/api/batch", {"questions": [{"url": url} for url in urls], **more})

    single()
    times = [(_sample(single, worker), _sample(batch, worker)) for _ in range(options.rounds)]
    client.close()
    singles, batches = [one for one, _ in times], [other for _, other in times]
    both = (f"{min(map(on_core, each)) * 1000:.0f}" for each in (singles, batches))
    ratios = ratio(singles, batches, on_core), clock_ratio(singles, batches)
    return [" and ".join(both), *ratios]


def _post(client: http.client.HTTPConnection, path: str, body: dict[str, object]) -> None:
    client.request("POST", path, json.dumps(body), {"content-type": "application/json"})
    response = client.getresponse()
    answer = json.loads(response.read())
    if response.status != 200 or any("error" in each for each in answer.get("answers", [])):
        raise RuntimeError(f"{path}: {response.status} {answer}")


def _sample(work: Callable[[], None], worker: int) -> Sample:
    """How long it took, and how long the worker was on the core."""
    start, busy, used, own = (
        time.perf_counter(),
        busy_seconds(),
        worker_seconds(worker),
        time.process_time(),
    )
    work()
    wall, cpu = time.perf_counter() - start, worker_seconds(worker) - used
    ours = cpu + time.process_time() - own
    return Sample(wall, cpu, others=max(busy_seconds() - busy - ours, 0.0) / wall)


if __name__ == "__main__":
    main()
