"""The TOML form of a strategy: twelve sections, each a table of plain values.

Writing is canonical: a strategy has exactly one text, and reading that text gives the strategy
back. A key that a file omits has the value of the preset `paper-best`.
"""

import json
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from pagekin.errors import StrategyError, nearest
from pagekin.strategy.fit import Fit
from pagekin.strategy.kinds import Concept, Kinds, Topic
from pagekin.strategy.sections import (
    Frequency,
    Lead,
    Mix,
    Site,
    Sketch,
    Template,
    Window,
    Words,
)

__all__ = ["Sections", "read_sections", "read_text", "sections_of", "write_sections"]

STOP_FILE = "stop_words_file"
_LONG_KEY = re.compile(r"""(?<![\w-])(?:(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+){64}""")
"""A key of many parts, for which tomllib takes a time that grows with their square."""
Section = TypeVar(
    "Section",
    Kinds,
    Window,
    Words,
    Frequency,
    Mix,
    Sketch,
    Site,
    Concept,
    Lead,
    Template,
    Topic,
    Fit,
)


class Sections(NamedTuple):
    """The sections of a strategy, in the order of its fields."""

    kinds: Kinds
    window: Window
    words: Words
    frequency: Frequency
    mix: Mix
    sketch: Sketch
    site: Site
    concept: Concept
    lead: Lead
    template: Template
    topic: Topic
    fit: Fit


def read_sections(text: str, folder: Path | None) -> Sections:
    """The sections of `text`; a `stop_words_file` is relative to `folder`."""
    return sections_of(_tables(text), folder)


def sections_of(tables: dict[str, dict[str, Any]], folder: Path | None) -> Sections:
    """The sections, from tables by name."""
    kinds = _section(Kinds, "kinds", tables)
    concept = _section(Concept, "concept", tables)
    topic = _section(Topic, "topic", tables)
    # Distance weights are the default only where the anchor kind is used.
    anchor = (
        kinds.anchor > 0
        or (kinds.concept > 0 and concept.anchor > 0)
        or (kinds.topic > 0 and topic.anchor > 0)
    )
    tables.setdefault("window", {}).setdefault("distance", anchor)
    _read_stop_file(tables.get("words", {}), folder)
    return Sections(
        kinds=kinds,
        window=_section(Window, "window", tables),
        words=_section(Words, "words", tables),
        frequency=_section(Frequency, "frequency", tables),
        mix=_section(Mix, "mix", tables),
        sketch=_section(Sketch, "sketch", tables),
        site=_section(Site, "site", tables),
        concept=concept,
        lead=_section(Lead, "lead", tables),
        template=_section(Template, "template", tables),
        topic=topic,
        fit=_section(Fit, "fit", tables),
    )


def write_sections(sections: Mapping[str, Mapping[str, Any]]) -> str:
    """The canonical text: sections and keys in their declared order, without None."""
    return "\n".join(_table(name, values) for name, values in sections.items())


def _tables(text: str) -> dict[str, dict[str, Any]]:
    if _LONG_KEY.search(text):
        raise StrategyError("the text", text, "TOML whose keys have at most two parts")
    try:
        tables = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise StrategyError("the text", text, f"TOML ({error})") from error
    _refuse_unknown("", tables, Sections._fields)
    for name, table in tables.items():
        if not isinstance(table, dict):
            raise StrategyError(name, table, f"a section: [{name}] on a line of its own")
    return tables


def _section(kind: type[Section], name: str, tables: Mapping[str, dict[str, Any]]) -> Section:
    table = tables.get(name, {})
    _refuse_unknown(f"{name}.", table, [field.name for field in fields(kind)])
    return kind(**table)


def _read_stop_file(words: dict[str, Any], folder: Path | None) -> None:
    """Replace `stop_words_file` by its words, so that the strategy needs no other file."""
    if STOP_FILE not in words:
        return
    field, name = f"words.{STOP_FILE}", words.pop(STOP_FILE)
    if "stop_words" in words:
        raise StrategyError(field, name, "either stop_words or stop_words_file, not both")
    if not isinstance(name, str) or folder is None:
        raise StrategyError(field, name, "the name of a file, in a strategy read from a file")
    words["stop_words"] = list(_words_of(read_text(field, folder / name)))


def _words_of(text: str) -> Iterable[str]:
    """Words separated by white space; `#` begins a comment."""
    for line in text.splitlines():
        yield from line.partition("#")[0].split()


def read_text(field: str, path: Path) -> str:
    """The text of a file; an error names the setting that refers to it."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise StrategyError(field, str(path), "a text file in UTF-8") from error
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise StrategyError(field, str(path), f"a file that can be read ({reason})") from error


def _refuse_unknown(prefix: str, table: Mapping[str, Any], known: Iterable[str]) -> None:
    names = list(known)
    for key, value in table.items():
        if key not in names:
            allowed = f"{nearest(key, names)}one of {', '.join(names)}"
            raise StrategyError(prefix + key, value, allowed)


def _table(name: str, values: Mapping[str, Any]) -> str:
    lines = [f"{key} = {_value(value)}\n" for key, value in values.items() if value is not None]
    return f"[{name}]\n{''.join(lines)}"


def _value(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, tuple):
        return f"[{', '.join(map(_value, value))}]"
    return repr(value)
