"""What the tests of the service share: the sample crawl, swept and served."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.serve.reports import write_report
from tests.serve.running import Running


@pytest.fixture(scope="session")
def report(crawl: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a sweep over the sample crawl."""
    folder = tmp_path_factory.mktemp("report")
    write_report(crawl, folder)
    return folder


@pytest.fixture(scope="session")
def service(index: Path, report: Path) -> Iterator[Running]:
    """Two workers that serve its index."""
    with Running(index, "--workers", "2", "--report", str(report)) as running:
        yield running
