"""What is removed with a page: all captures of its addresses, or it comes back by another."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from pagekin.errors import EngineError, NeverCaptured
from pagekin.index.captures import capture_rows
from pagekin.index.reader import IndexReader, canonical_url

__all__ = ["addresses_to_remove"]


def addresses_to_remove(
    reader: IndexReader,
    urls: Iterable[str] = (),
    prefix: str | None = None,
    site: str | None = None,
) -> tuple[str, ...]:
    """The addresses of these pages, of those below a prefix and of those of a site.

    Nothing is to be removed if some of it is unknown: the error names all of that.
    """
    named = [canonical_url(url) for url in urls]
    found: set[str] = set()
    unknown = []
    with reader.blaming():
        for url in named:
            addresses = _addresses(reader, url)
            found |= addresses
            if not addresses:
                unknown.append(url)
        for part, chosen in _groups(reader, prefix, site):
            found |= chosen
            if not chosen:
                unknown.append(part)
    if unknown:
        advice = "nothing was removed; leave it out, or look it up with pagekin show"
        raise NeverCaptured(unknown, advice=advice)
    if not found:
        raise EngineError(
            "nothing to remove was named",
            where=str(reader.path),
            advice="give a URL, a list of them, a prefix or a site",
        )
    return tuple(sorted(found))


def _addresses(reader: IndexReader, url: str) -> set[str]:
    """All addresses of the page at a URL; none if nothing was captured there."""
    place = reader.find(url)
    if place is None or not reader.searcher.page_meta(place).crawled:
        return {row["url"] for row in capture_rows(reader.tables["captures"], url)}
    row = reader.tables["pages"].find(reader.searcher.id(place))
    return {row["url"], *row["variants"]} if row else set()


def _groups(
    reader: IndexReader, prefix: str | None, site: str | None
) -> Iterator[tuple[str, set[str]]]:
    """What was asked for besides single pages, each with the addresses that are meant."""
    if prefix is not None:
        listed = {url for url in _listed(reader) if url.startswith(prefix)}
        chosen = _pages(reader, lambda batch: pc.starts_with(batch.column("url"), prefix))
        yield prefix, listed.union(*chosen)
    if site is not None:
        listed = {url for url in _listed(reader) if reader.site_of(url) == site}
        chosen = _pages(reader, lambda batch: pc.equal(batch.column("site"), pa.scalar(site)))
        yield site, listed.union(*chosen)


def _pages(
    reader: IndexReader, choose: Callable[[pa.RecordBatch], "pa.Array[Any]"]
) -> Iterator[set[str]]:
    """The addresses of each crawled page that is chosen."""
    for batch in reader.tables["pages"].batches():
        rows = batch.filter(pc.and_(batch.column("crawled"), choose(batch)))
        columns = (rows.column(name).to_pylist() for name in ("url", "variants"))
        for url, variants in zip(*columns, strict=True):
            yield {url, *variants}


def _listed(reader: IndexReader) -> Iterator[str]:
    """The URLs of all captures, whether or not they became pages."""
    for batch in reader.tables["captures"].batches():
        yield from (str(url) for url in batch.column("url").to_pylist())
