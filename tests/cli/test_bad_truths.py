"""Crawls that lack what they are judged by: told and counted, never a crash or a silent zero."""

import json
from pathlib import Path
from typing import Any

import pytest

import pagekin
from tests.archives import http, record, run

PAGES = {f"http://{name}.example/": f"{name}ology plain words of {name} " for name in "abcdef"}
NOTHING = "<p>%s</p>"
NO_LINKS = "<title>%s</title><h1>One</h1><p>%s</p><h2>See also</h2><p>nothing</p>"


def crawl(path: Path, *, titled: bool, words: int = 30) -> Path:
    """Six pages without links; without titles and headings, too, unless `titled`."""
    bodies = {}
    for url, text in PAGES.items():
        body = text * words
        bodies[url] = NO_LINKS % (text, body) if titled else NOTHING % body
    path.write_bytes(b"".join(record(http(body.encode()), url) for url, body in bodies.items()))
    return path


def directory(path: Path) -> Path:
    classes = zip(PAGES, ("x/y", "x/y", "x/z", "x/z", "v/w", "v/w"), strict=True)
    path.write_text("".join(f"{url}\t{name}\n" for url, name in classes))
    return path


def evaluated(capfd: pytest.CaptureFixture[str], *words: str | Path) -> Any:
    ran = run(capfd, "evaluate", *words, "--json")
    assert (ran.code, ran.err) == (0, "")
    return json.loads(ran.out)


@pytest.fixture(name="bare")
def bare_index(tmp_path: Path) -> Path:
    pagekin.build(crawl(tmp_path / "bare.warc", titled=False), tmp_path / "index")
    return tmp_path / "index"


def test_directory_judges_pages_without_links_titles_and_headings(
    capfd: pytest.CaptureFixture[str], bare: Path, tmp_path: Path
) -> None:
    found = evaluated(capfd, bare, "--directory", directory(tmp_path / "d.tsv"))
    assert (found["pages"], found["queries"]) == (6, 6)
    assert [band["inlinks"] for band in found["bands"]] == ["0"]
    assert found["as_shown"]["hits"]["template_links"] == 0


def test_see_also_lists_of_pages_without_links_are_all_strict(
    capfd: pytest.CaptureFixture[str], bare: Path, tmp_path: Path
) -> None:
    one, other, *_ = PAGES
    (tmp_path / "pairs").write_text(f"{one}\t{other}\n{other}\thttp://unknown.example/\n")
    found = evaluated(capfd, bare, "--see-also", tmp_path / "pairs")["see_also"]
    assert found["all"]["queries"] == found["strict"]["queries"] == 1
    assert found["skipped"] == {"the related page was not crawled": 1}
    assert found["without_related"] == 1
    text = run(capfd, "evaluate", bare, "--see-also", tmp_path / "pairs").out
    assert "left out: 1 query pages without a related page" in text


def test_known_items_of_pages_without_titles_are_sentences_and_passages(
    capfd: pytest.CaptureFixture[str], bare: Path
) -> None:
    found = evaluated(capfd, bare, "--known-items", "5")["known_items"]
    assert [*found["kinds"]] == ["sentence", "passage"]
    assert sum(found["skipped"].values()) >= 6


@pytest.mark.parametrize("titled", [True, False])
@pytest.mark.parametrize(
    ("flag", "said"),
    [
        ("--see-also=auto", "sections such as See also"),
        ("--held-out-links=0.9", "links side by side"),
    ],
)
def test_crawl_without_links_says_what_it_lacks(
    capfd: pytest.CaptureFixture[str], tmp_path: Path, titled: bool, flag: str, said: str
) -> None:
    ran = run(capfd, "evaluate", crawl(tmp_path / "crawl.warc", titled=titled), flag)
    assert (ran.code, ran.out) == (2, "")
    pages = 6 if titled and flag.startswith("--see") else 0
    assert f"no two pages are related by {said} ({pages} pages have any)" in ran.last


def test_sample_of_pages_alone_in_their_class_has_no_precision(
    capfd: pytest.CaptureFixture[str], bare: Path, tmp_path: Path
) -> None:
    """Of the one page that is drawn nothing can be said; that is not 0."""
    classes = zip(PAGES, ("x/y", "x/y", "x/z", "x/u", "v/w", "v/t"), strict=True)
    (tmp_path / "d.tsv").write_text("".join(f"{url}\t{name}\n" for url, name in classes))
    drawn = [
        evaluated(
            capfd, bare, "--directory", tmp_path / "d.tsv", "--queries", "1", "--seed", str(seed)
        )["as_shown"]["precision_at_10"]["strict"]
        for seed in range(8)
    ]
    assert None in drawn
    assert any(drawn)
    assert (
        run(capfd, "evaluate", bare, "--directory", tmp_path / "d.tsv", "--queries", "1").code == 0
    )


def test_sweep_says_that_nothing_can_be_compared(
    capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Every two pages are equally alike, and none links to another."""
    (tmp_path / "grid.toml").write_text("[[product]]\nkinds = { content = 0 }")
    words = ("--directory", directory(tmp_path / "d.tsv"), "--grid", tmp_path / "grid.toml")
    source = crawl(tmp_path / "crawl.warc", titled=False)
    ran = run(capfd, "sweep", source, *words, "-o", tmp_path / "sweep")
    assert ran.code == 0
    assert "All strategies leave all pairs tied, so nothing can be said of them." in ran.out
    assert "that is the default" in ran.out
    assert "so nothing can be said of them" in (tmp_path / "sweep" / "report.html").read_text()
