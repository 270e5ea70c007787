"""Every page in a real browser shows what the library answers."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import expect

import pagekin
from pagekin import Filters
from tests.serve.browser.looking import HELLEBORES, ROSES, Looking

pytestmark = pytest.mark.slow
Look = Callable[..., Looking]


@pytest.fixture(scope="module")
def opened(index: Path) -> pagekin.Index:
    return pagekin.open(index)


def test_start_page_shows_the_crawl_and_accepts_a_url(look: Look, opened: pagekin.Index) -> None:
    looking = look()
    page = looking.at("/")
    facts = page.locator(".facts").inner_text()
    assert f"pages crawled\n{opened.counts['pages']}\n" in facts
    assert f"sites\n{opened.sites().found}\n" in facts
    listed = page.locator("#sites + ul li").all_inner_texts()
    assert [site.site in text for site, text in zip(opened.sites(k=8).sites, listed, strict=True)]
    assert facts.endswith("classes\n18")
    assert page.locator("#pages + ul li").count() == 8
    page.get_by_label("A URL, words, or a pasted text").fill(ROSES)
    page.get_by_role("button", name="Find related pages").click()
    expect(page).to_have_url(re.compile(r"/related\?url=http%3A%2F%2Fwww.hedgerow"))
    expect(page.get_by_role("heading", level=1)).to_contain_text("Old roses without fear")


@pytest.mark.parametrize("written", ["www.hedgerow.example/plants/roses.html", f"  {ROSES}\n"])
def test_start_page_accepts_a_url_without_its_scheme(look: Look, written: str) -> None:
    looking = look()
    page = looking.at("/")
    page.locator("#q").fill(written)
    page.get_by_role("button", name="Find related pages").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Old roses without fear")


def test_start_page_accepts_words_and_whole_texts(look: Look, opened: pagekin.Index) -> None:
    looking = look()
    page = looking.at("/")
    page.locator("#q").fill("a thunderstorm with hail")
    page.locator("#q").press("Enter")
    expect(page).to_have_url(re.compile(r"text=a\+thunderstorm\+with\+hail$"))
    expected = opened.related_to_text("a thunderstorm with hail").hits
    assert page.locator(".hit .title a").first.inner_text() == (
        expected[0].title or expected[0].url
    )
    looking.at("/")
    page.locator("#q").fill("roses and thunder, hail and pruning\n" * 200)
    page.get_by_role("button", name="Find related pages").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Related to a text")
    assert page.locator(".hit").count() == 10


def test_start_page_accepts_an_upload(look: Look, tmp_path: Path) -> None:
    (tmp_path / "draft.html").write_text("<title>My draft</title><p>prune old roses in spring")
    page = look().at("/")
    page.get_by_label("An HTML file").set_input_files(tmp_path / "draft.html")
    page.get_by_role("button", name="Find pages related to it").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Related to My draft")
    assert "roses" in page.locator(".hit").first.inner_text()


def test_related_page_shows_the_card_and_hits_with_reasons(
    look: Look, opened: pagekin.Index
) -> None:
    looking = look()
    page = looking.at("/related", url=ROSES)
    card = page.locator(".card")
    for term in opened.show(ROSES).terms:
        assert f"{term.term} {term.share:.1%}" in card.inner_text()
    hits = opened.related(ROSES).hits
    assert page.locator(".hit").count() == len(hits)
    for number, hit in enumerate(hits):
        shown = page.locator(".hit").nth(number)
        assert shown.locator(".score").inner_text().endswith(f"{hit.score:.3f}")
        width = shown.locator(".bar .fill").first.get_attribute("width")
        assert width == f"{hit.score * 100:.2f}"
        shown.locator(".why > summary").click()
        assert shown.locator(".address a").first.get_attribute("href") == hit.url
        text = shown.inner_text()
        assert all(f"{term.term} {term.share:.1%}" in text for term in hit.why.terms)
        assert text.index(shown.locator(".snippet").inner_text()) < text.index(f"{hit.score:.3f}")
        if hit.why.cited_together_by:
            cited = hit.why.cited_together_by[0]
            assert f"linked together by {cited.url}" in text
            anchors = re.findall(r"\[([^\]]+)\]", cited.words)
            marked = shown.locator("blockquote").first.locator("mark").all_inner_texts()
            assert [anchor for anchor in anchors if anchor] == marked
    page.locator(".hit .title a").first.click()
    expect(page.get_by_role("heading", level=1)).to_contain_text(hits[0].title or hits[0].url)


def test_filters_are_controls_and_their_state_is_in_the_address(
    look: Look, opened: pagekin.Index
) -> None:
    looking = look()
    page = looking.at("/related", url=ROSES)
    page.get_by_text("Filters", exact=True).click()
    page.get_by_label("Other sites only").check()
    page.get_by_label("Minimum score").fill("0.12")
    page.locator("#k").select_option("5")
    page.get_by_role("button", name="Apply").click()
    expect(page).to_have_url(re.compile(r"k=5.*min_score=0\.12.*exclude_site=1"))
    filters = Filters(k=5, min_score=0.12, exclude_site=True)
    expected = opened.related(ROSES, filters=filters)
    assert page.locator(".hit .address:visible").all_inner_texts() == [
        hit.url for hit in expected.hits
    ]
    assert expected.note and expected.note[1:] in page.locator(".note").inner_text()
    expect(page.get_by_label("Other sites only")).to_be_checked()
    expect(page.get_by_label("Minimum score")).to_have_value("0.12")
    looking.at("/related", url=ROSES, k=5)
    first = page.locator(".hit .address:visible").all_inner_texts()
    page.get_by_role("link", name="next", exact=True).click()
    second = page.locator(".hit .address:visible").all_inner_texts()
    assert [*first, *second] == [hit.url for hit in opened.related(ROSES, k=10).hits]
    page.get_by_role("link", name="previous").click()
    assert page.locator(".hit .address:visible").all_inner_texts() == first


def test_search_suggests_while_typing_and_supports_keys(look: Look) -> None:
    looking = look()
    page = looking.at("/")
    page.keyboard.press("/")
    expect(page.get_by_label("Search pages by words")).to_be_focused()
    page.keyboard.type("hellebores")
    options = page.get_by_role("option")
    expect(options.first).to_contain_text("Hellebores for the dark end of the garden")
    page.keyboard.press("ArrowDown")
    expect(options.first).to_have_attribute("aria-selected", "true")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Hellebores")
    page.get_by_label("Search pages by words").fill("zzzzz")
    page.get_by_role("search").get_by_role("button").click()
    expect(page.locator(".note")).to_contain_text("no page has “zzzzz”", ignore_case=True)


def test_keys_move_between_hits(look: Look) -> None:
    page = look().at("/related", url=ROSES)
    for key, expected in (("j", 0), ("j", 1), ("j", 2), ("k", 1), ("k", 0), ("k", 0)):
        page.keyboard.press(key)
        expect(page.locator(".hit .title a").nth(expected)).to_be_focused()


def test_pairs_page_shows_two_cards_and_the_words_of_the_link(
    look: Look, opened: pagekin.Index
) -> None:
    looking = look()
    page = looking.at("/pairs")
    page.get_by_label("Keywords, in order").fill("garden roses")
    page.get_by_role("button", name="Find pairs").click()
    expected = opened.pairs(["garden", "roses"]).sites
    assert page.locator(".sites > li").count() == len(expected) > 1
    for number, site in enumerate(expected):
        row = page.locator(".sites > li").nth(number)
        assert site.site in row.inner_text()
        pair = site.pairs[0]
        assert row.locator(".card .address").all_inner_texts() == [pair.source.url, pair.target.url]
        words = re.sub(r"[\[\]]", "", pair.words)
        assert words in row.locator(".link").inner_text().replace("\n", " ")
        assert f"{pair.weight:.3f}" in row.inner_text()
    page.get_by_label("Keywords, in order").fill("garden")
    page.get_by_role("button", name="Find pairs").click()
    expect(page.get_by_role("alert")).to_contain_text("1 keyword")
    expect(page.get_by_label("Keywords, in order")).to_have_value("garden")


def test_compare_page_shows_shared_and_own_terms_on_one_scale(
    look: Look, opened: pagekin.Index
) -> None:
    page = look().at("/compare", a=ROSES, b=HELLEBORES)
    found = opened.compare(ROSES, HELLEBORES)
    assert page.locator(".scores .score").inner_text() == f"{found.score:.3f}"
    hits = {hit.url: hit.score for hit in opened.related(ROSES).hits}
    assert found.score == hits[HELLEBORES]
    bodies = page.locator(".mirror tbody")
    shared = bodies.nth(0).locator("tr").nth(1)
    assert shared.locator("th").inner_text() == found.shared[0].term
    assert shared.locator(".number").all_inner_texts() == [
        f"{found.shared[0].one:.1%}",
        f"{found.shared[0].other:.1%}",
    ]
    widths = page.locator(".mirror .bar rect:last-child").evaluate_all(
        "bars => bars.map(bar => bar.width.baseVal.valueInSpecifiedUnits)"
    )
    assert max(widths) == pytest.approx(100, abs=0.01)
    about = bodies.nth(1).locator("th[scope=row]").all_inner_texts()
    assert about == [each.term for each in found.about]
    own = bodies.nth(2).locator("th[scope=row]").all_inner_texts()
    assert own == [each.term for each in found.own_one]
    assert {*bodies.nth(2).locator("td:last-child .number").all_inner_texts()} == {"\N{EN DASH}"}


def test_pages_to_compare_are_found_by_words(look: Look) -> None:
    page = look().at("/compare")
    page.locator("#a").press_sequentially("old roses")
    page.get_by_role("option").first.click()
    expect(page.locator("#a")).to_have_value(re.compile("roses.html$"))
    page.locator("#b").fill("hellebores")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Compare").click()
    expect(page.locator(".card h2")).to_have_count(2)
    titles = page.locator(".card h2").all_inner_texts()
    assert titles[0].startswith("Old roses") and titles[1].startswith("Hellebores")
    expect(page.locator("#b")).to_have_value(re.compile("^http://.*hellebores.html$"))


def test_map_is_clickable_and_highlights_neighbours(look: Look, opened: pagekin.Index) -> None:
    looking = look()
    page = looking.at("/map", url=ROSES)
    found = opened.neighbourhood(ROSES, filters=Filters(k=8))
    assert page.locator(".map a").count() == len(found.pages)
    assert page.locator(".map .tie").count() == len(found.relations)
    listed = page.locator(".listed > li")
    assert listed.count() == len(found.pages)
    for kin in found.relations:
        assert f"{kin.score:.3f}" in listed.nth(kin.one).inner_text()
        assert f"{kin.score:.3f}" in listed.nth(kin.other).inner_text()
    spot = page.locator(".map a").nth(3)
    spot.locator("circle").hover()
    near = {
        kin.other if kin.one == 3 else kin.one
        for kin in found.relations
        if 3 in (kin.one, kin.other)
    }
    expect(page.locator(".map a.near")).to_have_count(len(near) + 1)
    spot.locator("circle").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text(found.pages[3].title or "")
    page.locator(".map a").nth(1).focus()
    page.keyboard.press("Enter")
    expect(page).not_to_have_url(re.compile("roses.html$"))


def test_evaluation_page_draws_the_figures_of_the_sweep(look: Look) -> None:
    page = look().at("/evaluation")
    figure = page.locator(".figure").filter(
        has=page.get_by_role("heading", name="Weights", exact=True)
    )
    assert figure.locator("th").all_inner_texts() == [
        "none",
        "distance",
        "frequency (NMDF)",
        "both",
    ]
    assert figure.locator(".bar .span").count() == 4
    values = [float(text.split()[0]) for text in figure.locator(".value").all_inner_texts()]
    widths = figure.locator(".fill").evaluate_all(
        "bars => bars.map(bar => +bar.getAttribute('width'))"
    )
    assert widths == pytest.approx([100 * value for value in values], abs=0.06)
    assert page.locator(".plain tbody tr").count() == 4


def test_error_pages_offer_a_way_on(look: Look) -> None:
    looking = look()
    page = looking.at("/related", url="http://www.hedgerow.example/plants/rose.html")
    expect(page.get_by_role("heading", level=1)).to_have_text("This page is not in the crawl")
    page.get_by_role("alert").get_by_role("link").first.click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Old roses without fear")
    looking.at("/no/such/page")
    assert page.locator("body").evaluate("body => getComputedStyle(body).display") == "flex"
    page.get_by_role("link", name="back to the start page").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Find related pages")
