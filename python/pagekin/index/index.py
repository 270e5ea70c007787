"""An index, opened for reading."""

from functools import cached_property
from os import PathLike
from pathlib import Path

from pagekin import _core
from pagekin.errors import IndexCorrupt, InputError, UnknownPage
from pagekin.index.manifest import Manifest
from pagekin.index.table import SortedTable
from pagekin.index.tables import SCHEMAS
from pagekin.strategy import Strategy
from pagekin.types import Inlink, PageCard, TermShare

__all__ = ["Index"]

_LINK = 1 << 63
"""Set in the id of a term that stands for a linking page; the rest is the id of that page."""


class Index:
    """A crawl that has been indexed. Opening costs milliseconds, whatever its size."""

    def __init__(self, path: str | PathLike[str]) -> None:
        self.path = Path(path)
        self.manifest, self._tables = _opened(self.path)

    @cached_property
    def strategy(self) -> Strategy:
        """The strategy that the index was built with."""
        return Strategy.from_toml(self.manifest.strategy)

    def show(self, url: str, *, terms: int = 10, links: int = 5) -> PageCard:
        """What is known of a URL: its origin, its heaviest terms, who links to it."""
        address = _address(url)
        if address is None:
            raise InputError(
                "is no address of a web page", source=url, advice="give an http or https URL"
            )
        key = _core.url_id(address)
        page = self._tables["pages"].find(key)
        if page is None or page["url"] != address:
            raise UnknownPage(address, advice="ask for a page of the crawl or one it links to")
        date = page["date"]
        return PageCard(
            url=page["url"],
            title=page["title"],
            site=page["site"],
            crawled=page["crawled"],
            inlinks=page["inlinks"],
            file=page["file"],
            offset=page["offset"],
            date=None if date is None else date.strftime("%Y-%m-%dT%H:%M:%SZ"),
            terms=self._heaviest(key, terms),
            linked_from=self._inlinks(key, links),
        )

    def _heaviest(self, key: int, most: int) -> list[TermShare]:
        bag = self._tables["bags"].find(key)
        if bag is None:
            return []
        total = sum(bag["weights"])
        if len(bag["weights"]) != len(bag["terms"]) or (bag["terms"] and not total):
            raise IndexCorrupt(
                f"the bag {key:016x} is damaged", path=self.path, advice="build the index again"
            )
        pairs = sorted(zip(bag["weights"], bag["terms"], strict=True), key=lambda pair: -pair[0])
        return [TermShare(self._word(term), weight / total) for weight, term in pairs[:most]]

    def _word(self, term: int) -> str:
        """The word to show for a term; a link term shows the linking page."""
        if term & _LINK:
            pages = self._tables["pages"]
            page = pages.find(term) or pages.find(term ^ _LINK)
            return str(page["url"]) if page is not None else f"page {term:016x}"
        found = self._tables["lexicon"].find(term)
        return str(found["word"]) if found is not None else f"term {term:016x}"

    def _inlinks(self, key: int, most: int) -> list[Inlink]:
        """The first link of each of the first pages; of a page that links on and on, one link."""
        links = self._tables["links"].find_all(key, 20 * most)
        first = {link["source"]: link for link in reversed(links)}
        inlinks = []
        for source in list(dict.fromkeys(link["source"] for link in links))[:most]:
            page = self._tables["pages"].find(source)
            if page is not None:
                inlinks.append(Inlink(page["url"], self._quote(first[source])))
        return inlinks

    def _quote(self, link: dict[str, int]) -> str:
        """The words of a link's window, the anchor in brackets."""
        row = self._tables["words"].find(link["source"])
        words = (row["words"] or "").split(" ") if row else []
        before = words[link["from"] : link["first"]]
        anchor = words[link["first"] : link["last"]]
        after = words[link["last"] : link["to"]]
        return " ".join([*before[-8:], "[" + " ".join(anchor) + "]", *after[:8]])


def _opened(path: Path) -> tuple[Manifest, dict[str, SortedTable]]:
    """The manifest and its tables, all open: a build that replaces them takes none away.

    One that does so in between is met by a second look.
    """
    manifest = Manifest.read(path)
    try:
        return manifest, {name: _table(path, manifest, name) for name in SCHEMAS}
    except IndexCorrupt:
        if Manifest.read(path) == manifest:
            raise
        return _opened(path)


def _table(path: Path, manifest: Manifest, name: str) -> SortedTable:
    sizes = {
        path / manifest.folder / file: entry["bytes"]
        for file, entry in manifest.files.items()
        if file.startswith(f"{name}-")
    }
    return SortedTable(sizes, SCHEMAS[name])


def _address(url: str) -> str | None:
    try:
        return _core.canonical(url)
    except UnicodeEncodeError:
        # Bytes that are no UTF-8 reach us from the command line as halves of characters.
        return None
