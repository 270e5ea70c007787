"""The sample crawl in parts."""

import pytest

from pagekin.strategy import presets
from tests.several.parts import Cut, cut


@pytest.fixture(scope="session")
def content(tmp_path_factory: pytest.TempPathFactory) -> Cut:
    """By the words of pages alone."""
    return cut(tmp_path_factory.mktemp("content"), presets()["content"])


@pytest.fixture(scope="session")
def default(tmp_path_factory: pytest.TempPathFactory) -> Cut:
    """By the default."""
    return cut(tmp_path_factory.mktemp("default"))
