"""Search for pairs: by hand, and against an exhaustive search."""

import random
from pathlib import Path

import pytest

from pagekin import _core
from pagekin.api import Index
from pagekin.pairs import Pairs
from pagekin.strategy import Site, Strategy, presets
from tests.crawls import SHARED, rows, write_warc
from tests.pairs.crawl import SITES, SlowSearch, arcs_of, built, write_sites
from tests.reference import Capture

UNIVERSITIES = SHARED / "universities.warc.gz"
ONE = "http://one.example/"


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_sites(tmp_path_factory.mktemp("pairs") / "sites.warc.gz")


@pytest.fixture(scope="module")
def index(archive: Path) -> Index:
    return built(archive, archive.parent / "index")


def urls(answer: Pairs) -> list[tuple[str, str]]:
    return [(pair.source.url, pair.target.url) for site in answer.sites for pair in site.pairs]


def test_example_of_the_paper(index: Index) -> None:
    answer = index.pairs(["university", "research", "data structures"])
    assert [site.site for site in answer.sites] == ["one.example", "two.example"]
    one = answer.sites[0]
    assert (one.home, one.title) == (ONE, "University of One")
    (pair,) = one.pairs
    assert pair.source.url == f"{ONE}research"
    assert pair.target.url == f"{ONE}structures"
    assert (pair.source.title, pair.target.title) == ("Research", "Data structures")
    assert "[data structures group]" in pair.words
    # The linking page has research 4 times (title, text twice, and the link to it), which is the
    # site's most, and "data structures" once for the link; the other one has it 3 times.
    carried = {each.keyword: (each.count, each.strength) for each in pair.source.carries}
    assert carried == {"research": (3, 1.0), "data structures": (1, 1 / 3)}
    carried = {each.keyword: (each.count, each.strength) for each in pair.target.carries}
    assert carried == {"research": (1, 1 / 3), "data structures": (3, 1.0)}
    assert pair.weight == pytest.approx(0.6 + 0.4 / 9)


def test_first_keyword_only_selects_sites(index: Index) -> None:
    both = index.pairs(["university", "research", "data"])
    other = index.pairs(["prices", "research", "data"])
    assert [site.site for site in other.sites] == ["two.example"]
    assert urls(other) == [("http://two.example/", "http://two.example/lab")]
    assert set(urls(other)) < set(urls(both))


def test_pages_unreachable_from_the_root_are_in_no_pair(index: Index) -> None:
    every = index.pairs(["university", "research", "data structures"], per_site=100)
    assert not [pair for pair in urls(every) if f"{ONE}island" in pair]


def test_pairs_of_a_site_are_ordered_by_weight(index: Index) -> None:
    answer = index.pairs(["university", "research", "portal"], per_site=3, sites=1)
    weights = [pair.weight for pair in answer.sites[0].pairs]
    assert len(weights) == 3
    assert weights == sorted(weights, reverse=True)


def test_with_two_keywords_the_linking_page_carries_the_first(index: Index) -> None:
    answer = index.pairs(["university", "research"], alpha=1)
    pair = answer.sites[0].pairs[0]
    assert (pair.source.url, pair.target.url) == (ONE, f"{ONE}research")
    assert pair.weight == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("words", "alpha", "weight"),
    [
        (("trains", "algebra"), 1.0, 1.0),
        (("trains", "algebra"), 0.5, 0.5),
        (("algebra", "trains"), 0.75, 0.25),
        (("algebra", "trains"), 1.0, None),
    ],
)
def test_alpha_weighs_the_order_of_keywords(
    index: Index, words: tuple[str, str], alpha: float, weight: float | None
) -> None:
    answer = index.pairs(["university", *words], alpha=alpha)
    assert [pair.weight for site in answer.sites for pair in site.pairs] == (
        [] if weight is None else [weight]
    )
    assert (answer.empty is None) == bool(answer.sites)


def test_sites_are_ordered_by_rank_times_keyword_frequency(index: Index) -> None:
    answer = index.pairs(["university", "research", "data"])
    named = {row["site"]: row for row in rows(index.path, "sites")}
    orders = [site.rank * site.about for site in answer.sites]
    assert orders == sorted(orders, reverse=True)
    for site in answer.sites:
        assert site.rank == named[site.site]["rank"]
        assert 0 < site.about <= named[site.site]["urls"]
    assert named["one.example"]["pages"] == named["one.example"]["urls"] == 5


