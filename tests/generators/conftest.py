"""A small site, built once by each generator."""

import pytest

from tests.generators.building import Site
from tests.generators.sites import Pages, block, sample

KINDS = ("sphinx", "mkdocs")
ABROAD = "gärten/größte rosen"
"""The name of a page with a space and letters that are not ASCII."""


def site_pages() -> Pages:
    """The sample with every kind of page that authors have."""
    pages = sample()
    roses, spades = pages["hedgerow/plants/roses"], pages["hedgerow/tools/spades"]
    pages[ABROAD] = [block("h1", "Größte Rosen"), *roses[2:5]]
    pages["short"] = [block("h1", "Roses"), block("p", "Roses, gallicas, albas. See below.")]
    pages["404"] = [block("h1", "Not found"), *roses[2:6]]
    pages["changelog"] = [block("h1", "Changes of roses"), *roses[1:6]]
    pages["markup"] = [block("h1", "Spades & <forks>"), *spades[1:]]
    return pages


@pytest.fixture(scope="session", params=KINDS)
def site(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Site:
    folder = tmp_path_factory.mktemp(request.param)
    site = Site(request.param, folder, {"exclude": ["changelog*"], "k": 4}).write(site_pages())
    return site.build()


@pytest.fixture(params=KINDS)
def draft(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Site:
    """A project without pages."""
    return Site(request.param, tmp_path_factory.mktemp("draft"))
