"""A guard: the public names of the package, one by one. A change here is a change for users."""

import pagekin

PUBLIC = [
    "BuildSummary",
    "Directory",
    "Evaluation",
    "Filters",
    "Index",
    "JudgedCrawl",
    "Limits",
    "PageCard",
    "Pairs",
    "Question",
    "Related",
    "Settings",
    "Source",
    "Strategy",
    "build",
    "errors",
    "evaluate",
    "open",
    "sweep",
    "tune",
]


def test_the_public_names_are_these() -> None:
    assert sorted(pagekin.__all__) == sorted(PUBLIC)


def test_each_of_them_is_there_and_documented() -> None:
    for name in PUBLIC:
        assert getattr(pagekin, name).__doc__
