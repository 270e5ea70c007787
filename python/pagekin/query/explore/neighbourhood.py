"""The neighbourhood of a page: its related pages, and theirs, as a graph."""

from dataclasses import dataclass, replace

from pagekin.index import IndexReader
from pagekin.query.explore.show import show
from pagekin.query.filters import Filters
from pagekin.query.question import Question
from pagekin.query.related import related
from pagekin.types import Hit

__all__ = ["Neighbour", "Neighbourhood", "Relation", "neighbourhood"]


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A page of the map; `step` is 0 for the queried page, 1 for its related pages, else 2."""

    url: str
    title: str | None
    site: str
    crawled: bool
    step: int


@dataclass(frozen=True, slots=True)
class Relation:
    """Two pages of the map, by index, and their similarity."""

    one: int
    other: int
    score: float


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """The pages, nearest first, and each relation between two of them once.

    `note` says why the queried page has no or few related pages.
    """

    pages: list[Neighbour]
    relations: list[Relation]
    note: str | None


def neighbourhood(
    index: IndexReader, url: str, filters: Filters, *, beyond: int = 4
) -> Neighbourhood:
    """The related pages of a page, and the first `beyond` related pages of each of those."""
    card = show(index, url, terms=0, links=0)
    graph = _Map(Neighbour(card.url, card.title, card.site, card.crawled, 0))
    answer = related(index, Question.about(card.url), filters)
    graph.add(card.url, answer.hits, 1)
    further = replace(filters, k=beyond)
    for hit in answer.hits:
        graph.add(hit.url, related(index, Question.about(hit.url), further).hits, 2)
    return Neighbourhood(graph.pages, graph.relations(), answer.note)


class _Map:
    """Builder of a neighbourhood."""

    def __init__(self, centre: Neighbour) -> None:
        self.pages = [centre]
        self._places = {centre.url: 0}
        self._scores: dict[tuple[int, int], float] = {}

    def add(self, url: str, hits: list[Hit], step: int) -> None:
        """Add the related pages of a page that is already on the map."""
        here = self._places[url]
        for hit in hits:
            if hit.url not in self._places:
                self._places[hit.url] = len(self.pages)
                self.pages.append(Neighbour(hit.url, hit.title, hit.site, hit.crawled, step))
            there = self._places[hit.url]
            self._scores[min(here, there), max(here, there)] = hit.score

    def relations(self) -> list[Relation]:
        """All relations, the strongest last, so that it is drawn on top."""
        found = [Relation(*ends, score) for ends, score in self._scores.items()]
        return sorted(found, key=lambda each: (each.score, each.one, each.other))
