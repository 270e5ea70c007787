"""An index, opened for reading."""

from functools import cached_property
from os import PathLike
from pathlib import Path

from pagekin import _core
from pagekin.errors import InputError, UnknownPage
from pagekin.index.manifest import Manifest
from pagekin.index.table import SortedTable
from pagekin.strategy import Strategy
from pagekin.types import Inlink, PageCard, TermShare

__all__ = ["Index"]


class Index:
    """A crawl that has been indexed. Opening costs milliseconds, whatever its size."""

    def __init__(self, path: str | PathLike[str]) -> None:
        self.path = Path(path)
        self.manifest = Manifest.read(self.path)

    @cached_property
    def strategy(self) -> Strategy:
        """The strategy that the index was built with."""
        return Strategy.from_toml(self.manifest.strategy)

    def show(self, url: str, *, terms: int = 10, links: int = 5) -> PageCard:
        """What is known of a URL: its origin, its heaviest terms, who links to it."""
        address = _core.canonical(url)
        if address is None:
            raise InputError(
                "is no address of a web page", source=url, advice="give an http or https URL"
            )
        key = _core.url_id(address)
        page = self._pages.find(key)
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
        bag = self._bags.find(key)
        if bag is None:
            return []
        total = sum(bag["weights"])
        pairs = sorted(zip(bag["weights"], bag["terms"], strict=True), key=lambda pair: -pair[0])
        return [TermShare(self._word(term), weight / total) for weight, term in pairs[:most]]

    def _word(self, term: int) -> str:
        """The word to show for a term; a link term shows the linking page."""
        found = self._lexicon.find(term)
        return str(found["word"]) if found is not None else f"term {term:016x}"

    def _inlinks(self, key: int, most: int) -> list[Inlink]:
        inlinks = []
        for link in self._links.find_all(key, most):
            source = self._pages.find(link["source"])
            if source is not None:
                inlinks.append(Inlink(source["url"], self._quote(link)))
        return inlinks

    def _quote(self, link: dict[str, int]) -> str:
        """The words of a link's window, the anchor in brackets."""
        row = self._words.find(link["source"])
        words = (row["words"] or "").split(" ") if row else []
        before = words[link["from"] : link["first"]]
        anchor = words[link["first"] : link["last"]]
        after = words[link["last"] : link["to"]]
        return " ".join([*before[-8:], "[" + " ".join(anchor) + "]", *after[:8]])

    def _table(self, name: str) -> SortedTable:
        files = sorted(file for file in self.manifest.files if file.startswith(f"{name}-"))
        return SortedTable([self.path / self.manifest.folder / file for file in files])

    @cached_property
    def _pages(self) -> SortedTable:
        return self._table("pages")

    @cached_property
    def _words(self) -> SortedTable:
        return self._table("words")

    @cached_property
    def _links(self) -> SortedTable:
        return self._table("links")

    @cached_property
    def _bags(self) -> SortedTable:
        return self._table("bags")

    @cached_property
    def _lexicon(self) -> SortedTable:
        return self._table("lexicon")
