"""The time from opening a URL to a usable page, and the size of the page.

    python -m bench.questions.first_page [--times 10] [--write]

The schools crawl is served by one worker and looked at with chromium. Each time the browser begins
anew, with nothing kept; of the service the first time is the first of all, unless it was computed
ahead. A page can be used once its script has run (`domContentLoadedEventEnd`). Its size is that of
the page, its style sheet and its script, uncompressed.
"""

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from bench.indexes import kept_index
from bench.measure import DATA, worker_seconds
from bench.tables import put_table

PAGE = "http://schools-wikipedia.org/wp/w/Wars_of_the_Roses.htm"
PAGES = {
    "start": "/",
    "search": "/search?q=roses",
    "related pages": f"/related?url={PAGE}",
    "map": f"/map?url={PAGE}",
    "site": "/site?site=schools-wikipedia.org",
    "subjects": "/subjects",
    "captures": f"/captures?url={PAGE}",
}
USABLE = "performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd"
SIZE = """performance.getEntriesByType('navigation')
  .concat(performance.getEntriesByType('resource'))
  .reduce((sum, each) => sum + each.decodedBodySize, 0)"""
MAX_MILLISECONDS, MAX_BYTES = 300, 100_000
"""Milliseconds until the start page can be used, and bytes of every page."""
SETTLED = 3.0
"""Seconds that a service has to compute its first answers ahead."""


@dataclass(frozen=True, slots=True)
class Visit:
    """One page opened once: milliseconds until it can be used, those that the service was on the
    core, and bytes."""

    wait: float
    core: float
    size: int


def main() -> int:
    """Serve, look, print."""
    options = _options()
    schools, chromium = DATA / "schools.warc.gz", shutil.which("chromium")
    if not schools.exists() or chromium is None:
        print(f"skipped: no schools in {DATA}, or no chromium; nothing was measured")
        return 0
    with served(kept_index(schools)) as (base, worker), sync_playwright() as playwright:
        words = ["--no-sandbox"] if os.geteuid() == 0 else []
        browser = playwright.chromium.launch(executable_path=chromium, args=words)
        time.sleep(SETTLED)
        found = {
            name: visits(browser, worker, base + path, options.times)
            for name, path in PAGES.items()
        }
        browser.close()
    text = markdown(found)
    print(text)
    if options.write:
        put_table("bench.questions.first_page", text)
    slow = max(each.wait for each in found["start"]) > MAX_MILLISECONDS
    return int(slow or any(each.size > MAX_BYTES for one in found.values() for each in one))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=10)
    parser.add_argument("--write", action="store_true", help="put the table into BENCHMARKS.md")
    return parser.parse_args()


@contextmanager
def served(index: Path) -> Iterator[tuple[str, int]]:
    """A service in a process of its own; gives its address, and the process of its worker."""
    words = [sys.executable, "-m", "pagekin", "serve", str(index), "--port", "0", "--no-access-log"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process:
        line = process.stdout.readline() if process.stdout else ""
        try:
            children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
            yield line.split()[2].rstrip("/"), int(children.read_text().split()[0])
        finally:
            process.terminate()


def visits(browser: Browser, worker: int, address: str, times: int) -> list[Visit]:
    """The page, each time in a browser with an empty cache."""
    found = []
    for _ in range(times):
        with browser.new_context() as context:
            page, before = context.new_page(), worker_seconds(worker)
            page.goto(address)
            core = 1000 * (worker_seconds(worker) - before)
            found.append(Visit(float(page.evaluate(USABLE)), core, int(page.evaluate(SIZE))))
    return found


def markdown(found: dict[str, list[Visit]]) -> str:
    """The table; the first time is the service's first too."""
    rows = [
        f"| {name} | {one[0].wait:.0f} | {statistics.median(each.wait for each in one):.0f} "
        f"| {max(each.wait for each in one):.0f} | {one[0].core:.0f} "
        f"| {max(each.size for each in one) / 1000:.0f} |"
        for name, one in found.items()
    ]
    head = [
        "| milliseconds until it can be used | the first time | median | most "
        "| of the service's core, the first time | kB |",
        "|---|---|---|---|---|---|",
    ]
    return "\n".join([*head, *rows])


if __name__ == "__main__":
    raise SystemExit(main())
