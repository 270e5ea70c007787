"""Looks up one page: what the index knows about it, or suggestions for an unknown URL.

Suggestions are other forms of the URL, then close matches (difflib) among the URLs of its site.
"""

import bisect
import difflib
from collections.abc import Iterator
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from pagekin import _core
from pagekin.dates import iso_date
from pagekin.errors import UnknownPage
from pagekin.index import IndexReader, canonical_url
from pagekin.query.titles import page_title
from pagekin.query.why import concept_shares
from pagekin.types import Inlink, PageCard, TermShare
from pagekin.url import registrable_domain

__all__ = ["find_page", "quote_link", "show", "spellings"]

TOTAL = _core.TOTAL
CONCEPTS = 5
"""Concepts listed of a page."""
MOST_ROWS = 1 << 18
"""Maximum number of pages scanned for a suggestion, to bound its time."""
COMPARED = 500
"""Number of URLs with the longest common prefix that are compared letter by letter."""
ASK_FOR = (
    "ask for a page of the crawl or one it links to; if this one was fetched, its response was "
    "skipped, perhaps because it redirects"
)
LONGEST = 500
"""Longer URLs are not compared, because the time is quadratic in their length."""


def find_page(index: IndexReader, url: str) -> _core.PageRef:
    """Find a page by its URL, canonicalised first; an unknown URL is an error."""
    wanted = canonical_url(url)
    place = index.find(wanted)
    if place is None:
        near = spellings(index, wanted)
        hint = f"did you mean {' or '.join(near)}? " if near else ""
        raise UnknownPage(wanted, advice=hint + ASK_FOR)
    return place


def show(index: IndexReader, url: str, *, terms: int = 10, links: int = 5) -> PageCard:
    """The card of a page: its origin, its heaviest terms and concepts, its inlinks."""
    with index.blaming():
        place = find_page(index, url)
        key = index.searcher.id(place)
        pages = index.tables["pages"]
        page = pages.find(key)
        if page is None:
            raise pages.corrupt("a page cannot be found by its id")
        meta, bag = index.searcher.page_meta(place), _heaviest(index, place)
        return PageCard(
            url=page["url"],
            title=page_title(index, place),
            site=page["site"],
            crawled=page["crawled"],
            inlinks=page["inlinks"],
            file=page["file"],
            offset=page["offset"],
            variants=page["variants"],
            date=iso_date(meta.date),
            replay=index.replay_of(meta),
            language=page["language"],
            terms=[TermShare(index.word(term), share) for term, share in bag[0][:terms]],
            concepts=concept_shares(index, bag[1][:CONCEPTS], place),
            linked_from=_inlinks(index, key, links),
        )


def _heaviest(
    index: IndexReader, place: _core.PageRef
) -> tuple[list[tuple[int, float]], list[tuple[int, float]]]:
    """The terms and the concept numbers of a bag with their shares, the heaviest first."""
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
    """The first link of each of the first linking pages."""
    links = index.tables["links"].find_all(key, 20 * most)
    first = {link["source"]: link for link in reversed(links)}
    inlinks = []
    for source in list(dict.fromkeys(link["source"] for link in links))[:most]:
        place = index.searcher.find(source)
        if place is not None:
            words = quote_link(index, first[source])
            inlinks.append(Inlink(index.searcher.page_meta(place).url, words))
    return inlinks


def quote_link(index: IndexReader, link: dict[str, Any]) -> str:
    """The words around a link (a row of the table of links), its anchor in brackets."""
    window = _core.LinkWindow(link["from"], link["first"], link["last"], link["to"])
    return index.searcher.quote(link["source"], [window])


def spellings(index: IndexReader, url: str, most: int = 3) -> list[str]:
    """Known URLs that are similar to this one, the most likely first."""
    twins = dict.fromkeys(twin for twin in _twins(url) if _is_known(index, twin))
    return [*(twins or _near(index, url))][:most]


def _twins(url: str) -> Iterator[str]:
    """Variants of a URL that other servers would use."""
    scheme, _, rest = url.partition("://")
    host, slash, path = rest.partition("/")
    bare = path.partition("?")[0]
    hosts = (host, host.removeprefix("www."), f"www.{host}")
    paths = (path, path.rstrip("/"), f"{path}/", bare, f"{bare.rstrip('/')}/index.html")
    for other_scheme in (scheme, "https", "http"):
        for other_host in hosts:
            for other_path in (*paths, path.removesuffix("index.html"), path.lower()):
                twin = _core.canonical(f"{other_scheme}://{other_host}{slash}{other_path}")
                if twin is not None and twin != url:
                    yield twin


def _is_known(index: IndexReader, url: str) -> bool:
    return index.find(url) is not None


def _near(index: IndexReader, url: str) -> list[str]:
    """Pages of the same site with a similar URL; of similar sites if the site is unknown."""
    if len(url) > LONGEST:
        return []
    site = _site(index, url)
    found: list[str] = []
    others: list[str] = []
    seen = 0
    for batch in index.tables["pages"].batches():
        found += _urls_of(batch, site)
        others += _hosts_like(batch, site)
        seen += batch.num_rows
        if seen >= MOST_ROWS:
            break
    return difflib.get_close_matches(url, _neighbours(found or others, url), n=3, cutoff=0.7)


def _neighbours(urls: list[str], url: str) -> list[str]:
    """The URLs next to this one in alphabetical order, which share the longest prefixes."""
    known = sorted({other for other in urls if len(other) <= LONGEST})
    place = bisect.bisect(known, url)
    return known[max(place - COMPARED // 2, 0) : place + COMPARED // 2]


def _site(index: IndexReader, url: str) -> str:
    host = _core.site(url)
    return host if index.strategy.site.kind == "host" else registrable_domain(host)


def _hosts_like(batch: pa.RecordBatch, site: str) -> list[str]:
    """URLs of the site with the most similar name."""
    sites = [name for name in pc.unique(batch.column("site")).to_pylist() if name is not None]
    near = difflib.get_close_matches(site, sites[:COMPARED], n=1, cutoff=0.8)
    if not near:
        return []
    return _urls_of(batch, near[0])[:COMPARED]


def _urls_of(batch: pa.RecordBatch, site: str) -> list[str]:
    same = pc.equal(batch.column("site"), pa.scalar(site))
    return [str(url) for url in batch.column("url").filter(same).to_pylist()]
