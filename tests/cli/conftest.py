"""Fixtures of the command-line tests."""

from pathlib import Path

import pytest

from tests.archives import page


@pytest.fixture
def one_page(tmp_path: Path) -> Path:
    """A crawl of one page."""
    path = tmp_path / "crawl.warc"
    path.write_bytes(page("good"))
    return path
