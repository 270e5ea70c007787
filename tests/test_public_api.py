"""Guard: the public names of the package. A change here affects users."""

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
    "add",
    "build",
    "compact",
    "errors",
    "evaluate",
    "merge",
    "open",
    "remove",
    "sweep",
    "tune",
]


def test_public_names_are_pinned() -> None:
    assert sorted(pagekin.__all__) == sorted(PUBLIC)


def test_public_names_are_documented() -> None:
    for name in PUBLIC:
        assert getattr(pagekin, name).__doc__
