"""Builds of Sphinx that write few pages, other builders, and MkDocs' own ways to build."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.generators.building import ENVIRONMENT, Site
from tests.generators.sites import Pages, sample

ROSES, SHARES = "hedgerow/plants/roses", "marketbell/shares"


@pytest.fixture
def sphinx(tmp_path: Path) -> Site:
    return Site("sphinx", tmp_path).write(sample())


@pytest.fixture
def mkdocs(tmp_path: Path) -> Site:
    return Site("mkdocs", tmp_path).write(sample())


def times(site: Site) -> dict[str, int]:
    """When the file of each document was written. Sphinx writes its indexes each time."""
    files = site.pages()
    return {path: files[path].stat().st_mtime_ns for path in map(site.path, sample())}


def test_nothing_is_computed_when_nothing_changed(sphinx: Site) -> None:
    sphinx.build()
    assert "relating pages" in sphinx.told
    before = times(sphinx)
    sphinx.build()
    assert "relating pages" not in sphinx.told and times(sphinx) == before


def test_incremental_build_gives_what_a_fresh_build_gives(sphinx: Site, tmp_path: Path) -> None:
    sphinx.build()
    before = times(sphinx)
    shares = sphinx.source(SHARES).read_text(encoding="utf-8")
    sphinx.source(ROSES).write_text(f"{shares}\n\nRoses.", encoding="utf-8")
    sphinx.build()
    again = sphinx.lists()
    changed = {path for path, time in times(sphinx).items() if time != before[path]}
    assert sphinx.path(ROSES) in changed and len(changed) < len(before)
    written = [line for line in sphinx.told.splitlines() if ", 1 changed" in line]
    assert len(written) == 1 and len(changed) > 1, sphinx.told
    assert sphinx.build("-E", "-a", "-d", str(tmp_path / "new")).lists() == again


@pytest.mark.slow
def test_no_list_links_to_a_page_that_is_gone(sphinx: Site) -> None:
    gone = "hedgerow/tools/spades"
    sphinx.build()
    sphinx.source(gone).unlink()
    lists = sphinx.build().lists()
    suggested = {
        link.path for path, links in lists.items() if path != sphinx.path(gone) for link in links
    }
    assert suggested and sphinx.path(gone) not in suggested


@pytest.mark.slow
def test_a_new_heading_needs_no_page_to_be_written(sphinx: Site) -> None:
    sphinx.build()
    sphinx.settings = {"heading": "See these"}
    sphinx.build()
    assert "<h2>See these</h2>" in sphinx.pages()[sphinx.path(ROSES)].read_text(encoding="utf-8")


@pytest.mark.slow
def test_several_processes_write_pages(sphinx: Site, tmp_path: Path) -> None:
    one = sphinx.build().lists()
    assert sphinx.build("-j", "2", "-E", "-a", "-d", str(tmp_path / "new")).lists() == one


@pytest.mark.slow
def test_pages_in_folders_of_their_own(sphinx: Site) -> None:
    sphinx.build("-b", "dirhtml")
    lists = sphinx.lists()
    assert len(lists) > 20
    assert {link.path for links in lists.values() for link in links} <= lists.keys()


@pytest.mark.slow
@pytest.mark.parametrize("builder", ["singlehtml", "text", "epub", "json", "dummy"])
def test_other_builders_are_left_alone(sphinx: Site, builder: str) -> None:
    sphinx.build("-b", builder)
    assert "relating pages" not in sphinx.told and "pagekin: " not in sphinx.told
    for file in sphinx.output.rglob("*.*html"):
        assert "related pages" not in file.read_text(encoding="utf-8")


@pytest.mark.slow
def test_a_failed_build_is_not_related(sphinx: Site) -> None:
    sphinx.source("broken").write_text(".. unknown::\n", encoding="utf-8")
    with pytest.raises(AssertionError, match="unknown"):
        sphinx.build("-W", "--exception-on-warning")
    assert not sphinx.output.joinpath(".doctrees", "pagekin-html", "done").exists()


def test_strict_build_of_mkdocs_passes(mkdocs: Site) -> None:
    mkdocs.build("--strict")
    assert len(mkdocs.lists()) > 20


@pytest.mark.slow
def test_mkdocs_without_folders(mkdocs: Site) -> None:
    mkdocs.build("--no-directory-urls")
    lists = mkdocs.lists()
    assert len(lists) > 20
    assert {link.path for links in lists.values() for link in links} <= mkdocs.pages().keys()


def test_search_of_mkdocs_does_not_know_the_lists(mkdocs: Site) -> None:
    mkdocs.build()
    searched = (mkdocs.output / "search" / "search_index.json").read_text(encoding="utf-8")
    assert "Both mention" not in searched and "related pages" not in searched


@pytest.mark.slow
def test_copies_of_a_page_are_one(tmp_path: Path) -> None:
    pages: Pages = sample()
    pages["hedgerow/copy"] = [*pages[ROSES]]
    site = Site("sphinx", tmp_path).write(pages).build()
    for links in site.lists().values():
        paths = {link.path for link in links}
        assert not {site.path(ROSES), site.path("hedgerow/copy")} <= paths


DIRTY = """
import os, sys
from mkdocs.commands.build import build
from mkdocs.config import load_config

config = load_config("mkdocs.yml")
config.plugins.on_startup(command="serve", dirty=True)
build(config, dirty=True)
changed, text = sys.argv[1:]
with open(changed, "a", encoding="utf-8") as file:
    file.write(text)
os.utime(changed, (2e9, 2e9))
build(config, dirty=True)
"""


def dirty_builds(site: Site, text: str) -> None:
    """Two builds as `mkdocs serve --dirty` does them, and a change of a page between them."""
    words = [sys.executable, "-c", DIRTY, str(site.source(ROSES)), text]
    subprocess.run(words, cwd=site.folder, check=True, capture_output=True, env=ENVIRONMENT)


@pytest.mark.slow
def test_dirty_build_of_mkdocs_knows_pages_that_it_read_before(mkdocs: Site) -> None:
    before = mkdocs.build().lists()
    shares = mkdocs.source(SHARES).read_text(encoding="utf-8")
    shutil.rmtree(mkdocs.output)
    dirty_builds(mkdocs, f"\n\n{shares * 3}")
    after = mkdocs.lists()
    assert after.keys() == before.keys()
    assert mkdocs.path(ROSES) in {link.path for link in after[mkdocs.path(SHARES)]}
    assert mkdocs.path(ROSES) not in {link.path for link in before[mkdocs.path(SHARES)]}


@pytest.mark.slow
def test_build_that_does_not_read_all_pages_keeps_lists(mkdocs: Site) -> None:
    before = mkdocs.build().lists()
    dirty_builds(mkdocs, "Roses.")
    del before[mkdocs.path(ROSES)]
    assert mkdocs.lists() == before
