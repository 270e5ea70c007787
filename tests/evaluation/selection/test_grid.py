"""Grids: every combination once, and errors that name their product."""

import json
import tomllib
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from pagekin.errors import GridError, PagekinError, StrategyError
from pagekin.evaluation.selection import Contender, Grid
from pagekin.strategy import DEFAULT, Kinds, Strategy, presets


def test_grid_of_the_paper_covers_its_figures() -> None:
    contenders = Grid.load("paper").contenders
    assert len(contenders) >= 200
    assert len({each.key for each in contenders}) == len(contenders)
    assert len({each.name for each in contenders}) == len(contenders)
    strategies = [each.strategy for each in contenders if each.strategy]
    assert len(strategies) == len(contenders) - 1
    assert {each.similarity for each in contenders} == {"jaccard", "cosine", "cocitation"}
    assert {each.words.stemming for each in strategies} == {"nostem", "stem", "stopstem"}
    assert {each.frequency.weight for each in strategies} == {"none", "log", "sqrt", "nmdf"}
    kinds = {
        (each.kinds.content > 0, each.kinds.anchor > 0, each.kinds.link > 0) for each in strategies
    }
    assert len(kinds) == 7
    for content in (0, 1):
        windows = {
            (each.window.kind, each.window.size, each.window.distance)
            for each in strategies
            if each.kinds.anchor and each.kinds.content == content
        }
        assert len(windows) == 7 * 2


def test_product_is_every_combination_once() -> None:
    grid = Grid.from_toml(
        """
        [[product]]
        similarity = ["jaccard", "cosine"]
        window = { size = [4, 8], distance = false }
        [[product]]
        window = { size = [8, 16], distance = false }
        """
    )
    found = [
        (each.strategy.window.size, each.similarity) for each in grid.contenders if each.strategy
    ]
    assert found == [(4, "jaccard"), (4, "cosine"), (8, "jaccard"), (8, "cosine"), (16, "jaccard")]


def test_every_section_of_a_strategy_may_be_in_a_grid() -> None:
    default = presets()[DEFAULT]
    tables = tomllib.loads(default.to_toml())
    assert {"lead", "sketch", "site", "concept"} <= {*tables}
    lines = [f"{section} = {_inline(values)}" for section, values in tables.items()]
    (found,) = Grid.from_toml("\n".join(["[[product]]", *lines])).contenders
    assert found.strategy == default


def _inline(table: dict[str, Any]) -> str:
    return "{ " + ", ".join(f"{name} = {json.dumps(value)}" for name, value in table.items()) + " }"


def test_name_of_a_contender_includes_concepts_and_lead() -> None:
    default = Contender(presets()[DEFAULT], "jaccard")
    assert default.name == (
        "content + 0.2 anchor + concepts (256 components, cited 0.4) + "
        "0.3 topics (20 components, 16 mixed), W 32, distance, stem, nmdf, kinds normalised, "
        "lead 30, templates on 10, words.stemmer = auto, words.stop_words = auto, "
        "topic.link = 0.5, fit.weights = true"
    )
    alone = Strategy(kinds=Kinds(0, 0, 0, 1))
    assert Contender(alone, "cosine").name == (
        "concepts (50 components), W 32, distance, stem, nmdf, cosine"
    )


OTHERS: dict[str, dict[str, Any]] = {
    "kinds": {"content": 2, "anchor": 2, "link": 1, "concept": 2, "topic": 2},
    "window": {"kind": "topical", "size": 8, "distance": False},
    "words": {"stemming": "nostem", "stemmer": "english", "stop_words": ["a", "b", "c", "d"]},
    "frequency": {"weight": "log", "mu": 0.5, "sigma": 0.12},
    "mix": {"normalise_kinds": True},
    "sketch": {"positions": 40, "seed": 1, "min_inlinks": 3},
    "site": {"kind": "domain"},
    "concept": {
        **{"components": 32, "mixed": 8, "content": 2, "anchor": 2, "link": 2, "power": 1},
        **{"cited": 0.5, "pages": 64, "terms": 64},
    },
    "lead": {"half": 30},
    "template": {"pages": 10},
    "topic": {"components": 32, "mixed": 8, "content": 2, "anchor": 2, "link": 2},
    "fit": {"weights": True},
}
"""For every setting a value that is not the usual one."""


