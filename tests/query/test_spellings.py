"""Suggestions for unknown URLs."""

from pathlib import Path

import pytest

import pagekin
from pagekin.strategy import Site
from tests.query.indexes import Built, sample

KNOWN = {
    "roses": "http://www.hedgerow.example/plants/roses.html",
    "club": "http://allotment-club.example/",
    "soaring": "http://www.national-soaring-centre.example/",
}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    return sample(tmp_path_factory.mktemp("spellings"))


def meant(built: Built, url: str) -> str:
    with pytest.raises(pagekin.errors.UnknownPage) as caught:
        built.index.related(url)
    return caught.value.advice


@pytest.mark.parametrize(
    ("url", "known"),
    [
        ("https://www.hedgerow.example/plants/roses.html", "roses"),
        ("http://hedgerow.example/plants/roses.html", "roses"),
        ("https://hedgerow.example/plants/roses.html", "roses"),
        ("http://www.hedgerow.example/plants/roses.html/", "roses"),
        ("http://www.hedgerow.example/plants/roses.html?print=1", "roses"),
        ("http://www.hedgerow.example/PLANTS/Roses.html", "roses"),
        ("http://allotment-club.example/index.html", "club"),
        ("https://www.allotment-club.example/index.html", "club"),
        ("https://national-soaring-centre.example", "soaring"),
    ],
)
def test_equivalent_url_is_the_only_suggestion(built: Built, url: str, known: str) -> None:
    assert meant(built, url).startswith(f"did you mean {KNOWN[known]}? ask for")


@pytest.mark.parametrize(
    "url",
    [
        "http://www.hedgerow.example/plants/rose.html",
        "http://www.hedgerow.example/plnts/roses.html",
        "http://www.hedgerow.example/plants/roses.htm",
        "http://www.hedgrow.example/plants/roses.html",
        "http://www.hedgerow.exmaple/plants/roses.html",
    ],
)
def test_misspelt_url_suggests_the_intended_one_first(built: Built, url: str) -> None:
    assert meant(built, url).startswith(f"did you mean {KNOWN['roses']}")


@pytest.mark.parametrize("url", ["http://quite.different.invalid/", "http://x/"])
def test_unlike_url_has_no_suggestion(built: Built, url: str) -> None:
    assert meant(built, url) == (
        "ask for a page of the crawl or one it links to; if this one was fetched, its response was "
        "skipped, perhaps because it redirects"
    )


def test_unknown_unlike_page_is_named(built: Built) -> None:
    unknown = "http://www.hedgerow.example/plants/tulip.html"
    with pytest.raises(pagekin.errors.UnknownPage, match="tulip"):
        built.index.related(KNOWN["roses"], unlike=[unknown])


def test_suggestions_come_from_every_shard(tmp_path: Path, built: Built) -> None:
    pagekin.build(
        built.path.parent / "sample.warc.gz",
        tmp_path / "index",
        settings=pagekin.Settings(shard_urls=20),
    )
    many = Built(tmp_path / "index")
    assert many.index.reader.manifest.shards > 1
    for url in many.sites:
        assert f"did you mean {url}" in meant(many, url.replace("http:", "https:"))


def test_suggestions_come_from_the_domain_if_sites_are_domains(
    tmp_path: Path, built: Built
) -> None:
    strategy = pagekin.Strategy(site=Site(kind="domain"))
    crawl = built.path.parent / "sample.warc.gz"
    pagekin.build(crawl, tmp_path / "index", strategy=strategy)
    domain = Built(tmp_path / "index")
    slip = "http://ww.hedgerow.example/plants/rose.html"
    assert meant(domain, slip).startswith(f"did you mean {KNOWN['roses']}")
