"""Indexes that cannot be asked together, and indexes that are damaged."""

import json
import re
import shutil
from pathlib import Path

import pytest

import pagekin
from pagekin.errors import EngineError, IndexCorrupt, InputError, NotAnIndex, StrategyMismatch
from pagekin.index import Manifest
from tests.archives import run
from tests.crawls import rows
from tests.several.parts import Cut


@pytest.fixture
def damaged(content: Cut, tmp_path: Path) -> Path:
    """A part whose bags were changed on disk."""
    index = shutil.copytree(content.parts[1], tmp_path / "damaged")
    (file,) = (index / Manifest.read(index).folder).glob("holders-*")
    content_of_file = bytearray(file.read_bytes())
    middle = len(content_of_file) // 2
    content_of_file[middle - 200 : middle] = bytes(200)
    file.write_bytes(content_of_file)
    return index


def a_page(index: Path) -> str:
    found: str = next(row["url"] for row in rows(index, "pages") if row["crawled"])
    return found


def test_indexes_of_different_models_are_refused_with_the_cure(
    content: Cut, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    other = tmp_path / "other"
    pagekin.build(content.files[1], other, strategy=content.one.strategy)
    with pytest.raises(StrategyMismatch, match="another model"):
        pagekin.open([content.parts[0], other])
    ran = run(capfd, "search", content.parts[0], other, "roses")
    cure = f"pagekin index {other} -o NEW --model {content.parts[0]}"
    assert (ran.code, cure in ran.last) == (2, True)
    assert run(capfd, *cure.replace("NEW", str(tmp_path / "new")).split()[1:]).code == 0
    assert run(capfd, "search", content.parts[0], tmp_path / "new", "garden").code == 0


def test_damaged_index_is_named(content: Cut, damaged: Path) -> None:
    several = pagekin.open([content.parts[0], damaged, content.parts[2]])
    with pytest.raises(IndexCorrupt) as raised:
        several.related(a_page(content.parts[0]))
    assert raised.value.path.startswith(str(damaged))
    assert not several.left_out


def test_the_rest_answers_if_wanted(content: Cut, damaged: Path) -> None:
    sound = [content.parts[0], content.parts[2]]
    partial = pagekin.open([sound[0], damaged, sound[1]], partial=True)
    expected = pagekin.open(sound).related(a_page(sound[0]))
    answer = partial.related(a_page(sound[0]))
    assert answer.hits == expected.hits
    told = "answered without damaged, which cannot be read"
    assert told in (answer.note or "")
    assert [*partial.left_out] == [str(damaged)]
    assert partial.search("garden").note == told


def test_missing_index_is_named_or_left_out(content: Cut, tmp_path: Path) -> None:
    paths = [content.parts[0], tmp_path / "nowhere"]
    with pytest.raises(NotAnIndex, match="nowhere"):
        pagekin.open(paths)
    partial = pagekin.open(paths, partial=True)
    assert [*partial.left_out] == [str(tmp_path / "nowhere")]
    assert partial.search("garden").hits
    with pytest.raises(NotAnIndex):
        pagekin.open([tmp_path / "nowhere", tmp_path / "neither"], partial=True)


def test_question_that_no_index_can_answer_is_an_error(damaged: Path) -> None:
    twin = shutil.copytree(damaged, damaged.with_name("twin"))
    partial = pagekin.open([damaged, twin], partial=True)
    with pytest.raises(IndexCorrupt):
        partial.related(a_page(damaged))


def test_verbs_of_one_index_are_refused(content: Cut, tmp_path: Path) -> None:
    several = content.several
    for ask in (
        lambda: several.pairs(["roses", "garden"]),
        several.audit,
        lambda: several.precompute(tmp_path / "answers.parquet"),
        lambda: several.export(tmp_path / "site"),
        lambda: several.write_cdxj(tmp_path / "captures.cdxj"),
        lambda: several.write_table("pages", tmp_path / "pages.parquet"),
        several.evaluate_known_items,
    ):
        with pytest.raises(InputError, match="one index at a time"):
            ask()
    several.check()


def test_index_given_twice_is_refused(content: Cut) -> None:
    with pytest.raises(EngineError, match="given twice"):
        pagekin.open([content.parts[0], content.parts[0]])
    with pytest.raises(EngineError, match="no index"):
        pagekin.open([])


def test_commands_take_several_indexes(content: Cut, capfd: pytest.CaptureFixture[str]) -> None:
    url = a_page(content.parts[3])
    ran = run(capfd, "related", *content.parts, url, "--json")
    found = [hit["url"] for hit in json.loads(ran.out)["hits"]]
    assert found == [hit.url for hit in content.one.related(url)]
    ran = run(capfd, "search", *content.parts, "garden", "roses", "--json")
    assert json.loads(ran.out)["q"] == "garden roses"
    ran = run(capfd, "related", *content.parts, url + "x")
    (told,) = re.findall("did you mean (.*)\\?", ran.last)
    assert (ran.code, len({*told.split(" or ")})) == (1, len(told.split(" or ")))


def test_index_without_its_tables_is_named_and_not_a_word(
    content: Cut, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    index = shutil.copytree(content.parts[1], tmp_path / "emptied")
    shutil.rmtree(index / Manifest.read(index).folder)
    ran = run(capfd, "search", content.parts[0], index, "garden")
    assert (ran.code, str(index) in ran.last) == (2, True)
    ran = run(capfd, "search", content.parts[0], index, "garden", "--partial")
    assert (ran.code, f"left out: {index}" in ran.err) == (0, True)


def test_partial_command_says_what_is_missing(
    content: Cut, damaged: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    words = ("related", content.parts[0], damaged, a_page(content.parts[0]))
    ran = run(capfd, *words)
    assert (ran.code, str(damaged) in ran.last) == (2, True)
    ran = run(capfd, *words, "--partial")
    assert ran.code in (0, 1)
    assert f"left out: {damaged}" in ran.err
