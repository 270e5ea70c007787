"""`pagekin index` on the sample crawl: its summary, its options, exit codes."""

import re
from pathlib import Path

import pytest

import pagekin
from pagekin.sample import sample_sites
from pagekin.strategy import Strategy
from tests.archives import run
from tests.crawls import bags, manifest

HEDGEROW = sample_sites() / "www.hedgerow.example"


def test_summary_lists_counts_bytes_and_seconds(
    capfd: pytest.CaptureFixture[str], crawl: Path, tmp_path: Path
) -> None:
    ran = run(capfd, "index", crawl, "-o", tmp_path / "index")
    pages, skipped, made, learnt, fitted, written, seconds = ran.out.splitlines()
    assert ran.code == 0
    assert re.fullmatch(r"106 pages from 106 captures, \d+ kB read", pages)
    assert skipped == "skipped: 1 crawl information"
    counts = manifest(tmp_path / "index")["counts"]
    assert made == (
        f"{counts['bags']} URLs ({counts['bags'] - 106} linked to but not crawled), "
        f"{counts['terms']:,} terms, {counts['links']:,} links"
    )
    assert learnt == f"{counts['concepts']} concepts learnt from 106 crawled pages"
    opened = pagekin.open(tmp_path / "index")
    weights = opened.fitted.changes_from(opened.strategy)
    assert {"kinds.concept", "kinds.topic"} <= weights.keys()
    told = ", ".join(f"{name} = {weight:g}" for name, weight in weights.items())
    assert fitted == f"fitted to this crawl: {told}"
    assert re.fullmatch(rf"{re.escape(str(tmp_path / 'index'))}: [\d.]+ [kM]B written", written)
    stages = re.findall(r"(\w+) \d+\.\d", seconds.removeprefix("seconds: "))
    assert stages == [
        *(
            "read",
            "compare",
            "addresses",
            "templates",
            "merge",
            "sites",
            "lexicon",
            "postings",
            "concepts",
        ),
        *("weigh", "hold", "pack", "publish"),
    ]
    assert [line.partition(":")[0] for line in ran.err.splitlines()] == stages


def test_replaced_captures_are_counted(
    capfd: pytest.CaptureFixture[str], crawl: Path, tmp_path: Path
) -> None:
    ran = run(capfd, "index", crawl, crawl, "-o", tmp_path / "index")
    assert "106 pages from 212 captures" in ran.out
    assert "106 captures replaced by a later one" in ran.out


def test_resource_options_do_not_change_the_index(
    capfd: pytest.CaptureFixture[str], crawl: Path, tmp_path: Path
) -> None:
    run(capfd, "index", crawl, "-o", tmp_path / "one")
    words = ("--memory", "1MB", "--threads", "3", "--engine", "local", "--max-body", "1MB")
    assert run(capfd, "index", crawl, "-o", tmp_path / "other", *words).code == 0
    assert manifest(tmp_path / "one") == manifest(tmp_path / "other")


@pytest.mark.parametrize("name", ["balanced", "FILE"])
def test_strategy_is_a_preset_or_a_file(
    capfd: pytest.CaptureFixture[str], name: str, crawl: Path, tmp_path: Path
) -> None:
    (tmp_path / "own.toml").write_text('[window]\nkind = "topical"\nsize = 8\n')
    given = str(tmp_path / "own.toml") if name == "FILE" else name
    assert run(capfd, "index", crawl, "-o", tmp_path / "index", "--strategy", given).code == 0
    assert pagekin.open(tmp_path / "index").strategy == Strategy.load(given)


def test_folder_of_html_is_indexed_under_its_base_url(
    capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    words = ("--base-url", "http://www.hedgerow.example/", "-o", tmp_path / "folder")
    assert run(capfd, "index", HEDGEROW, *words).code == 0
    url = "http://www.hedgerow.example/plants/roses.html"
    card = pagekin.open(tmp_path / "folder").show(url)
    assert (card.title, card.date) == ("Old roses without fear", None)
    assert (
        card.file and Path(card.file).read_bytes() == (HEDGEROW / "plants/roses.html").read_bytes()
    )
    assert len(bags(tmp_path / "folder")) > len(list(HEDGEROW.rglob("*.html")))


def test_empty_crawl_is_bad_input_and_leaves_no_index(
    capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "empty").mkdir()
    words = ("--base-url", "http://a.example/", "-o", tmp_path / "index")
    ran = run(capfd, "index", tmp_path / "empty", *words)
    assert (ran.code, ran.out) == (2, "")
    assert "holds no .html, .htm or .xhtml file" in ran.last
    assert not (tmp_path / "index" / "manifest.json").exists()


def test_one_bad_file_exits_with_2_and_the_rest_is_indexed(
    capfd: pytest.CaptureFixture[str], crawl: Path, tmp_path: Path
) -> None:
    ran = run(capfd, "index", tmp_path / "missing.warc", crawl, "-o", tmp_path / "index")
    assert ran.code == 2
    assert ran.out.startswith("106 pages")
    assert "missing.warc" in ran.last


@pytest.mark.parametrize(
    "words",
    [
        ("index",),
        ("index", "x.warc"),
        ("index", "x.warc", "-o", "y", "--memory", "much"),
        ("index", "x.warc", "-o", "y", "--threads", "0"),
        ("index", "x.warc", "-o", "y", "--engine", "steam"),
        ("no-such-command",),
    ],
)
def test_bad_usage_exits_with_2(capfd: pytest.CaptureFixture[str], words: tuple[str, ...]) -> None:
    ran = run(capfd, *words)
    assert (ran.code, ran.out) == (2, "")
    assert "usage: pagekin" in ran.err
