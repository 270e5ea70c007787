"""Known URLs near one that nobody knows."""

import bisect
import difflib
from collections.abc import Iterator

import pyarrow as pa
import pyarrow.compute as pc

from pagekin import _core
from pagekin.index import IndexReader
from pagekin.url import registrable

__all__ = ["spellings"]

MOST_ROWS = 1 << 18
"""So many pages are looked through: this is a courtesy and must not take long."""
COMPARED = 500
"""So many URLs with the longest common beginning are compared letter by letter."""
LONGEST = 500
"""Longer URLs are not: that takes the square of their length."""


def spellings(index: IndexReader, url: str, most: int = 3) -> list[str]:
    """The known URLs that this one may have been meant to be, the likeliest first."""
    twins = dict.fromkeys(twin for twin in _twins(url) if _is_known(index, twin))
    return [*(twins or _near(index, url))][:most]


def _twins(url: str) -> Iterator[str]:
    """The same address written as another server would."""
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
    place = index.searcher.find(_core.url_id(url))
    return place is not None and index.searcher.card(place)[0] == url


def _near(index: IndexReader, url: str) -> list[str]:
    """Pages of the same site whose URL is nearly this one; of any site if there is no such site."""
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
    """The URLs that begin most like this one: they stand next to it in the order of letters."""
    known = sorted(other for other in urls if len(other) <= LONGEST)
    place = bisect.bisect(known, url)
    return known[max(place - COMPARED // 2, 0) : place + COMPARED // 2]


def _site(index: IndexReader, url: str) -> str:
    host = _core.site(url)
    return host if index.strategy.site.kind == "host" else registrable(host)


def _hosts_like(batch: pa.RecordBatch, site: str) -> list[str]:
    """URLs of sites whose name is a slip of the pen away."""
    sites = [name for name in pc.unique(batch.column("site")).to_pylist() if name is not None]
    near = difflib.get_close_matches(site, sites[:COMPARED], n=1, cutoff=0.8)
    if not near:
        return []
    return _urls_of(batch, near[0])[:COMPARED]


def _urls_of(batch: pa.RecordBatch, site: str) -> list[str]:
    same = pc.equal(batch.column("site"), pa.scalar(site))
    return [str(url) for url in batch.column("url").filter(same).to_pylist()]
