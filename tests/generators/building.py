"""Sites built by the real generators, and the lists of related pages on their pages."""

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote, urljoin

from selectolax.lexbor import LexborHTMLParser

from tests.generators.sites import Pages, write_markdown, write_rst

BASE = "http://built.example/"
ENVIRONMENT = {**os.environ, "NO_MKDOCS_2_WARNING": "1", "PYTHONHASHSEED": "0"}


@dataclass(frozen=True)
class Link:
    """A link of a list: the path of its target in the site, its title and its reason."""

    path: str
    title: str
    reason: str


@dataclass
class Site:
    """The project of an author, and what a generator makes of it."""

    kind: str
    folder: Path
    settings: dict[str, object] = field(default_factory=dict)
    theme: str = ""
    told: str = ""
    words: tuple[str, ...] = ()

    def write(self, pages: Pages) -> "Site":
        """Write the sources of pages."""
        (write_rst if self.kind == "sphinx" else write_markdown)(self.sources, pages)
        return self

    @property
    def sources(self) -> Path:
        return self.folder if self.kind == "sphinx" else self.folder / "docs"

    @property
    def output(self) -> Path:
        return self.folder / ("out" if self.kind == "sphinx" else "site")

    def source(self, name: str) -> Path:
        return self.sources / f"{name}{'.rst' if self.kind == 'sphinx' else '.md'}"

    def build(self, *words: str) -> "Site":
        """Build it; the generator must not fail."""
        self.folder.mkdir(parents=True, exist_ok=True)
        self.words = words
        command = self._sphinx() if self.kind == "sphinx" else self._mkdocs()
        done = subprocess.run(
            [sys.executable, "-m", *command, *words],
            check=False,
            cwd=self.folder,
            capture_output=True,
            text=True,
            env=ENVIRONMENT,
        )
        self.told = done.stdout + done.stderr
        assert done.returncode == 0, self.told
        assert "Traceback" not in self.told, self.told
        return self

    def _sphinx(self) -> list[str]:
        given = "".join(f"pagekin_{name} = {value!r}\n" for name, value in self.settings.items())
        (self.folder / "conf.py").write_text(
            'project = "Hedgerow handbook"\nextensions = ["pagekin.generators.sphinx"]\n'
            f'html_theme = "{self.theme or "alabaster"}"\n'
            f'exclude_patterns = ["out"]\nsuppress_warnings = ["toc.not_included"]\n{given}',
            encoding="utf-8",
        )
        return ["sphinx", "-b", "html", ".", "out"]

    def _mkdocs(self) -> list[str]:
        given = "".join(f"\n      {name}: {value!r}" for name, value in self.settings.items())
        fonts = "\n  font: false" if self.theme == "material" else ""
        (self.folder / "mkdocs.yml").write_text(
            f"site_name: Hedgerow handbook\ntheme:\n  name: {self.theme or 'mkdocs'}{fonts}\n"
            f"plugins:\n  - search\n  - pagekin{':' if given else ''}{given}\n",
            encoding="utf-8",
        )
        return ["mkdocs", "build"]

    def pages(self) -> dict[str, Path]:
        """The files of all pages by their paths, as links to them are written."""
        found = {}
        for file in self.output.rglob("*.html"):
            path = file.relative_to(self.output).as_posix()
            found[path.removesuffix("index.html") if self.in_folders else path] = file
        return found

    @property
    def in_folders(self) -> bool:
        """Whether each page is the start of a folder of its own."""
        return "dirhtml" in self.words or (
            self.kind == "mkdocs" and "--no-directory-urls" not in self.words
        )

    def path(self, name: str) -> str:
        """The path of a page by its name."""
        if not self.in_folders:
            return f"{name}.html"
        return f"{name}/" if name.rpartition("/")[2] != "index" else name.removesuffix("index")

    def lists(self) -> dict[str, list[Link]]:
        """The list of each page that has one; no page may have two."""
        found = {path: [*_lists(path, file)] for path, file in self.pages().items()}
        assert all(len(lists) <= 1 for lists in found.values())
        return {path: lists[0] for path, lists in found.items() if lists}

    def list_of(self, name: str) -> list[Link]:
        return self.lists().get(self.path(name), [])


def _lists(path: str, file: Path) -> Iterator[list[Link]]:
    for nav in LexborHTMLParser(file.read_text(encoding="utf-8")).css("nav.pagekin-related"):
        assert nav.css_first("h2") is not None
        found = []
        for item in nav.css("li"):
            link, reason = item.css_first("a"), item.css_first("small")
            assert link is not None
            address = urljoin(f"{BASE}{path}", link.attributes["href"] or "")
            target = unquote(address.removeprefix(BASE))
            found.append(Link(target, link.text(), reason.text() if reason else ""))
        yield found
