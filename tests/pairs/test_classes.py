"""Sites that the classes of a directory select."""

import json
from pathlib import Path

import pytest

from pagekin.api import Index
from pagekin.errors import DirectoryError, UnknownWord
from pagekin.evaluation import Directory
from tests.archives import run
from tests.pairs.crawl import built, write_sites

DIRECTORY = """\
http://two.example/\tReference/Schools_and_mills/Small
http://two.example/lab\tReference/Schools_and_mills/Small
http://alone.example/\tReference/Hermitages/Old/Stone/Inland
http://elsewhere.example/\tReference/Museums
"""


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Index:
    folder = tmp_path_factory.mktemp("classes")
    (folder / "classes.tsv").write_text(DIRECTORY)
    return built(write_sites(folder / "sites.warc.gz"), folder / "index")


@pytest.fixture(name="directory")
def path_of_directory(index: Index) -> Path:
    return Path(index.reader.path).parent / "classes.tsv"


@pytest.mark.parametrize("first", ["school", "mill", "mills and schools", "reference"])
def test_sites_are_those_of_classes_with_the_name(
    index: Index, directory: Path, first: str
) -> None:
    """No page has these words, and one.example, which is the best of all, is in no class."""
    answer = index.pairs([first, "research", "data structures"], directory=directory)
    assert [(site.site, site.about) for site in answer.sites] == [("two.example", 2)]
    assert answer.sites[0].pairs == (
        index.pairs(["factory", "research", "data structures"]).sites[0].pairs
    )


def test_names_of_deep_classes_count(index: Index, directory: Path) -> None:
    answer = index.pairs(["inland", "research", "data"], directory=directory)
    assert answer.empty is not None
    assert "has one page" in answer.empty


def test_directory_may_be_read_before(index: Index, directory: Path) -> None:
    read = Directory.read(directory)
    assert index.pairs(["school", "research", "data"], directory=read).sites


def test_class_without_crawled_pages_is_reported(index: Index, directory: Path) -> None:
    answer = index.pairs(["museum", "research", "data"], directory=directory)
    assert answer.empty == 'no page of the sites that "museum" leads to was crawled'


def test_unknown_class_and_directory_are_reported(index: Index, directory: Path) -> None:
    with pytest.raises(UnknownWord, match="no class of the directory has this word in its name"):
        index.pairs(["university", "research", "data"], directory=directory)
    with pytest.raises(DirectoryError, match="cannot be read"):
        index.pairs(["university", "research", "data"], directory=directory / "missing")


def test_command_takes_a_directory(
    capfd: pytest.CaptureFixture[str], index: Index, directory: Path
) -> None:
    words = ("pairs", index.reader.path, "school", "research", "data structures")
    ran = run(capfd, *words, "--directory", directory, "--json")
    assert ran.code == 0
    assert [site["site"] for site in json.loads(ran.out)["sites"]] == ["two.example"]
    assert run(capfd, *words).code == 1
