"""`pagekin show` on the sample crawl: what people read, what programs read, exit codes."""

import json
from pathlib import Path

import pytest

import pagekin
from pagekin.strategy import Concept, Kinds, Strategy, presets
from tests.archives import run

ROSES = "http://www.hedgerow.example/plants/roses.html"
NOT_CRAWLED = "http://www.national-soaring-centre.example/"


def test_card_of_a_crawled_page(capfd: pytest.CaptureFixture[str], index: Path) -> None:
    shown = run(capfd, "show", index, ROSES)
    lines = shown.out.splitlines()
    assert (shown.code, shown.err) == (0, "")
    assert lines[:3] == [
        "Old roses without fear",
        ROSES,
        "site      www.hedgerow.example",
    ]
    assert lines[3].startswith("crawled   2002-05-07T09:00:00Z, ")
    assert "sample.warc.gz at " in lines[3]
    assert lines[4] == "language  en"
    assert lines[5] == "inlinks   10"
    assert lines[6].startswith("terms     roses ")
    assert lines[6].count("%") == 10
    assert lines[7].startswith("concepts  ")
    linked = [line.startswith("linked    http://") for line in lines].index(True)
    assert {line.count("%") for line in lines[7:linked]} == {1}
    assert "[" in lines[linked + 1]
    assert len(lines) == linked + 2 * 5


def test_index_is_shown_without_a_page(capfd: pytest.CaptureFixture[str], index: Path) -> None:
    opened = pagekin.open(index)
    told = json.loads(run(capfd, "show", index, "--json").out)
    assert told["pages"] == opened.counts["pages"]
    assert told["fitted"] == opened.fitted.changes_from(opened.strategy)
    lines = run(capfd, "show", index).out.splitlines()
    assert lines[0].startswith(f"{told['pages']} pages of {told['sites']} sites, ")
    assert lines[1].startswith("fitted to this crawl: kinds.concept = ")
    assert lines[2].startswith("site      ")


def test_captures_of_no_page_are_refused(capfd: pytest.CaptureFixture[str], index: Path) -> None:
    ran = run(capfd, "show", index, "--captures")
    assert ran.code == 2
    assert "no URL given" in ran.last and "name one after the index" in ran.last


def test_index_that_was_not_fitted_says_so(
    capfd: pytest.CaptureFixture[str], crawl: Path, tmp_path: Path
) -> None:
    run(capfd, "index", crawl, "-o", tmp_path / "plain", "--no-fit")
    assert pagekin.open(tmp_path / "plain").fitted == presets()["concepts"].unfitted()
    lines = run(capfd, "show", tmp_path / "plain").out.splitlines()
    assert lines[1] == "fitted to this crawl: nothing"


def test_card_of_an_uncrawled_page(capfd: pytest.CaptureFixture[str], index: Path) -> None:
    lines = run(capfd, "show", index, NOT_CRAWLED, "--terms", "3").out.splitlines()
    assert lines[0] == "National Soaring Centre"
    assert lines[3] == "crawled   no (not fetched, or its response was skipped)"
    assert [word.split()[0] for word in lines[6].removeprefix("terms").split(",")] == [
        "soaring",
        "national",
        "centre",
    ]


def test_json_is_one_document_with_the_documented_fields(
    capfd: pytest.CaptureFixture[str], index: Path
) -> None:
    shown = run(capfd, "show", index, ROSES, "--json", "--terms", "4")
    assert (shown.code, shown.out.count("\n")) == (0, 1)
    card = json.loads(shown.out)
    assert list(card) == [
        *("url", "title", "site", "variants", "crawled", "inlinks", "file", "offset", "date"),
        *("replay", "language", "terms", "concepts", "linked_from"),
    ]
    assert card["url"] == ROSES
    assert card["crawled"] is True
    assert card["date"] == "2002-05-07T09:00:00Z"
    assert card["file"].endswith("sample.warc.gz")
    assert card["terms"][0]["term"] == "roses"
    assert len(card["terms"]) == 4
    shares = [term["share"] for term in card["terms"]]
    assert shares == sorted(shares, reverse=True)
    assert 0 < sum(shares) < 1
    assert all(link["words"].count("[") == 1 for link in card["linked_from"])


