"""`pagekin compare` on the sample crawl: what people read, what programs read, exit codes."""

import json
from dataclasses import asdict
from pathlib import Path

import pytest

import pagekin
from pagekin.strategy import presets
from tests.archives import run
from tests.crawls import build_pages

ROSES = "http://www.hedgerow.example/plants/roses.html"
HELLEBORES = "http://www.hedgerow.example/plants/hellebores.html"
NOT_CRAWLED = "http://www.national-soaring-centre.example/"


def test_text_shows_score_rank_terms_and_links(
    capfd: pytest.CaptureFixture[str], index: Path
) -> None:
    ran = run(capfd, "compare", index, ROSES, HELLEBORES)
    lines = ran.out.splitlines()
    assert (ran.code, ran.err) == (0, "")
    assert lines[:6] == [
        "first        Old roses without fear",
        f"             {ROSES}",
        "second       Hellebores for the dark end of the garden",
        f"             {HELLEBORES}",
        "score        0.194; 32.5% of both pages is shared",
        "rank         1 among the pages related to the first",
    ]
    labelled = {line[:13].strip(): line[13:] for line in lines if line[:13].strip()}
    assert labelled["both about"].startswith("roses, flower, shade, kitchen 4.3% and 5.0%")
    assert labelled["shared"].startswith("roses 3.8% and 1.1%, hedgerow 1.0% and 1.1%, ")
    assert labelled["only first"].startswith("harder 1.4%, ")
    assert labelled["only second"].startswith("hazel 1.4%, ")
    assert (
        labelled["links"].startswith("first to second: “") and "[hellebores]" in labelled["links"]
    )
    assert "[shade-tolerant alba roses]" in ran.out
    assert ran.out.count("linked by    http://") == 3


def test_uncrawled_page_can_be_compared(capfd: pytest.CaptureFixture[str], index: Path) -> None:
    lines = run(capfd, "compare", index, ROSES, NOT_CRAWLED).out.splitlines()
    assert lines[2:4] == ["second       National Soaring Centre", f"             {NOT_CRAWLED}"]
    assert lines[-2:] == [
        "links        first to second: none",
        "             second to first: none",
    ]


def test_pages_without_shared_words_say_so(
    capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    pages = {"a": "garden roses", "b": "thunder lightning"}
    index = build_pages(tmp_path, pages, presets()["content"])
    ran = run(capfd, "compare", index, "http://t.example/a.html", "http://t.example/b.html")
    assert ran.code == 0
    assert "score        0.000; 0.0% of both pages is shared" in ran.out
    assert "rank         the pages share nothing" in ran.out
    assert "shared       nothing" in ran.out


def test_json_is_the_comparison_of_the_library(
    capfd: pytest.CaptureFixture[str], index: Path
) -> None:
    ran = run(capfd, "compare", index, ROSES, HELLEBORES, "--json")
    assert (ran.code, ran.err, ran.out.count("\n")) == (0, "", 1)
    found = json.loads(ran.out)
    assert found == asdict(pagekin.open(index).compare(ROSES, HELLEBORES))
    assert list(found) == [
        *("one", "other", "score", "rank", "copy_of", "note", "shared", "about"),
        *("own_one", "own_other", "link_to_one", "link_to_other", "why"),
    ]


@pytest.mark.parametrize(
    ("url", "code", "said"),
    [
        ("http://nowhere.example/", 1, "no page or link of the crawl has this URL"),
        ("not a url", 2, "not a valid URL"),
    ],
)
def test_unknown_and_invalid_urls_are_reported_on_stderr(
    capfd: pytest.CaptureFixture[str], index: Path, url: str, code: int, said: str
) -> None:
    for urls in ((url, ROSES), (ROSES, url)):
        ran = run(capfd, "compare", index, *urls)
        assert (ran.code, ran.out) == (code, "")
        assert said in ran.err
        assert ran.err.count("\n") == 1
