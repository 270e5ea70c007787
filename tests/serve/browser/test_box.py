"""The box that `pagekin export` puts on the pages of a static site."""

import html
import json
import re
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

import pagekin
from pagekin import _core
from pagekin.export import file_name
from pagekin.export.reasons import reason_words
from tests.crawls import write_warc
from tests.serve.browser.attacks import attacks
from tests.serve.browser.files import served
from tests.serve.browser.looking import ROSES, Looking

pytestmark = pytest.mark.slow
Look = Callable[..., Looking]
ICON = '<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,">'


@dataclass(frozen=True)
class Site:
    """A static site: its folder, its URL and its index."""

    folder: Path
    base: str
    index: pagekin.Index

    def page(self, path: str, head: str, body: str = "") -> None:
        (self.folder / path).parent.mkdir(parents=True, exist_ok=True)
        (self.folder / path).write_text(f"{ICON}{head}<p>A page.</p>{body}", encoding="utf-8")


@pytest.fixture(scope="module")
def site(index: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    folder = tmp_path_factory.mktemp("static")
    pagekin.open(index).export(folder / "related", k=12)
    with served(folder) as base:
        yield Site(folder, base, pagekin.open(index))


def shown(page: Page) -> list[str]:
    page.locator(".pagekin-related").first.wait_for()
    return page.locator(".pagekin-related a").all_text_contents()


def wanted(site: Site, k: int = 12) -> list[str]:
    """The titles of the first related pages that were crawled."""
    hits = site.index.related(ROSES, k=24).hits
    return [hit.title or hit.url for hit in hits if hit.crawled][:k]


def test_demo_page_shows_the_box(look: Look, site: Site) -> None:
    page = look(site.base).at("/related/demo.html")
    expect(page.locator(".pagekin-related")).to_have_count(3)
    for number in range(3):
        section = page.locator("section").nth(number)
        url = section.locator("code").inner_text()
        hits = [hit for hit in site.index.related(url, k=24).hits if hit.crawled][:12]
        links = section.locator(".pagekin-related a")
        assert links.all_text_contents() == [hit.title or hit.url for hit in hits]
        assert [link.get_attribute("href") for link in links.all()] == [hit.url for hit in hits]
        words = reason_words(term.term for term in hits[0].why.terms)
        small = section.locator("small").first.inner_text()
        assert small == f"Both mention {', '.join(words)}" and len(words) == 3


def test_canonical_link_identifies_the_page(look: Look, site: Site) -> None:
    script = '<script src="/related/related.js" defer></script>'
    site.page("roses.html", f'<link rel="canonical" href="{ROSES}">', script)
    assert shown(look(site.base).at("/roses.html")) == wanted(site)


def test_address_identifies_the_page_on_any_origin(look: Look, site: Site) -> None:
    origin = "http://www.hedgerow.example"
    script = f'<script src="/related/related.js" data-origin="{origin}" defer></script>'
    site.page("plants/roses.html", "", script)
    looking = look(site.base)
    looking.missing = "/pages-"
    page = looking.at("/plants/roses.html#top")
    assert shown(page) == wanted(site)
    own = page.locator(f'.pagekin-related a[href^="{site.base}/"]').first
    assert own.get_attribute("rel") is None
    others = page.locator(f'.pagekin-related a:not([href^="{site.base}/"])').all()
    assert others
    assert {a.get_attribute("rel") for a in others} == {"noopener noreferrer nofollow"}
    site.page("index.html", "", script)
    assert len(shown(looking.at("/"))) == len(shown(looking.at("/index.html"))) == 12


@pytest.mark.parametrize(
    "canonical",
    [
        "https://hedgerow.example/plants/roses.html",
        "http://www.hedgerow.example/plants/roses",
        "https://elsewhere.example/plants/hellebores.html",
        "/not/crawled.html",
        "",
    ],
)
def test_page_is_found_by_any_canonical_address(look: Look, site: Site, canonical: str) -> None:
    """By another spelling of that address, or by the address of the visitor."""
    script = '<script src="/related/related.js" data-origin="http://www.hedgerow.example" defer>'
    link = f'<link rel="canonical" href="{canonical}">' if canonical else ""
    site.page("plants/roses.html", link, f"{script}</script>")
    looking = look(site.base)
    looking.missing = "/pages-"
    assert shown(looking.at("/plants/roses.html")) == wanted(site)


def test_site_of_one_origin_is_found_on_any_other(look: Look, site: Site, tmp_path: Path) -> None:
    """A folder is indexed under the address it will have, and looked at where it is."""
    for name in ("one", "two", "three"):
        text = "Roses are pruned at the end of winter when buds redden. " * 4
        (tmp_path / f"{name}.html").write_text(f"<title>{name}</title><p>{name}</p>{text}")
    pagekin.build(pagekin.Source(str(tmp_path), "https://to.be.example/"), tmp_path / "index")
    pagekin.open(tmp_path / "index").export(site.folder / "own", k=1)
    site.page("one.html", "", '<script src="/own/related.js" defer></script>')
    page = look(site.base).at("/one.html")
    assert shown(page) in (["two"], ["three"])
    link = page.locator(".pagekin-related a").get_attribute("href")
    assert link and link.startswith("https://to.be.example/t")


def test_box_looks_like_the_page(look: Look, site: Site) -> None:
    style = "<style>body {color: rgb(1, 2, 3); font: 20px serif} h2 {color: rgb(9, 9, 9)}</style>"
    script = f'<script src="/related/related.js" data-url="{ROSES}" defer></script>'
    site.page("styled.html", style, f"<h2>Heading</h2>{script}")
    page = look(site.base).at("/styled.html")
    assert len(shown(page)) == 12
    assert page.locator("link[rel=stylesheet]").count() == 0
    seen = "each => (s => [s.color, s.fontFamily, s.fontSize])(getComputedStyle(each))"
    box, own = page.locator(".pagekin-related"), page.locator("body > p").first
    assert box.locator("li").first.evaluate(seen) == own.evaluate(seen)
    heading = page.locator("body > h2")
    assert box.locator("h2").evaluate(seen) == heading.evaluate(seen)
    plain = "each => (s => [s.borderStyle, s.backgroundColor])(getComputedStyle(each))"
    assert box.evaluate(plain) == own.evaluate(plain)


def test_pages_without_common_words_say_who_links_to_both(look: Look, site: Site) -> None:
    hit = {"url": "http://odd.example/b", "title": "B", "terms": [], "linked_by": "A <list>"}
    folder = site.folder / "linked"
    shutil.copytree(site.folder / "related", folder)
    file = folder / "pages" / file_name("http://odd.example/a")
    file.parent.mkdir(parents=True)
    file.write_text(json.dumps({"http://odd.example/a": {"related": [hit]}}))
    (folder / "related.json").write_text(json.dumps({"format": 1, "folder": "pages"}))
    script = '<script src="/linked/related.js" data-url="http://odd.example/a" defer></script>'
    site.page("linked.html", "", script)
    page = look(site.base).at("/linked.html")
    assert shown(page) == ["B"]
    expect(page.locator(".pagekin-related small")).to_have_text("A <list> links to both")


def test_path_is_not_taken_for_a_host_and_query_is_kept_whole(look: Look, site: Site) -> None:
    """`/odd.html?a?b` is known as `/odd?a?b`; its related page has two strokes in its path."""
    origin = "http://odd.example"
    known = f"{origin}/odd?a?b"
    hit = {"url": f"{origin}//evil.example/x?y", "title": "Two strokes", "terms": []}
    folder = site.folder / "odd"
    shutil.copytree(site.folder / "related", folder)
    file = folder / "pages" / file_name(known)
    file.parent.mkdir(parents=True)
    file.write_text(json.dumps({known: {"related": [hit]}}))
    (folder / "related.json").write_text(json.dumps({"format": 1, "folder": "pages"}))
    script = f'<script src="/odd/related.js" data-origin="{origin}" defer></script>'
    site.page("odd.html", "", script)
    looking = look(site.base)
    looking.missing = "/pages/"
    page = looking.at("/odd.html?a?b")
    assert shown(page) == ["Two strokes"]
    link = page.locator(".pagekin-related a")
    assert link.evaluate("a => a.href") == f"{site.base}//evil.example/x?y"


def test_attributes_configure_the_box(look: Look, site: Site) -> None:
    options = (
        f'data-url="{ROSES}" data-into="#here" data-heading="Verwandte Seiten" data-most="2" '
        'data-reason="Gemeinsam: {words}"'
    )
    script = f'<div id="here"></div><p>after</p><script src="/related/related.js" {options} defer>'
    site.page("options.html", "", f"{script}</script>")
    page = look(site.base).at("/options.html")
    assert shown(page) == wanted(site, 2)
    expect(page.locator("#here > nav > h2")).to_have_text("Verwandte Seiten")
    assert page.locator("#here small").first.inner_text().startswith("Gemeinsam: ")


def test_page_without_a_file_has_no_box(look: Look, site: Site) -> None:
    script = '<script src="/related/related.js" data-url="http://x.example/" defer></script>'
    site.page("unknown.html", "", script)
    looking = look(site.base)
    looking.missing = "/pages-"
    with looking.page.expect_response(re.compile(r"/pages-")) as answer:
        page = looking.at("/unknown.html")
    assert answer.value.status == 404
    assert page.locator(".pagekin-related").count() == 0


def test_script_finds_the_file_of_any_url(look: Look, tmp_path: Path) -> None:
    write_warc(tmp_path / "odd.warc.gz", attacks())
    pagekin.build(tmp_path / "odd.warc.gz", tmp_path / "index")
    opened = pagekin.open(tmp_path / "index")
    exported = opened.export(tmp_path / "site", k=2)
    manifest = json.loads((tmp_path / "site" / "related.json").read_text())
    files = (tmp_path / "site" / manifest["folder"]).glob("*/*.json")
    urls = [url for file in files for url in json.loads(file.read_text())]
    assert len(urls) == exported.pages > 10
    spelled = [*urls, *(f"{_shouted(url)}#fragment" for url in urls)]
    assert all(_core.canonical(one) in urls for one in spelled)
    scripts = "".join(
        f'<script src="related.js" data-url="{html.escape(url)}" defer></script>' for url in spelled
    )
    (tmp_path / "site" / "all.html").write_text(f"{ICON}{scripts}", encoding="utf-8")
    with served(tmp_path / "site") as base:
        page = look(base).at("/all.html")
        expect(page.locator(".pagekin-related")).to_have_count(len(spelled))


def _shouted(url: str) -> str:
    """The same address in another spelling: host and escapes in other letters, a user."""
    lowered = re.sub(r"%[0-9A-F]{2}", lambda escape: escape[0].lower(), url)
    spelled = re.sub(r"(?<!%)(?<!%.)e", "%65", lowered.partition("example/")[2])
    return f"HTTP://me:secret@ATTACK.EXAMPLE:80/{spelled}"
