"""The crawled pages of a site and all their links, as columns.

Pages are numbered from 0 in order of their ids. A link to anything else than a crawled page of the
site has the target `OUTSIDE`.
"""

from collections import Counter
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pagekin import _core
from pagekin.arrays import Numbers, array, numbers
from pagekin.errors import InputError, nearest
from pagekin.index import IndexReader

__all__ = ["OUTSIDE", "AuditedSite", "find_site"]

OUTSIDE = np.iinfo(np.uint32).max
LISTED = 5
"""Sites named in an error message."""


@dataclass(frozen=True)
class AuditedSite:
    """A site: ids, URLs and titles of its crawled pages, and the links that leave them."""

    name: str
    ids: Numbers
    urls: list[str]
    titles: list[str | None]
    root: int | None
    source: Numbers
    target: Numbers
    target_id: Numbers
    first: Numbers
    last: Numbers
    template: Numbers

    def __len__(self) -> int:
        return len(self.ids)

    @cached_property
    def inside(self) -> Numbers:
        """Whether each link leads to another crawled page of the site."""
        inside: Numbers = self.target != OUTSIDE
        return inside

    @property
    def link_batch(self) -> pa.RecordBatch:
        """The links as the core reads them."""
        columns = {
            "source": self.source,
            "target": self.target,
            "first": self.first,
            "last": self.last,
            "template": self.template,
        }
        return pa.RecordBatch.from_arrays([*map(array, columns.values())], names=[*columns])


def find_site(index: IndexReader, name: str | None) -> AuditedSite:
    """Read a site: the one of this name, or else the only one that was crawled."""
    table = index.tables["pages"].scan(["id", "url", "site", "title", "crawled"])
    pages = table.filter(table["crawled"]).combine_chunks()
    name = _known_name(pages["site"], name)
    own = pages.filter(pc.equal(pages["site"], pa.scalar(name)))
    ids = _column(own, "id").astype(np.uint64)
    links = _links(index, ids)
    root = _root(index, name)
    return AuditedSite(
        name=name,
        ids=ids,
        urls=[str(url) for url in own["url"].to_pylist()],
        titles=own["title"].to_pylist(),
        root=None if root is None else _place(ids, root),
        **links,
    )


def _known_name(crawled: "pa.ChunkedArray[pa.StringScalar]", name: str | None) -> str:
    sites = Counter(map(str, crawled.to_pylist()))
    known = sorted(sites, key=lambda site: (-sites[site], site))
    if name is None and len(known) == 1:
        return known[0]
    listed = ", ".join(known[:LISTED]) + (", …" if len(known) > LISTED else "")
    if name is None:
        what = f"{len(known):,} sites were crawled" if known else "no page was crawled"
        advice = f"name one with --site: {listed}" if known else "build the index from a crawl"
        raise InputError(what, source="site", advice=advice)
    wanted = name.strip().lower().rstrip("/")
    wanted = wanted.partition("://")[2] or wanted
    if wanted not in sites:
        raise InputError(
            "no page of this site was crawled",
            source=name,
            advice=f"{nearest(wanted, known)}the crawl has {listed or 'no pages'}",
        )
    return wanted


def _column(table: pa.Table, name: str) -> Numbers:
    return numbers(table[name].combine_chunks())


def _links(index: IndexReader, ids: Numbers) -> dict[str, Numbers]:
    """The links of these pages, by source and place."""
    names = ["target", "source", "first", "last", "template"]
    parts = []
    for batch in index.tables["links"].batches():
        column = {name: numbers(batch.column(name)) for name in names}
        source = _numbers_of(column["source"], ids)
        own = np.flatnonzero(source != OUTSIDE)
        taken = {name: column[name][own] for name in ("first", "last", "template")}
        target = column["target"][own]
        parts.append({**taken, "source": source[own], "target_id": target})
    joined = {
        name: np.concatenate([part[name] for part in parts] or [np.empty(0, kind)])
        for name, kind in _KINDS.items()
    }
    order = np.lexsort((joined["first"], joined["source"]))
    sorted_links = {name: values[order] for name, values in joined.items()}
    return {**sorted_links, "target": _numbers_of(sorted_links["target_id"], ids)}


_KINDS = {
    "source": np.uint32,
    "target_id": np.uint64,
    "first": np.uint32,
    "last": np.uint32,
    "template": np.uint8,
}


def _numbers_of(keys: Numbers, ids: Numbers) -> Numbers:
    """The number of each id among ascending ids, or `OUTSIDE`."""
    if not len(ids):
        return np.full(len(keys), OUTSIDE, np.uint32)
    places = np.minimum(np.searchsorted(ids, keys), len(ids) - 1)
    found: Numbers = np.where(ids[places] == keys, places, OUTSIDE).astype(np.uint32)
    return found


def _place(ids: Numbers, key: int) -> int | None:
    place = int(_numbers_of(np.array([key], np.uint64), ids)[0])
    return None if place == OUTSIDE else place


def _root(index: IndexReader, name: str) -> int | None:
    """The root of a site. Two sites may have one id, by forgery."""
    for rows in index.tables["sites"].slices(_core.url_id(name)):
        for row in rows.select(["site", "root"]).to_pylist():
            if row["site"] == name:
                root: int | None = row["root"]
                return root
    return None
