"""The words of the pages are those that people use."""

import re
from importlib.resources import files

import pytest

from pagekin.fields import options_of
from pagekin.query import Filters
from pagekin.serve.pages.forms import SHOWN

JARGON = re.compile(
    r"\b(bags?|terms?|kin|fragments?|sketch(es)?|inlinks?|pagerank)\b", re.IGNORECASE
)
TEMPLATES = files("pagekin.serve.pages") / "templates"
NAMES = sorted(each.name for each in TEMPLATES.iterdir() if each.name.endswith(".html"))


def written(template: str) -> str:
    """What a template itself says: its text, and the attributes that are read or heard."""
    text = re.sub(r"\{#.*?#\}|\{%.*?%\}|\{\{.*?\}\}", " ", template, flags=re.DOTALL)
    heard = re.findall(r'(?:aria-label|placeholder|title|alt)="([^"]*)"', text)
    return " ".join([re.sub(r"<[^>]*>", " ", text), *heard])


@pytest.mark.parametrize("name", [name for name in NAMES if name != "api.html"])
def test_templates_have_no_jargon(name: str) -> None:
    text = written((TEMPLATES / name).read_text(encoding="utf-8"))
    assert text.strip()
    assert JARGON.findall(text) == []


def test_controls_have_plain_labels() -> None:
    labels = [each.label for each in options_of(Filters, *SHOWN)]
    assert all(labels) and not any(map(JARGON.search, labels))


def test_jargon_is_noticed() -> None:
    assert JARGON.search(written('<p aria-label="the bag">{{ bag }}</p>'))
    assert not JARGON.search(written("<p class=bag>{% set bag = 1 %}{# bag #}a page</p>"))
