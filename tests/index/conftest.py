"""An index of several shards, and copies of it to damage."""

import shutil
from pathlib import Path

import pytest

import pagekin
from pagekin import _core
from tests.index.forging import ABOUT, SHARDS


@pytest.fixture(scope="session")
def sound(crawl: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A sound index of several shards."""
    index = tmp_path_factory.mktemp("sound") / "index"
    pagekin.build(crawl, index, strategy=ABOUT, settings=SHARDS)
    return index


@pytest.fixture
def large(crawl: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An index with sketches and inverted sketches, as one of many pages has them."""
    monkeypatch.setattr(_core, "FEW_BAGS", 10)
    pagekin.build(crawl, tmp_path / "large", strategy=ABOUT, settings=SHARDS)
    return tmp_path / "large"


@pytest.fixture
def index(sound: Path, tmp_path: Path) -> Path:
    """A copy of it, to be damaged."""
    return shutil.copytree(sound, tmp_path / "index")
