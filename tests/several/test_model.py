"""The model of an index: taken over by builds and kept by updates."""

import shutil
from pathlib import Path

import pytest

import pagekin
from pagekin.errors import IndexCorrupt, StrategyMismatch
from pagekin.index import Manifest
from pagekin.strategy import presets
from tests.archives import members, page, run
from tests.crawls import bags, rows
from tests.several.parts import Cut

NEW = "http://new.example/"


@pytest.fixture
def stranger(tmp_path: Path) -> Path:
    """A crawl with words that no other has."""
    path = tmp_path / "new.warc.gz"
    path.write_bytes(members(page("new", "zyzzogeton lives beside roses in gardens")))
    return path


def test_bags_are_those_of_the_index_of_all(content: Cut) -> None:
    whole = bags(content.whole)
    crawled = {row["id"] for row in rows(content.whole, "pages") if row["crawled"]}
    found: dict[int, dict[int, int]] = {}
    for part in content.parts:
        own = {row["id"] for row in rows(part, "pages") if row["crawled"]}
        found |= {page: bag for page, bag in bags(part).items() if page in own}
    assert found.keys() == crawled
    assert found == {page: whole[page] for page in crawled}


@pytest.mark.parametrize("name", ["content", "default"])
def test_manifest_has_the_model_and_check_finds_the_index_sound(
    request: pytest.FixtureRequest, name: str
) -> None:
    cut: Cut = request.getfixturevalue(name)
    whole = Manifest.read(cut.whole)
    assert whole.has_own_model
    for part in cut.parts[:2]:
        found = Manifest.read(part)
        assert (found.model, found.fitted) == (whole.model, whole.fitted)
        assert not found.has_own_model
        assert found.counts["bags"] < found.model["bags"]
        pagekin.open(part).check()


def test_concepts_are_those_of_the_model(default: Cut) -> None:
    for table in ("loadings", "concepts"):
        expected = rows(default.whole, table)
        assert expected
        assert rows(default.parts[0], table) == expected


def test_index_with_a_model_hands_it_on(default: Cut, tmp_path: Path) -> None:
    pagekin.build(default.files[1], tmp_path / "again", model=default.parts[0])
    assert Manifest.read(tmp_path / "again") == Manifest.read(default.parts[1])


def test_words_that_the_model_lacks_are_found(content: Cut, tmp_path: Path, stranger: Path) -> None:
    pagekin.build(stranger, tmp_path / "new", model=content.whole)
    lexicon = {row["word"]: row["frequency"] for row in rows(tmp_path / "new", "lexicon")}
    assert lexicon["zyzzogeton"] == 0
    pagekin.open(tmp_path / "new").check()
    both = pagekin.open([content.whole, tmp_path / "new"])
    assert [hit.url for hit in both.search("zyzzogeton")] == [NEW]
    assert both.related_to_text("zyzzogeton").hits[0].url == NEW


def test_updates_keep_a_model_that_was_taken_over(
    default: Cut, tmp_path: Path, stranger: Path
) -> None:
    index = shutil.copytree(default.parts[0], tmp_path / "index")
    before = Manifest.read(index)
    pagekin.add(index, stranger)
    pagekin.build([default.files[0], stranger], tmp_path / "fresh", model=default.whole)
    assert Manifest.read(index) == Manifest.read(tmp_path / "fresh")
    pagekin.remove(index, NEW)
    assert Manifest.read(index) == before
    assert not pagekin.compact(index).changed


def test_merge_learns_from_all_or_takes_a_model(default: Cut, tmp_path: Path) -> None:
    pagekin.merge(default.parts, tmp_path / "learnt")
    assert Manifest.read(tmp_path / "learnt") == Manifest.read(default.whole)
    pagekin.merge(default.parts[:2], tmp_path / "taken", model=default.whole)
    pagekin.build(default.files[:2], tmp_path / "fresh", model=default.whole)
    assert Manifest.read(tmp_path / "taken") == Manifest.read(tmp_path / "fresh")


def test_model_of_another_strategy_is_refused(content: Cut, tmp_path: Path) -> None:
    strategy = presets()["anchor"]
    with pytest.raises(StrategyMismatch, match="another strategy than the one given"):
        pagekin.build(content.files[0], tmp_path / "x", strategy=strategy, model=content.whole)


def test_command_takes_a_model(
    content: Cut, default: Cut, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    words = ("index", content.files[0], "-o", tmp_path / "part", "--model", content.whole)
    assert run(capfd, *words).code == 0
    assert Manifest.read(tmp_path / "part") == Manifest.read(content.parts[0])
    made = run(capfd, "index", content.files[1], "-o", tmp_path / "x", "--model", default.whole)
    assert "of the model" in made.out and "weights of the model: " in made.out
    assert "fitted to this crawl" not in made.out
    missing = run(capfd, *words[:-1], tmp_path / "nowhere")
    assert (missing.code, "no such folder" in missing.last) == (2, True)


def test_check_finds_terms_without_a_frequency(
    content: Cut, tmp_path: Path, stranger: Path
) -> None:
    pagekin.build(stranger, tmp_path / "new", model=content.whole)
    manifest = Manifest.read(tmp_path / "new")
    object.__setattr__(manifest, "model", manifest.model | {"bags": 3})
    manifest.write(tmp_path / "new")
    with pytest.raises(IndexCorrupt, match="the frequency of a term"):
        pagekin.open(tmp_path / "new").check()
