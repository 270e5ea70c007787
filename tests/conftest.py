"""Fixtures of most tests: the bundled sample crawl, packed and indexed once."""

from pathlib import Path

import pytest
from hypothesis import settings

import pagekin
from pagekin.sample.pack import write_sample

# How long an example takes says more of the machine than of the code.
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")


@pytest.fixture(scope="session")
def crawl(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bundled sample crawl. Nothing may be written beside it."""
    path = tmp_path_factory.mktemp("sample") / "sample.warc.gz"
    write_sample(path)
    return path


@pytest.fixture(scope="session")
def index(crawl: Path) -> Path:
    """Its index with the default strategy. Tests that damage it must take a copy."""
    pagekin.build(crawl, crawl.parent / "index")
    return crawl.parent / "index"
