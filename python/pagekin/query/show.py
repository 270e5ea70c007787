"""What is known of one page."""

from pagekin import _core
from pagekin.errors import UnknownPage
from pagekin.index import IndexReader, address
from pagekin.query.about import about
from pagekin.query.spellings import spellings
from pagekin.types import Inlink, PageCard, TermShare

__all__ = ["known", "show"]

TOTAL = _core.TOTAL
CONCEPTS = 5
"""Concepts listed of a page."""


def known(index: IndexReader, url: str) -> tuple[int, int]:
    """Where the page of a URL is, in whatever spelling that canonicalises to it."""
    wanted = address(url)
    place = index.searcher.find(_core.url_id(wanted))
    if place is None or index.searcher.card(place)[0] != wanted:
        near = spellings(index, wanted)
        hint = f"did you mean {' or '.join(near)}? " if near else ""
        raise UnknownPage(wanted, advice=f"{hint}ask for a page of the crawl or one it links to")
    return place


def show(index: IndexReader, url: str, *, terms: int = 10, links: int = 5) -> PageCard:
    """Its origin, its heaviest terms and concepts, who links to it."""
    with index.blaming():
        place = known(index, url)
        key = index.searcher.id(place)
        pages = index.tables["pages"]
        page = pages.find(key)
        if page is None:
            raise pages.corrupt("a page cannot be found by its id")
        date, bag = page["date"], _heaviest(index, place)
        return PageCard(
            url=page["url"],
            title=page["title"],
            site=page["site"],
            crawled=page["crawled"],
            inlinks=page["inlinks"],
            file=page["file"],
            offset=page["offset"],
            date=None if date is None else date.strftime("%Y-%m-%dT%H:%M:%SZ"),
            terms=[TermShare(index.word(term), share) for term, share in bag[0][:terms]],
            concepts=about(index, bag[1][:CONCEPTS], place),
            linked_from=_inlinks(index, key, links),
        )


def _heaviest(
    index: IndexReader, place: tuple[int, int]
) -> tuple[list[tuple[int, float]], list[tuple[int, float]]]:
    """The terms and the numbers of concepts of a bag with their shares, the heaviest first."""
    bag = index.searcher.bag(place)
    terms, concepts = [], []
    for weight, term in sorted(zip(bag.weights, bag.terms, strict=True), key=lambda pair: -pair[0]):
        number = _core.concept_number(term)
        if number is None:
            terms.append((term, weight / TOTAL))
        else:
            concepts.append((number, weight / TOTAL))
    return terms, concepts


def _inlinks(index: IndexReader, key: int, most: int) -> list[Inlink]:
    """The first link of each of the first pages; of a page that links on and on, one link."""
    links = index.tables["links"].find_all(key, 20 * most)
    first = {link["source"]: link for link in reversed(links)}
    inlinks = []
    for source in list(dict.fromkeys(link["source"] for link in links))[:most]:
        place, link = index.searcher.find(source), first[source]
        if place is not None:
            window = (link["from"], link["first"], link["last"], link["to"])
            words = index.searcher.quote(source, [window])
            inlinks.append(Inlink(index.searcher.card(place)[0], words))
    return inlinks