def test_anchor_text_alone_can_select_a_site(tmp_path: Path) -> None:
    pages = [
        ("http://a.example/", "<title>A</title>red <a href='/b'>next</a>"),
        ("http://a.example/b", "<title>B</title>blue"),
        ("http://c.example/", "<title>C</title><a href='http://a.example/b'>college</a>"),
    ]
    captures = [Capture(url, body.encode(), "utf-8", 1) for url, body in pages]
    write_warc(tmp_path / "c.warc.gz", captures)
    index = built(tmp_path / "c.warc.gz", tmp_path / "index")
    answer = index.pairs(["college", "red", "blue"])
    assert [site.site for site in answer.sites] == ["a.example"]
    assert answer.sites[0].about == 1


@pytest.mark.parametrize("name", presets())
def test_every_strategy_finds_pairs(name: str, archive: Path, tmp_path: Path) -> None:
    index = built(archive, tmp_path / name, strategy=presets()[name])
    answer = index.pairs(["university", "research", "data structures"])
    assert (f"{ONE}research", f"{ONE}structures") in urls(answer)


def test_hosts_of_a_domain_form_one_site(tmp_path: Path) -> None:
    strategy = Strategy(site=Site("domain"))
    pages = [
        ("http://www.a.co.uk/", "<title>Castle</title>red <a href='http://b.a.co.uk/'>on</a>"),
        ("http://b.a.co.uk/", "<title>B</title>blue"),
        ("http://c.co.uk/", "<title>C</title>red"),
    ]
    write_warc(tmp_path / "d.warc.gz", [Capture(u, b.encode(), "utf-8", 1) for u, b in pages])
    index = built(tmp_path / "d.warc.gz", tmp_path / "domain", strategy=strategy)
    assert {row["site"] for row in rows(index.path, "sites")} == {"a.co.uk", "c.co.uk"}
    assert {row["site"] for row in rows(index.path, "pages")} == {"a.co.uk", "c.co.uk"}
    answer = index.pairs(["castle", "red", "blue"])
    assert [(site.site, site.home) for site in answer.sites] == [("a.co.uk", pages[0][0])]
    by_host = built(tmp_path / "d.warc.gz", tmp_path / "host")
    assert by_host.pairs(["castle", "red", "blue"]).empty


def assert_slow_search_agrees(index: Index, queries: list[list[str]], alpha: float) -> int:
    slow = SlowSearch(index.path, index.strategy, arcs_of(index.path))
    compared = 0
    for query in queries:
        answer = index.pairs(query, alpha=alpha, sites=1000, per_site=3)
        keywords = query[1:] if len(query) > 2 else query
        for site in answer.sites:
            weights = slow.best(site.site, keywords, alpha)
            highest = sorted(weights.values(), reverse=True)[:3]
            assert [pair.weight for pair in site.pairs] == pytest.approx(highest)
            for pair in site.pairs:
                arc = _core.url_id(pair.source.url), _core.url_id(pair.target.url)
                assert weights[arc] == pytest.approx(pair.weight)
                compared += 1
    return compared


def test_pairs_match_an_exhaustive_search(index: Index) -> None:
    words = [
        "university",
        "research",
        "data structures",
        "portal",
        "group",
        "students",
        "laboratory",
    ]
    pick = random.Random(1)
    queries = [pick.sample(words, pick.randint(2, 5)) for _ in range(30)]
    assert assert_slow_search_agrees(index, queries, 0.7) > 30


def test_index_holds_the_pages_of_the_test_crawl(index: Index) -> None:
    assert {row["url"] for row in rows(index.path, "pages")} == set(SITES)


@pytest.mark.slow
@pytest.mark.skipif(not UNIVERSITIES.exists(), reason="no universities.warc.gz: see docs/data.md")
def test_pairs_match_an_exhaustive_search_on_universities(tmp_path: Path) -> None:
    index = built(UNIVERSITIES, tmp_path / "index", shard_urls=5000)
    queries = [
        ["university", "research", "data structures"],
        ["university", "faculty"],
        ["department", "course", "homework", "compiler"],
    ]
    assert assert_slow_search_agrees(index, queries, 0.6) > 20