def test_strategies_that_differ_in_any_setting_have_different_names() -> None:
    learnt = {"concept": 1, "topic": 0.5}
    names = [Contender(Strategy.from_tables({"kinds": learnt}), "jaccard").name]
    for section in fields(Strategy):
        others = OTHERS[section.name]
        assert {*others} == {each.name for each in fields(getattr(Strategy(), section.name))}
        for name, value in others.items():
            tables: dict[str, dict[str, Any]] = {"kinds": {**learnt}}
            tables.setdefault(section.name, {})[name] = value
            names.append(Contender(Strategy.from_tables(tables), "jaccard").name)
    assert len({*names}) == len(names)


def test_setting_without_effect_is_not_in_a_name() -> None:
    assert Contender(presets()["links"], "jaccard").name == "links, none"
    assert Contender(presets()["content"], "jaccard").name == "content, stem, nmdf"


def test_omitted_fields_default_to_paper_best() -> None:
    (contender,) = Grid.from_toml("[[product]]").contenders
    assert (contender.strategy, contender.similarity) == (Strategy(), "jaccard")
    assert contender.name == "content + anchor, W 32, distance, stem, nmdf"


@pytest.mark.parametrize(
    ("text", "kind", "said"),
    [
        (
            "[[product]]\n[[product]]\nwindow = { size = [4, -1] }",
            StrategyError,
            "window.size = -1",
        ),
        ("[[product]]\nkinds = { contnet = 1 }", StrategyError, "did you mean"),
        ("[[product]]\nwindows = { size = 1 }", GridError, "windows is not a section"),
        ("[[product]]\nwindow = 3", GridError, "window is not a section"),
        ("[[product]]\nsimilarity = 'dice'", GridError, "'dice' is not jaccard or cosine"),
        ("[[product]]\nwindow = { size = [] }", GridError, "it has 0 strategies"),
        ("product = 3", GridError, r"write \[\[product\]\]"),
        ("cocitation = 1", GridError, "cocitation is true or false"),
        ("products = 1", GridError, "unknown key products"),
        ("", GridError, "the grid has no strategy"),
        ("[[product", GridError, "not TOML"),
    ],
)
def test_impossible_grid_is_rejected(text: str, kind: type[PagekinError], said: str) -> None:
    with pytest.raises(kind, match=said) as caught:
        Grid.from_toml(text, source="my.toml")
    assert "my.toml" in str(caught.value)


def test_error_names_the_product() -> None:
    with pytest.raises(StrategyError, match=r"my.toml, product 2: frequency.mu"):
        Grid.from_toml("[[product]]\n[[product]]\nfrequency = {mu = 7}", source="my.toml")


def test_unreadable_grid_is_reported(tmp_path: Path) -> None:
    with pytest.raises(GridError, match="cannot be read"):
        Grid.load(tmp_path / "absent.toml")
    (tmp_path / "bytes").write_bytes(b"\xff")
    with pytest.raises(GridError, match="not UTF-8"):
        Grid.load(tmp_path / "bytes")


def test_presets_are_added_once_and_named() -> None:
    grid = Grid.from_toml("[[product]]").with_presets()
    assert grid.contenders[0].preset == "paper-best"
    assert {each.preset for each in grid.contenders} == {*presets()}
    assert len(grid.contenders) == len(presets())
    assert Contender(presets()[DEFAULT], "jaccard").label.startswith(f"{DEFAULT} (default): ")
    other = Contender(Strategy(), "cosine")
    assert (other.preset, other.label) == (None, other.name)
