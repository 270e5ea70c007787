"""An index of several shards, and copies of it to damage."""

import shutil
from pathlib import Path

import pytest

import pagekin
from tests.index.forging import ABOUT, SHARDS


@pytest.fixture(scope="session")
def sound(crawl: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A sound index of several shards."""
    index = tmp_path_factory.mktemp("sound") / "index"
    pagekin.build(crawl, index, strategy=ABOUT, settings=SHARDS)
    return index


@pytest.fixture
def index(sound: Path, tmp_path: Path) -> Path:
    """A copy of it, to be damaged."""
    return shutil.copytree(sound, tmp_path / "index")