def test_shares_of_words_sum_to_their_weight_in_the_strategy(
    capfd: pytest.CaptureFixture[str], index: Path
) -> None:
    card = json.loads(run(capfd, "show", index, ROSES, "--json", "--terms", "100000").out)
    kinds = pagekin.open(index).fitted.kinds
    # 106 pages of several sites give 26 of 256 components.
    assert kinds.concept == round(26 / 256, 3)
    words = 1 / (1 + kinds.concept + kinds.topic)
    assert sum(term["share"] for term in card["terms"]) == pytest.approx(words, abs=1e-3)
    assert 0 < sum(concept["share"] for concept in card["concepts"]) < 1 - words
    assert all(term["term"] for term in card["terms"])


def test_offset_of_a_page_is_the_start_of_its_record(
    capfd: pytest.CaptureFixture[str], index: Path, tmp_path: Path
) -> None:
    card = json.loads(run(capfd, "show", index, ROSES, "--json").out)
    record = Path(card["file"]).read_bytes()[card["offset"] :]
    assert record.startswith(b"\x1f\x8b")
    cut = tmp_path / "cut.warc.gz"
    cut.write_bytes(record)
    pagekin.build(cut, tmp_path / "index")
    assert pagekin.open(tmp_path / "index").show(ROSES).offset == 0


def test_url_is_canonicalised(capfd: pytest.CaptureFixture[str], index: Path) -> None:
    other = "HTTP://WWW.Hedgerow.example:80/plants/./roses.html#top"
    assert run(capfd, "show", index, other).out == run(capfd, "show", index, ROSES).out


@pytest.mark.parametrize(
    ("url", "code", "said"),
    [
        ("http://nowhere.example/", 1, "no page or link of the crawl has this URL"),
        ("not a url", 2, "not a valid URL"),
        ("ftp://www.hedgerow.example/", 2, "not a valid URL"),
    ],
)
def test_unknown_and_invalid_urls_are_reported_on_stderr(
    capfd: pytest.CaptureFixture[str], index: Path, url: str, code: int, said: str
) -> None:
    shown = run(capfd, "show", index, url, "--json")
    assert (shown.code, shown.out) == (code, "")
    assert said in shown.err
    assert shown.err.count("\n") == 1


def test_folder_without_an_index_is_bad_input(
    capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    shown = run(capfd, "show", tmp_path, ROSES)
    assert (shown.code, shown.out) == (2, "")
    assert "contains no index; build an index with pagekin index" in shown.err


def test_link_terms_are_shown_as_linking_pages(crawl: Path, tmp_path: Path) -> None:
    pagekin.build(crawl, tmp_path / "links", strategy=presets()["links"])
    opened = pagekin.open(tmp_path / "links")
    card = opened.show(NOT_CRAWLED, terms=100, links=100)
    assert {term.term for term in card.terms} == {link.url for link in card.linked_from}
    assert len(card.terms) == card.inlinks


def test_card_lists_the_heaviest_concepts(
    capfd: pytest.CaptureFixture[str], crawl: Path, tmp_path: Path
) -> None:
    about = Strategy(kinds=Kinds(concept=1), concept=Concept(components=9))
    pagekin.build(crawl, tmp_path / "index", strategy=about)
    card = json.loads(run(capfd, "show", tmp_path / "index", ROSES, "--json").out)
    keys = {"concept", "words", "here", "share"}
    assert [concept.keys() for concept in card["concepts"]] == [keys] * 5
    shares = [concept["share"] for concept in card["concepts"]]
    assert shares == sorted(shares, reverse=True) and 0.1 < sum(shares) < 0.5
    lines = run(capfd, "show", tmp_path / "index", ROSES).out.splitlines()
    words = ", ".join(card["concepts"][0]["here"][:4])
    assert lines[7].startswith(f"concepts  {words} ")
    named = [line for line in lines[7:] if not line.startswith(("linked ", "     "))]
    assert 1 <= len(named) <= 5
