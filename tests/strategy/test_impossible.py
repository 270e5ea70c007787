"""Impossible strategies: each error names the field, the file and the allowed values."""

import re
from pathlib import Path
from typing import Any

import pytest

from pagekin.errors import StrategyError
from pagekin.strategy import Concept, Kinds, Strategy

ABOUT = "[kinds]\nconcept = 1\n[concept]\n"
IMPOSSIBLE = [
    ("[lead]\nhalf = -1", "lead.half", "0"),
    ("[lead]\nhalf = 0.5", "lead.half", "whole number"),
    ("[kinds]\ncontent = 0\n[lead]\nhalf = 9", "lead.half", "kinds.content is 0"),
    ("[kinds]\ncontent = 0\nanchor = 0", "kinds", "at least one kind"),
    ("[kinds]\ncontent = -1", "kinds.content", "0 (not used), or a number from 0.001 to 1000"),
    ("[kinds]\ncontent = 1e-9", "kinds.content", "from 0.001"),
    ("[kinds]\nlink = 1e9", "kinds.link", "to 1000"),
    ("[kinds]\nanchor = nan", "kinds.anchor", "a number"),
    ("[kinds]\nanchor = inf", "kinds.anchor", "a number"),
    ("[kinds]\nanchor = true", "kinds.anchor", "a number"),
    ("[kinds]\nanchor = false", "kinds.anchor", "a number"),
    ('[kinds]\nanchor = "1"', "kinds.anchor", "a number"),
    ("[kinds]\ncontnet = 1", "kinds.contnet", 'did you mean "content"?'),
    ('[window]\nkind = "sintactic"', "window.kind", 'did you mean "syntactic"?'),
    ("[window]\nkind = 3", "window.kind", "one of basic, syntactic, topical"),
    ("[window]\nsize = -1", "window.size", "a whole number from 0 to 1000"),
    ("[window]\nsize = 1001", "window.size", "a whole number from 0 to 1000"),
    ("[window]\nsize = 2.5", "window.size", "a whole number"),
    ("[window]\nsize = true", "window.size", "a whole number"),
    ("[window]\ndistance = 1", "window.distance", "true or false"),
    ("[kinds]\nanchor = 0\n[window]\ndistance = true", "window.distance", "kinds.anchor is 0"),
    ('[words]\nstemming = "lemma"', "words.stemming", "one of nostem, stem, stopstem"),
    ('[words]\nstemmer = "porter2"', "words.stemmer", 'did you mean "porter"?'),
    ('[words]\nstemming = "nostem"\nstemmer = "french"', "words.stemmer", "stemming is nostem"),
    ('[words]\nstemming = "stopstem"\nstop_words = "none"', "words.stop_words", "a stop list"),
    ('[words]\nstop_words = "englsh"', "words.stop_words", 'did you mean "english"?'),
    ("[words]\nstop_words = []", "words.stop_words", "a list of words"),
    ("[words]\nstop_words = [1]", "words.stop_words", "single words"),
    ('[words]\nstop_words = ["of the"]', "words.stop_words", "single words"),
    ('[words]\nstop_words = [""]', "words.stop_words", "single words"),
    ('[words]\nstop_words = ["a\\u0000"]', "words.stop_words", "single words"),
    ('[words]\nstop_words_file = "x.txt"', "words.stop_words_file", "read from a file"),
    ('[frequency]\nweight = "tfidf"', "frequency.weight", "one of none, log, sqrt, nmdf"),
    ('[frequency]\nweight = "log"\nmu = 0.5', "frequency.mu", 'only with weight = "nmdf"'),
    ('[frequency]\nweight = "none"\nsigma = 0.5', "frequency.sigma", 'weight is "none"'),
    ("[frequency]\nsigma = 0", "frequency.sigma", "a number from 0.01 to 10"),
    ("[frequency]\nsigma = -0.2", "frequency.sigma", "a number from 0.01 to 10"),
    ("[frequency]\nmu = 4", "frequency.mu", "a number from 0 to 1"),
    ("[sketch]\npositions = 0", "sketch.positions", "a whole number from 1 to 4096"),
    ("[sketch]\npositions = 8.5", "sketch.positions", "a whole number from 1 to 4096"),
    ("[sketch]\nseed = -1", "sketch.seed", "a whole number from 0"),
    ("[sketch]\nmin_inlinks = true", "sketch.min_inlinks", "a whole number from 0"),
    ("[mix]\nnormalise_kinds = 1", "mix.normalise_kinds", "true or false"),
    ("[mix]\nnormalize_kinds = true", "mix.normalize_kinds", 'did you mean "normalise_kinds"?'),
    ("[kinds]\nconcept = -1", "kinds.concept", "0 (not used), or a number from 0.001 to 1000"),
    (f"{ABOUT}components = 0", "concept.components", "a whole number from 1 to 500"),
    (f"{ABOUT}components = 501", "concept.components", "a whole number from 1 to 500"),
    (f"{ABOUT}mixed = 64", "concept.mixed", "a whole number from 0 to 50"),
    (f"{ABOUT}mixed = 1", "concept.mixed", "0 or a power of two from 2 on"),
    (f"{ABOUT}mixed = 24", "concept.mixed", "0 or a power of two from 2 on"),
    (f"{ABOUT}mixed = true", "concept.mixed", "a whole number from 0 to 50"),
    (f"{ABOUT}power = 0", "concept.power", "a number from 0.1 to 2"),
    (f"{ABOUT}pages = 1", "concept.pages", "a whole number from 2 to 65536"),
    (f"{ABOUT}terms = 200000", "concept.terms", "a whole number from 2 to 131072"),
    (f"{ABOUT}content = 0\nanchor = 0", "concept", "at least one kind"),
    (f"{ABOUT}compnents = 5", "concept.compnents", 'did you mean "components"?'),
    ("[concept]\ncomponents = 9", "concept.components", "only with a weight of kinds.concept"),
    ("[concept]\nterms = 9", "concept.terms", "only with a weight of kinds.concept"),
    ("[windows]\nsize = 3", "windows", 'did you mean "window"?'),
    ("window = 3", "window", "a section"),
    ("[[window]]\nsize = 3", "window", "a section"),
    ("size = 3", "size", "one of kinds, window, words, frequency, mix, sketch"),
    ("[kinds", "the text", "TOML"),
    ("size = " + "[" * 100_000, "the text", "TOML"),
    ("[window]\nsize = " + "9" * 10_000, "the text", "TOML"),
]


