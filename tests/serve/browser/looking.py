"""A real browser, and what must hold for every page."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Dialog, Page, Request, sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome")
ROSES = "http://www.hedgerow.example/plants/roses.html"
HELLEBORES = "http://www.hedgerow.example/plants/hellebores.html"


def executable() -> str:
    """The installed browser; none is ever downloaded."""
    found = next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        pytest.skip(f"no browser: none of {', '.join(NAMES)} is here (apt-get install chromium)")
    return found


@contextmanager
def launched() -> Iterator[Browser]:
    """The browser, running. It has no sandbox for root, and needs none for our own pages."""
    options = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable(), args=options)
        yield browser
        browser.close()


class Looking:
    """A browser page on one server. It records everything that it must not do."""

    def __init__(self, browser: Browser, base: str, **options: Any) -> None:
        self.base = base
        self._context = browser.new_context(
            **{"viewport": {"width": 1100, "height": 800}} | options
        )
        self.page: Page = self._context.new_page()
        self.faults: list[str] = []
        self.missing = "nothing may be missing"
        self.requests: list[str] = []
        self.page.on("console", self._heard)
        self.page.on("pageerror", lambda error: self.faults.append(f"script: {error}"))
        self.page.on("dialog", self._opened)
        self.page.on("request", self._asked)

    def _heard(self, message: ConsoleMessage) -> None:
        # That a page is an error page is told in the console too; that is no fault of it.
        address = message.location["url"]
        told = "status of" in message.text and (address == self.page.url or self.missing in address)
        if message.type in ("error", "warning") and not told:
            self.faults.append(f"console: {message.text}")

    def _opened(self, dialog: Dialog) -> None:
        self.faults.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def _asked(self, request: Request) -> None:
        self.requests.append(request.url)
        if not request.url.startswith(f"{self.base}/"):
            self.faults.append(f"leaves for {request.url}")

    def close(self) -> None:
        """Close the page; it must have no recorded faults."""
        self._context.close()
        assert not self.faults, self.faults

    def at(self, path: str, **state: str | int) -> Page:
        """Go to a page of the server."""
        query = f"?{urlencode(state)}" if state else ""
        self.page.goto(f"{self.base}{path}{query}")
        return self.page

    @property
    def text(self) -> str:
        """What can be read."""
        return self.page.locator("body").inner_text()


PAGES: list[tuple[str, dict[str, str | int]]] = [
    ("/", {}),
    ("/related", {"url": ROSES}),
    ("/related", {"text": "a thunderstorm with hail"}),
    ("/related", {"url": ROSES, "site": "nowhere.example"}),
    ("/search", {}),
    ("/search", {"q": "roses"}),
    ("/search", {"q": "qwzx", "from": "2001"}),
    ("/sites", {}),
    ("/sites", {"q": "qwzx"}),
    ("/site", {"site": "www.hedgerow.example"}),
    ("/subjects", {}),
    ("/captures", {"url": ROSES}),
    ("/pairs", {"q": "garden roses"}),
    ("/compare", {}),
    ("/compare", {"a": ROSES, "b": HELLEBORES}),
    ("/map", {}),
    ("/map", {"url": ROSES}),
    ("/evaluation", {}),
    ("/api/docs", {}),
    ("/related", {"url": "http://www.hedgerow.example/plants/rose.html"}),
]
"""Every kind of page, the last an error."""
