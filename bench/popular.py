"""One page that every other links to, and one word that every page has: does Spark hold it?

    python bench/popular.py [--pages 1000000] [--precompute]

Makes a crawl of small pages of a thousand hosts that all link to one target and share a word,
builds its index on Spark with 1 GB for the executor, and prints the most memory that the JVM and
each Python worker had. The lists that are long: the links to the target, the postings of the
word, and with --precompute the pages of a value of the sketches.
"""

import argparse
import gzip
import os
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pagekin.engines import spark
from pagekin.query import Filters

FILES = 16
LOOK = 0.2
MIB = 1 << 20
PAGE = """<title>page {number}</title><p>everywhere w{number} v{some}
<a href="http://popular.example/">the popular page</a> <a href="/{some}">other</a>"""


def write_crawl(folder: Path, pages: int) -> list[Path]:
    """The crawl in some files, gzip by record."""
    paths = [folder / f"{number:02}.warc.gz" for number in range(FILES)]
    for number, path in enumerate(paths):
        with path.open("wb") as warc:
            for page in range(number, pages, FILES):
                warc.write(gzip.compress(_record(page), compresslevel=1, mtime=0))
    return paths


def _record(page: int) -> bytes:
    body = PAGE.format(number=page, some=page % 977).encode()
    http = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + body
    head = (
        "WARC/1.1\r\nWARC-Type: response\r\nWARC-Date: 2026-01-01T00:00:00Z\r\n"
        f"WARC-Target-URI: http://h{page % 1000}.example/{page}\r\n"
        f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(http)}\r\n\r\n"
    )
    return head.encode() + http + b"\r\n\r\n"


@contextmanager
def watched() -> Iterator[dict[str, int]]:
    """The highest resident size of the JVM and of any Python worker, while the block lasts."""
    peaks: dict[str, int] = {}
    done = threading.Event()

    def watch() -> None:
        while not done.wait(LOOK):
            for name, size in _family():
                peaks[name] = max(peaks.get(name, 0), size)

    thread = threading.Thread(target=watch)
    thread.start()
    try:
        yield peaks
    finally:
        done.set()
        thread.join()


def _family() -> Iterator[tuple[str, int]]:
    """Our descendants that are a JVM or a Python worker, with their peaks."""
    known = {
        status["Pid"]: status for status in map(_status, Path("/proc").glob("[0-9]*")) if status
    }
    for status in known.values():
        above = status["PPid"]
        while above in known and above != str(os.getpid()):
            above = known[above]["PPid"]
        if above == str(os.getpid()) and "VmHWM" in status:
            name = "JVM" if status["Name"] == "java" else "Python worker"
            yield name, int(status["VmHWM"].split()[0]) << 10


def _status(path: Path) -> dict[str, str]:
    try:
        lines = (path / "status").read_text().splitlines()
    except OSError:
        return {}
    return {name: value.strip() for name, _, value in (line.partition(":") for line in lines)}


def main() -> None:
    """Build, and say what it took."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pages", type=int, default=1_000_000)
    parser.add_argument("--precompute", action="store_true")
    options = parser.parse_args()
    os.environ["PYSPARK_SUBMIT_ARGS"] = "--driver-memory 1g pyspark-shell"
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        paths = write_crawl(folder, options.pages)
        with spark.opened("local[1]"), watched() as peaks:
            start = time.perf_counter()
            summary = spark.build(paths, folder / "index")
            if options.precompute:
                spark.precompute(folder / "index", str(folder / "answers"), Filters(k=10))
            took = time.perf_counter() - start
    print(f"{summary.pages:,} pages, {summary.links:,} links, {took:.0f} s")
    for kind, size in sorted(peaks.items()):
        print(f"{kind}: at most {size / MIB:,.0f} MiB")


if __name__ == "__main__":
    main()
