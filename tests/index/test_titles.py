"""Titles for display: what a site repeats is cut, and nothing else."""

import pytest

from pagekin.index.titles import SiteTitles

SITE = "docs.example"


def cut(*titles: str) -> list[str]:
    known = SiteTitles((SITE, title) for title in titles)
    return [known.cut(SITE, title) for title in titles]


def test_shared_starts_and_ends_are_cut() -> None:
    ends = [f"numpy.{name} — NumPy v1.26 Manual" for name in ("sort", "argsort", "ma.sort")]
    assert cut(*ends) == ["numpy.sort", "numpy.argsort", "numpy.ma.sort"]
    starts = [f"PostgreSQL: Documentation: 17: {name}" for name in ("VACUUM", "COPY", "DO")]
    assert cut(*starts) == ["VACUUM", "COPY", "DO"]
    both = [f"News | {name} - The Times" for name in ("Frogs", "Toads", "Newts: a survey")]
    assert cut(*both) == ["Frogs", "Toads", "Newts: a survey"]


def test_what_few_titles_share_stays() -> None:
    titles = ["Frogs - Pond", "Toads - Pond", "Bees", "Wasps", "Ants: workers", "Ants: queens"]
    assert cut(*titles) == titles
    assert cut("Frogs - Pond", "Toads - Pond") == ["Frogs - Pond", "Toads - Pond"]


@pytest.mark.parametrize("title", ["Pond - Frogs", "", " | ", "-", ": : :"])
def test_titles_that_are_all_the_same_stay(title: str) -> None:
    assert cut(*[title] * 9) == [title] * 9


def test_title_that_would_be_empty_stays() -> None:
    titles = ["Frogs | Pond", "Toads | Pond", "Newts | Pond", "| Pond", "Pond"]
    assert cut(*titles) == ["Frogs", "Toads", "Newts", "| Pond", "Pond"]


def test_sites_do_not_share_titles() -> None:
    known = SiteTitles(
        (f"{name}.example", f"{name} - Pond") for name in ("frogs", "toads", "newts")
    )
    assert known.cut("frogs.example", "frogs - Pond") == "frogs - Pond"
    assert known.cut("other.example", "bees - Pond") == "bees - Pond"
