"""The time from opening a URL to a usable page.

    python -m bench.questions.first_page [--times 10] [--write]

The schools crawl is served by one worker and looked at with chromium. Each time the browser begins
anew, with nothing kept; of the service the first time is the first of all. A page can be used once
its script has run (`domContentLoadedEventEnd`).
"""

import argparse
import os
import shutil
import statistics
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from bench.indexes import kept_index
from bench.measure import DATA
from bench.tables import put_table

PAGE = "http://schools-wikipedia.org/wp/w/Wars_of_the_Roses.htm"
PAGES = {
    "start": "/",
    "related pages": f"/related?url={PAGE}",
    "map": f"/map?url={PAGE}",
}
USABLE = "performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd"
MAX_MILLISECONDS = 1000


def main() -> int:
    """Serve, look, print."""
    options = _options()
    schools, chromium = DATA / "schools.warc.gz", shutil.which("chromium")
    if not schools.exists() or chromium is None:
        print(f"skipped: no schools in {DATA}, or no chromium; nothing was measured")
        return 0
    with served(kept_index(schools)) as base, sync_playwright() as playwright:
        words = ["--no-sandbox"] if os.geteuid() == 0 else []
        browser = playwright.chromium.launch(executable_path=chromium, args=words)
        found = {name: waits(browser, base + path, options.times) for name, path in PAGES.items()}
        browser.close()
    text = markdown(found)
    print(text)
    if options.write:
        put_table("bench.questions.first_page", text)
    return int(any(max(each) > MAX_MILLISECONDS for each in found.values()))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=10)
    parser.add_argument("--write", action="store_true", help="put the table into BENCHMARKS.md")
    return parser.parse_args()


@contextmanager
def served(index: Path) -> Iterator[str]:
    """A service in a process of its own; gives its address."""
    words = [sys.executable, "-m", "pagekin", "serve", str(index), "--port", "0"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process:
        line = process.stdout.readline() if process.stdout else ""
        try:
            yield line.split()[2].rstrip("/")
        finally:
            process.terminate()


def waits(browser: Browser, address: str, times: int) -> list[float]:
    """Milliseconds until the page is usable, each time in a browser with an empty cache."""
    found = []
    for _ in range(times):
        with browser.new_context() as context:
            page = context.new_page()
            page.goto(address)
            found.append(float(page.evaluate(USABLE)))
    return found


def markdown(found: dict[str, list[float]]) -> str:
    """The table; the first time is the service's first too."""
    rows = [
        f"| {name} | {each[0]:.0f} | {statistics.median(each):.0f} | {max(each):.0f} |"
        for name, each in found.items()
    ]
    head = [
        "| milliseconds until it can be used | the first time | median | most |",
        "|---|---|---|---|",
    ]
    return "\n".join([*head, *rows])


if __name__ == "__main__":
    raise SystemExit(main())
