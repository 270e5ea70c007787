"""See-also sections and the links of some pages, left out of a build and judged by."""

import json
import re
from pathlib import Path

import pytest

import pagekin
from pagekin import _core
from pagekin.errors import EngineError
from pagekin.strategy import DEFAULT, Strategy
from pagekin.work.settings import HoldOut
from tests.archives import run
from tests.crawls import rows

SITE = "http://t.example/"
TOPICS = ["roses", "tulips", "lilies", "violets"]


def page(name: str) -> str:
    others = [other for other in TOPICS if other != name]
    listed = "".join(f"<li><a href={other}.html>xylograph</a>" for other in others[:2])
    return (
        f"<title>{name}</title><h1>{name}</h1><p>A flower of the garden with petals, "
        f"<a href={others[0]}.html>{others[0]}</a>, <a href={others[1]}.html>{others[1]}</a></p>"
        f"<h2>See also</h2><ul>{listed}</ul><h2>Care</h2><p>Water the {name} every morning.</p>"
    )


@pytest.fixture(name="folder")
def folder_of_pages(tmp_path: Path) -> Path:
    folder = tmp_path / "pages"
    folder.mkdir()
    for name in TOPICS:
        (folder / f"{name}.html").write_text(page(name))
    return folder


def id_of(name: str) -> int:
    return _core.url_id(f"{SITE}{name}.html")


def test_sections_leave_no_word_or_link(folder: Path, tmp_path: Path) -> None:
    source = pagekin.Source(str(folder), SITE)
    built = pagekin.build(source, tmp_path / "index", settings=pagekin.Settings(hold_out=HoldOut()))
    expected = {
        (id_of(name), id_of(other))
        for name in TOPICS
        for other in re.findall(r"<li><a href=(\w+)", page(name))
    }
    assert built.held_out_pages == len(TOPICS)
    assert {*built.held_out_pairs} == expected
    assert len(built.held_out_pairs) == len(expected)
    assert "xylograph" not in {row["word"] for row in rows(tmp_path / "index", "lexicon")}


def test_chosen_pages_depend_on_the_seed_alone(folder: Path, tmp_path: Path) -> None:
    source = pagekin.Source(str(folder), SITE)

    def chosen(name: str, seed: int, threads: int) -> tuple[set[int], int]:
        settings = pagekin.Settings(threads=threads, hold_out=HoldOut(0.5, seed))
        built = pagekin.build(source, tmp_path / name, settings=settings)
        linking = {row["source"] for row in rows(tmp_path / name, "links")}
        return linking, built.held_out_pages

    every = {id_of(name) for name in TOPICS}
    draws = [chosen(f"seed-{seed}", seed, 1) for seed in range(4)]
    for linking, held_out in draws:
        assert len(every - linking) == held_out
    assert len({frozenset(linking) for linking, _ in draws}) > 1
    assert chosen("again", 0, 2) == draws[0]


def test_headings_with_long_words_are_read(tmp_path: Path) -> None:
    """A word of more than 15 letters in a heading, behind shorter ones."""
    (tmp_path / "pages").mkdir()
    for name in TOPICS:
        heading = f"<h1>Internationalisation of {name}</h1><h2>Telecommunications</h2>"
        (tmp_path / "pages" / f"{name}.html").write_text(f"<p>short words</p>{heading}{page(name)}")
    source = pagekin.Source(str(tmp_path / "pages"), SITE)
    settings = pagekin.Settings(hold_out=HoldOut())
    everything = Strategy.load("paper-best")
    built = pagekin.build(source, tmp_path / "index", strategy=everything, settings=settings)
    assert built.held_out_pages == len(TOPICS)
    words = {row["word"] for row in rows(tmp_path / "index", "lexicon")}
    assert "telecommunications" in words
    assert "xylograph" not in words


@pytest.mark.parametrize("share", [0.0, 1.0, -1.0, float("nan")])
def test_impossible_share_is_refused(share: float) -> None:
    with pytest.raises(EngineError, match="between 0 and 1"):
        HoldOut(share)


def test_command_judges_by_sections_and_by_links(
    capfd: pytest.CaptureFixture[str], folder: Path
) -> None:
    words = ("evaluate", folder, "--base-url", SITE, "--see-also", "auto")
    both = (*words, "--held-out-links", "0.9")
    ran = run(capfd, *both, "--json")
    assert ran.code == 0
    document = json.loads(ran.out)
    found = document["see_also"]
    assert found["strategy"] == pagekin.Strategy.load(DEFAULT).as_dict()
    assert (found["held_out"]["pages"], found["held_out"]["crawled"]) == (4, 4)
    assert (found["all"]["queries"], found["all"]["relevant"]) == (4, 8)
    assert found["all"]["measures"]["R@10"]["value"] == 1
    assert found["strict"] is None
    assert document["held_out_links"]["held_out"]["what"] == "links side by side"
    text = run(capfd, *both).out
    for said in (
        "of 4 of 4 pages",
        "strict (not linked elsewhere): none",
        "bias: authors list",
        "bias: links prefer the specific",
        "R@10",
    ):
        assert said in text
    assert "links prefer" in document["held_out_links"]["bias"]


@pytest.mark.parametrize(
    ("html", "flag"),
    [
        ("<p>words alone", ["--see-also", "auto"]),
        ("<h2>See also</h2>nothing", ["--see-also", "auto"]),
        ("<h2>See also</h2><a href=http://elsewhere.example/>it</a>", ["--see-also", "auto"]),
        ("words", ["--held-out-links", "0.9"]),
    ],
)
def test_crawl_without_pairs_is_reported(
    capfd: pytest.CaptureFixture[str], tmp_path: Path, html: str, flag: list[str]
) -> None:
    (tmp_path / "a.html").write_text(html)
    ran = run(capfd, "evaluate", tmp_path, "--base-url", SITE, *flag)
    assert (ran.code, ran.out) == (2, "")
    assert "give more of the crawl" in ran.last


def test_index_is_not_a_source(
    capfd: pytest.CaptureFixture[str], folder: Path, tmp_path: Path
) -> None:
    pagekin.build(pagekin.Source(str(folder), SITE), tmp_path / "index")
    ran = run(capfd, "evaluate", tmp_path / "index", "--see-also", "auto")
    assert ran.code == 2
    assert "is an index" in ran.last
