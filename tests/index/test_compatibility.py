"""Indexes of earlier formats: refused by name, and replaced by a new build."""

import shutil
from pathlib import Path

import pytest

import pagekin
from pagekin.errors import IndexVersion
from pagekin.index import FORMAT
from tests.archives import run
from tests.index.forging import ROSES

MANIFESTS = Path(__file__).parents[1] / "data" / "manifests"


@pytest.fixture(params=range(1, FORMAT))
def old(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A folder with a manifest of an earlier format; every format has one."""
    index = tmp_path / f"index-{request.param}"
    (index / "tables-0123456789abcdef").mkdir(parents=True)
    shutil.copy(MANIFESTS / f"format-{request.param}.json", index / "manifest.json")
    return index


def test_earlier_format_is_refused_by_name(old: Path, capfd: pytest.CaptureFixture[str]) -> None:
    found = int(old.name.rpartition("-")[2])
    with pytest.raises(IndexVersion) as raised:
        pagekin.open(old)
    assert (raised.value.found, raised.value.expected) == (found, FORMAT)
    for words in (("related", str(old), ROSES), ("check", str(old)), ("serve", str(old))):
        ran = run(capfd, *words)
        assert ran.code == 2
        assert f"{old}: index format {found}, expected {FORMAT}; build the index again" in ran.last


def test_earlier_format_is_replaced_by_a_build(old: Path, crawl: Path) -> None:
    pagekin.build(crawl, old)
    pagekin.open(old).check()
    assert len([*old.glob("tables-*")]) == 1
