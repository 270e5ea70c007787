"""The list of sites, and the card of a site, against the tables."""

from collections import Counter
from importlib import import_module
from pathlib import Path

import pytest

import pagekin
from pagekin.errors import InputError, UnknownSite
from pagekin.strategy import presets
from tests.crawls import build_pages, rows

HEDGEROW = "www.hedgerow.example"


@pytest.fixture(scope="module")
def opened(index: Path) -> pagekin.Index:
    return pagekin.open(index)


def crawled_sites(index: Path) -> Counter[str]:
    return Counter(row["site"] for row in rows(index, "pages") if row["crawled"])


def test_sites_with_most_pages_come_first_and_parts_join(
    index: Path, opened: pagekin.Index
) -> None:
    expected = crawled_sites(index)
    found = opened.sites(k=1000)
    assert {each.site: each.pages for each in found.sites} == expected
    assert [each.pages for each in found.sites] == sorted(expected.values(), reverse=True)
    assert found.found == len(expected) > 4
    parts = [opened.sites(k=2, offset=offset) for offset in (0, 2)]
    assert [*parts[0].sites, *parts[1].sites] == found.sites[:4]
    assert parts[0].paging.next == 2
    assert opened.sites(k=5, offset=len(expected)).sites == []
    assert opened.sites(k=10**30, offset=10**30).sites == []
    assert opened.site(HEDGEROW, offset=10**30).main_pages == []


def test_sites_by_name_and_by_rank(index: Path, opened: pagekin.Index) -> None:
    by_name = [each.site for each in opened.sites(order="name", k=1000).sites]
    assert by_name == sorted(crawled_sites(index))
    ranked = sorted(rows(index, "sites"), key=lambda row: -row["rank"])
    expected = [row["site"] for row in ranked if row["pages"]]
    assert [each.site for each in opened.sites(order="rank", k=1000).sites] == expected


def test_part_of_a_name_finds_sites_in_any_case(opened: pagekin.Index) -> None:
    found = opened.sites("HEDGEROW")
    assert HEDGEROW in [each.site for each in found.sites]
    assert all("hedgerow" in each.site for each in found.sites)
    assert opened.sites("zz\udce9zz").sites == []


def test_unknown_order_is_an_error(opened: pagekin.Index) -> None:
    with pytest.raises(InputError, match="give one of pages, rank, name"):
        opened.sites(order="size")


def test_languages_are_counted(index: Path, opened: pagekin.Index) -> None:
    pages = [row for row in rows(index, "pages") if row["crawled"]]
    assert opened.languages() == Counter(row["language"] for row in pages if row["language"])


@pytest.mark.parametrize("name", [HEDGEROW, "WWW.hedgerow.example", f"http://{HEDGEROW}/x?y"])
def test_site_has_its_pages_best_ranked_first(
    index: Path, opened: pagekin.Index, name: str
) -> None:
    pages = [row for row in rows(index, "pages") if row["site"] == HEDGEROW]
    own = {row["id"]: row for row in pages if row["crawled"]}
    ranks = {row["id"]: row["rank"] for row in rows(index, "ranks") if row["id"] in own}
    found = opened.site(name, k=1000)
    assert (found.site, found.pages, found.linked) == (HEDGEROW, len(own), len(pages) - len(own))
    best = sorted(own, key=lambda key: -ranks[key])
    assert [each.url for each in found.main_pages] == [own[key]["url"] for key in best]
    months = Counter(f"{row['date']:%Y-%m}" for row in own.values() if row["date"])
    assert found.months == months and [*found.months] == sorted(months)
    languages = Counter(row["language"] for row in own.values() if row["language"])
    assert found.languages == languages
    assert found.counted == len(own)
    part = opened.site(name, k=2, offset=1)
    assert part.main_pages == found.main_pages[1:3]
    assert part.paging.next == 3


def test_dates_of_a_large_site_are_counted_in_a_sample(
    opened: pagekin.Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(import_module("pagekin.query.explore.site"), "COUNTED", 3)
    found = opened.site(HEDGEROW)
    assert sum(found.months.values()) == found.counted == 3 < found.pages


@pytest.mark.parametrize("name", ["hedgerow.example", "nowhere.example", "", "http://", "a b"])
def test_unknown_site_is_an_error_that_names_others(opened: pagekin.Index, name: str) -> None:
    with pytest.raises(UnknownSite, match="no page of this site was crawled") as told:
        opened.site(name)
    if name == "hedgerow.example":
        assert "did you mean" in told.value.advice and HEDGEROW in told.value.advice


def test_site_that_is_only_linked_to_is_unknown(index: Path, opened: pagekin.Index) -> None:
    linked = next(row["site"] for row in rows(index, "sites") if not row["pages"])
    with pytest.raises(UnknownSite):
        opened.site(linked)


def test_pages_without_dates_have_no_months(tmp_path: Path) -> None:
    pages = {"a": "<title>A</title>garden", "b": "garden"}
    with pagekin.open(build_pages(tmp_path, pages, presets()["content"])) as built:
        found = built.site("t.example")
        assert found.subjects == []
        assert {each.title for each in found.main_pages} == {"A", ""}


def test_dates_are_those_of_captures(opened: pagekin.Index) -> None:
    page = opened.site(HEDGEROW, k=1).main_pages[0]
    assert page.date == opened.show(page.url).date
