"""Synthetic crawls of pages and links, as DataFrames and as local tables."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from pagekin import _core
from pagekin.engines.site_graphs import SiteGraphs, site_graphs
from pagekin.engines.spark.frames import signed


@dataclass(frozen=True, slots=True)
class MadeUp:
    """Pages (id, site, crawled) and links (target, source), in order."""

    pages: pa.RecordBatch
    links: pa.RecordBatch

    def local(self) -> SiteGraphs:
        """What the local engine makes of them."""
        return site_graphs([self.pages], [self.links])

    def frames(self, spark: Any) -> tuple[Any, Any]:
        """Both as DataFrames, links with some repeated."""
        pages = zip(
            signed(self.pages.column("id")).to_pylist(),
            self.pages.column("site").to_pylist(),
            self.pages.column("crawled").to_pylist(),
            strict=True,
        )
        links = [*zip(*(signed(side).to_pylist() for side in self.links.columns), strict=True)]
        return (
            spark.createDataFrame([*pages], "id long, site string, crawled boolean"),
            spark.createDataFrame([*links, *links[:50]], "target long, source long"),
        )


def made_up(urls: int, seed: int) -> MadeUp:
    """Sites of several sizes, some with a home page, popular pages, most pages not crawled.

    That most links lead to pages without any is like a real crawl, and makes PageRank settle soon.
    """
    random = np.random.default_rng(seed)
    hosts = [f"h{random.zipf(1.5) % (urls // 10)}.example" for _ in range(urls)]
    names = {
        f"http://{host}/{random.choice(['', str(n)], p=[0.1, 0.9])}" for n, host in enumerate(hosts)
    }
    known = sorted(names, key=_core.url_id)
    ids = np.array([_core.url_id(url) for url in known], np.uint64)
    crawled = random.random(len(ids)) < 0.2
    sources = random.choice(np.flatnonzero(crawled), 10 * len(ids))
    targets = (random.zipf(1.4, 10 * len(ids)) * 7919) % len(ids)
    links = np.unique(np.stack([ids[targets], ids[sources]], 1)[targets != sources], axis=0)
    return MadeUp(
        pa.record_batch(
            [pa.array(ids), pa.array([_core.site(url) for url in known]), pa.array(crawled)],
            names=["id", "site", "crawled"],
        ),
        pa.record_batch(
            [pa.array(links[:, side].copy()) for side in (0, 1)], names=["target", "source"]
        ),
    )