@pytest.mark.parametrize(
    ("text", "field", "allowed"), IMPOSSIBLE, ids=[field for _, field, _ in IMPOSSIBLE]
)
def test_impossible_value_reports_field_value_and_allowed_values(
    text: str, field: str, allowed: str
) -> None:
    with pytest.raises(StrategyError) as caught:
        Strategy.from_toml(text)
    assert caught.value.field == field
    assert allowed in caught.value.allowed
    assert str(caught.value).startswith(f"{field} = {caught.value.value} is not possible; allowed")


@pytest.mark.parametrize(
    "section", ["kinds", "window", "words", "frequency", "mix", "sketch", "concept"]
)
def test_section_of_wrong_type_is_rejected(section: str) -> None:
    wrong: dict[str, Any] = {section: {"content": 1}}
    with pytest.raises(StrategyError, match=f"^{section} = "):
        Strategy(**wrong)


def test_concepts_of_anchors_require_windows() -> None:
    alone = Kinds(content=0, anchor=0, concept=1)
    assert Strategy(kinds=alone).needs == (True, True, False, False)
    assert Strategy(kinds=alone, concept=Concept(cited=0.1)).needs.cited
    assert Strategy.from_toml("[kinds]\nanchor = 0\nconcept = 1").window.distance
    with pytest.raises(StrategyError, match=r"window\.distance"):
        Strategy(kinds=alone, concept=Concept(anchor=0))


def test_distance_weights_without_anchors_are_rejected_in_python() -> None:
    with pytest.raises(StrategyError, match=r"window\.distance"):
        Strategy(kinds=Kinds(anchor=0))


class TestFiles:
    def test_file_with_a_byte_order_mark_is_loaded(self, tmp_path: Path) -> None:
        file = tmp_path / "my.toml"
        file.write_bytes(b"\xef\xbb\xbf[window]\r\nsize = 8\r\n")
        assert Strategy.load(file).window.size == 8
        assert Strategy.load(str(file)) == Strategy.load(file)

    def test_words_of_a_stop_file_become_part_of_the_strategy(self, tmp_path: Path) -> None:
        (tmp_path / "stop.txt").write_text("le la  # articles\n\n# more\nÉtait\n", encoding="utf-8")
        file = tmp_path / "my.toml"
        file.write_text('[words]\nstemmer = "french"\nstop_words_file = "stop.txt"\n')
        strategy = Strategy.load(file)
        assert strategy.to_core()["stop_words"] == ["la", "le", "était"]
        assert Strategy.from_toml(strategy.to_toml()) == strategy

    @pytest.mark.parametrize(
        ("text", "allowed"),
        [
            ('stop_words_file = "none.txt"', "No such file"),
            ('stop_words_file = "latin1.txt"', "UTF-8"),
            ('stop_words_file = "empty.txt"', "a list of words"),
            ("stop_words_file = 3", "the name of a file"),
            ('stop_words_file = "a\\u0000b"', "a file that can be read"),
            ('stop_words_file = "empty.txt"\nstop_words = "none"', "not both"),
        ],
    )
    def test_bad_stop_file_is_reported(self, tmp_path: Path, text: str, allowed: str) -> None:
        (tmp_path / "latin1.txt").write_bytes(b"\xe9tait")
        (tmp_path / "empty.txt").write_bytes(b"# nothing\n")
        file = tmp_path / "my.toml"
        file.write_text(f"[words]\n{text}\n")
        with pytest.raises(StrategyError) as caught:
            Strategy.load(file)
        assert caught.value.where == str(file)
        assert re.search(allowed, caught.value.allowed)

    def test_unknown_name_suggests_a_preset(self) -> None:
        with pytest.raises(StrategyError, match='did you mean "paper-best"'):
            Strategy.load("paper_best")

    @pytest.mark.parametrize("name", ["x" * 5000, "a\0b", ""])
    def test_impossible_file_name_is_rejected(self, name: str) -> None:
        with pytest.raises(StrategyError, match="one of concepts, paper-best"):
            Strategy.load(name)

    def test_folder_as_strategy_is_rejected(self, tmp_path: Path) -> None:
        with pytest.raises(StrategyError, match="can be read"):
            Strategy.load(tmp_path)

    def test_file_that_is_not_text_is_reported(self, tmp_path: Path) -> None:
        file = tmp_path / "my.toml"
        file.write_bytes(b"\xff\xfe\x00")
        with pytest.raises(StrategyError, match="UTF-8") as caught:
            Strategy.load(file)
        assert caught.value.where == str(file)
