"""Real sites of both generators: what authors and readers see."""

import pytest

from tests.generators.building import Site
from tests.generators.conftest import ABROAD
from tests.generators.sites import MANUALS, Pages, block, manual, sample

ROSES = "hedgerow/plants/roses"


def test_every_page_with_text_has_a_list_of_pages_that_exist(site: Site) -> None:
    lists, pages = site.lists(), site.pages()
    for name in sample():
        assert 1 <= len(lists[site.path(name)]) <= 4, name
    for path, links in lists.items():
        targets = [link.path for link in links]
        assert len({*targets, path}) == len(targets) + 1
        assert {*targets} <= pages.keys(), path


def test_related_pages_are_about_the_same(site: Site) -> None:
    paths = [link.path for link in site.list_of("marketbell/shares")]
    assert all(path.startswith("marketbell/") for path in paths[:3])
    assert site.path("hedgerow/tools/secateurs") in [link.path for link in site.list_of(ROSES)]


def test_titles_are_those_of_pages_and_reasons_are_words(site: Site) -> None:
    titles = {site.path(name): blocks[0].text.strip() for name, blocks in sample().items()}
    for links in site.lists().values():
        for link in links:
            assert link.title == titles.get(link.path, link.title)
            assert "Hedgerow handbook" not in link.title
            assert not link.reason or link.reason.startswith("Both mention ")
    assert all(link.reason for link in site.list_of(ROSES)[:2])


def test_pages_aside_have_no_list_and_are_not_suggested(site: Site) -> None:
    lists = site.lists()
    suggested = {link.path for links in lists.values() for link in links}
    for name in ("short", "404", "changelog", "search", "genindex", "index"):
        assert site.path(name) not in {*lists, *suggested}
        assert f"{name}.html" not in {*lists, *suggested}


def test_names_that_are_not_ascii_work(site: Site) -> None:
    assert site.list_of(ABROAD)
    suggested = {link.path: link.title for links in site.lists().values() for link in links}
    assert suggested[site.path(ABROAD)] == "Größte Rosen"


def test_markup_in_titles_is_text(site: Site) -> None:
    suggested = {link.path: link.title for links in site.lists().values() for link in links}
    assert suggested[site.path("markup")] == "Spades & <forks>"


def test_a_good_build_says_nothing_bad(site: Site) -> None:
    assert "pagekin: " not in site.told


def test_three_pages_are_enough(draft: Site) -> None:
    three = {name: blocks for name, blocks in sample().items() if "plants" in name}
    assert len(three) == 3
    draft.write(three).build()
    assert len(draft.lists()) >= 2
    assert "pagekin: " not in draft.told


@pytest.mark.slow
@pytest.mark.parametrize("pages", [0, 1])
def test_a_site_without_related_pages_has_no_list(draft: Site, pages: int) -> None:
    some = dict([*sample().items()][:pages])
    draft.write({"index": [block("h1", "Start")], **some}).build()
    assert not draft.lists() and "pagekin: " not in draft.told


@pytest.mark.slow
def test_a_page_opts_out(draft: Site) -> None:
    draft.write(sample())
    source = draft.source(ROSES)
    mark = ":no-related:\n\n" if draft.kind == "sphinx" else "---\nrelated: false\n---\n"
    source.write_text(mark + source.read_text(encoding="utf-8"), encoding="utf-8")
    draft.build()
    suggested = {link.path for links in draft.lists().values() for link in links}
    assert draft.path(ROSES) not in suggested and not draft.list_of(ROSES)
    assert suggested


def test_settings_change_the_list(draft: Site) -> None:
    draft.settings = {"k": 2, "heading": "Verwandte Seiten", "reason": "Gemeinsam: {words}"}
    draft.write(sample()).build()
    lists = draft.lists()
    assert lists and max(map(len, lists.values())) == 2
    page = draft.pages()[draft.path(ROSES)].read_text(encoding="utf-8")
    assert "<h2>Verwandte Seiten</h2>" in page and 'aria-label="Verwandte Seiten"' in page
    assert "<small>Gemeinsam: " in page


@pytest.mark.slow
def test_a_list_leaves_out_what_the_page_links_to_if_asked(draft: Site) -> None:
    draft.settings = {"exclude_linked": True}
    pages = sample()
    draft.write(pages).build()
    for name, blocks in pages.items():
        linked = {target for each in blocks for _, target in each.parts if target}
        found = {link.path for link in draft.list_of(name)}
        assert found.isdisjoint(map(draft.path, linked)), name


@pytest.mark.slow
def test_versions_of_a_manual_stay_apart(draft: Site) -> None:
    pages: Pages = {"index": [block("h1", "Start")]}
    for version in ("1.0", "2.0"):
        note = block("p", f"This page is of version {version} of the handbook.")
        for name, blocks in sample().items():
            pages[f"{version}/{name}"] = [*blocks, note]
    draft.write(pages).build()
    lists = draft.lists()
    for name in sample():
        for version in ("1.0", "2.0"):
            links = lists[draft.path(f"{version}/{name}")]
            assert links and all(link.path.startswith(f"{version}/") for link in links)


def test_broken_pages_break_nothing(draft: Site) -> None:
    draft.write(sample())
    broken = ".. unknown::\n\n`open |x **y\n\n.. raw:: html\n\n   <div><a href='x'><table><!-- oh\n"
    draft.source("broken").write_text(broken, encoding="utf-8")
    draft.source("empty").write_text("", encoding="utf-8")
    draft.build()
    assert draft.list_of(ROSES)


@pytest.mark.parametrize("setting", [{"k": 0}, {"min_score": 7}])
def test_impossible_settings_are_a_warning(draft: Site, setting: dict[str, object]) -> None:
    draft.settings = setting
    draft.write(sample()).build()
    (name,) = setting
    assert "WARNING" in draft.told and f"{name}: {setting[name]} is not" in draft.told
    assert not draft.lists() and len(draft.pages()) > 20


@pytest.mark.slow
@pytest.mark.skipif(not MANUALS.exists(), reason="no manuals.warc.gz: see docs/data.md")
def test_a_manual_of_more_than_200_pages(draft: Site) -> None:
    pages = manual()
    assert len(pages) > 200
    lists = draft.write(pages).build("-q").lists()
    files = draft.pages()
    assert len(lists) > 0.9 * len(pages)
    for links in lists.values():
        assert len(links) == 5 and {link.path for link in links} <= files.keys()
    aggregation = [link.title for link in draft.list_of("topics/db/aggregation")]
    assert "Query Expressions" in aggregation
