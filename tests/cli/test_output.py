"""Answers as text: on a terminal, with hostile titles, shortened."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import pagekin
from pagekin.cli.hits_text import print_answer
from pagekin.cli.output import brief, subject_parts
from pagekin.query import subjects
from pagekin.strategy import presets
from pagekin.types import ConceptShare
from tests.archives import run
from tests.crawls import build_pages

ROSES = "http://www.hedgerow.example/plants/roses.html"


def test_terminal_output_has_colours_and_fits_the_width(
    index: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    shown = Terminal()
    print_on(shown, index)
    assert "\x1b[" in shown.text
    plain = re.sub(r"\x1b\[[0-9;]*m", "", shown.text)
    assert "\x1b" not in plain
    assert max(len(line) for line in plain.splitlines()) == 60
    assert "…" in plain
    assert ROSES in plain


class Terminal:
    """A terminal that records its output."""

    encoding = "utf-8"

    def __init__(self) -> None:
        self.text = ""

    def isatty(self) -> bool:
        return True

    def write(self, text: str) -> int:
        self.text += text
        return len(text)

    def flush(self) -> None:
        pass


def print_on(terminal: Any, index: Path) -> None:
    print_answer(pagekin.open(index).related(ROSES, k=3), terminal)


def test_control_characters_and_markup_of_a_title_are_not_interpreted(
    capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    pages = {
        "a": "<title>red \x1b[31m [bold]x[/bold]</title>garden roses tulips",
        "b": "<title>too\x9b</title>garden roses",
    }
    index = build_pages(tmp_path, pages, presets()["content"])
    ran = run(capfd, "related", index, "http://t.example/b.html")
    assert "\x1b" not in ran.out
    assert "[bold]x[/bold]" in ran.out


def test_subject_is_shown_by_words_or_by_concept_number() -> None:
    """Concepts of links alone have no words."""
    named = ConceptShare(7, ["rose", "bed"], ["rose", "bush", "soil", "leaf", "bed"], 0.25)
    for concept, told in (
        (named, "rose, bush, soil, leaf 25.0%"),
        (replace(named, here=[]), "rose, bed 25.0%"),
        (replace(named, here=[], words=[]), "concept 7 25.0%"),
    ):
        assert "".join(text for text, _ in subject_parts(*subjects([concept]))) == told


@pytest.mark.parametrize(
    ("most", "expected"),
    [
        (200, "a b c [d e] f g h … i j [k] l m"),
        (31, "a b c [d e] f g h … i j [k] l m"),
        (30, "… b c [d e] f g … i j [k] l m"),
        (26, "… c [d e] f … j [k] l …"),
        (15, "… [d e] … [k] …"),
        (3, "… [d e] … [k] …"),
    ],
)
def test_quotation_is_shortened_around_its_anchors(most: int, expected: str) -> None:
    assert brief("a b c [d e] f g h … i j [k] l m", most) == expected
