"""The overview of a crawl, against its tables."""

from pathlib import Path

import pagekin
from pagekin.query.explore.overview import CANDIDATES
from pagekin.strategy import presets
from tests.crawls import build_pages, rows


def test_overview_has_counts_and_highest_ranked_pages_and_sites(index: Path) -> None:
    found = pagekin.open(index).overview()
    pages = {row["id"]: row for row in rows(index, "pages")}
    crawled = [row for row in pages.values() if row["crawled"]]
    assert (found.pages, found.linked) == (len(crawled), len(pages) - len(crawled))
    assert found.sites == len({row["site"] for row in pages.values()})
    assert found.links == len(rows(index, "links"))
    ranked = sorted(rows(index, "ranks"), key=lambda row: -row["rank"])[:CANDIDATES]
    titled = [pages[row["id"]] for row in ranked if pages[row["id"]]["title"]]
    assert [page.url for page in found.best_pages] == [row["url"] for row in titled[:8]]
    sites = sorted(rows(index, "sites"), key=lambda row: -row["rank"])
    home = [pages[row["root"]]["url"] for row in sites if row["pages"]]
    assert [site.home for site in found.best_sites] == home[:8]


def test_overview_of_one_site_lists_no_sites(tmp_path: Path) -> None:
    pages = {"a": "<title>A</title>garden", "b": "garden"}
    found = pagekin.open(build_pages(tmp_path, pages, presets()["content"])).overview()
    assert (found.sites, found.best_sites) == (1, [])
    assert [page.title for page in found.best_pages] == ["A"]
