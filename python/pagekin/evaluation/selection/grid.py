"""A grid: the strategies to be compared, as TOML.

    cocitation = true                     # the baseline that counts common linking pages

    [[product]]                           # every combination of the values given
    similarity = ["jaccard", "cosine"]
    kinds = { content = 0, anchor = 1 }
    window = { kind = "basic", size = [0, 4, 8, 16, 32], distance = [true, false] }
    words = { stemming = ["nostem", "stem"] }
    frequency = { weight = ["none", "nmdf"] }

The sections are those of a strategy; a value may be a list of values. Omitted values are those of
`paper-best`. A strategy that comes twice counts once. A sweep adds every preset.
"""

import itertools
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from importlib.resources import files
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from pagekin.errors import GridError, StrategyError
from pagekin.evaluation.selection.names import strategy_name
from pagekin.strategy import DEFAULT, Strategy, presets

__all__ = ["COCITATION", "PAPER", "Contender", "Grid"]

COCITATION = "cocitation"
JACCARD = "jaccard"
SIMILARITIES = (JACCARD, "cosine")
PAPER = "paper"
_TOP = ("cocitation", "product")
_SECTIONS = tuple(section.name for section in fields(Strategy))
_MOST = 100_000


@dataclass(frozen=True, slots=True)
class Contender:
    """A strategy and how its bags are compared; without a strategy, the baseline."""

    strategy: Strategy | None
    similarity: str

    @property
    def key(self) -> str:
        """An identifier that stays the same when a sweep is resumed."""
        return f"{self.strategy.fingerprint if self.strategy else '-'}:{self.similarity}"

    @property
    def preset(self) -> str | None:
        """The name of the preset that it is, if it is one."""
        if self.similarity != JACCARD:
            return None
        return next((name for name, each in presets().items() if each == self.strategy), None)

    @property
    def label(self) -> str:
        """The preset's name before its description; the default is marked."""
        preset = self.preset
        if preset is None:
            return self.name
        return f"{preset}{' (default)' if preset == DEFAULT else ''}: {self.name}"

    @property
    def name(self) -> str:
        """What it is, in a few words."""
        if self.strategy is None:
            return "co-citation"
        name = strategy_name(self.strategy)
        return name if self.similarity == JACCARD else f"{name}, {self.similarity}"


@dataclass(frozen=True, slots=True)
class Grid:
    """The contenders in order, each once."""

    contenders: tuple[Contender, ...]

    def with_presets(self) -> "Grid":
        """The grid and every preset, so that nothing is recommended without the default beside."""
        named = (Contender(strategy, JACCARD) for strategy in presets().values())
        return Grid(tuple(dict.fromkeys([*self.contenders, *named])))

    @classmethod
    def load(cls, name: str | PathLike[str]) -> "Grid":
        """The grid `paper`, or one from a TOML file."""
        if name == PAPER:
            text = (files("pagekin.evaluation.selection") / "paper.toml").read_text(
                encoding="utf-8"
            )
            return cls.from_toml(text, source="the grid of the paper")
        path = Path(fspath(name))
        try:
            return cls.from_toml(path.read_text(encoding="utf-8-sig"), source=str(path))
        except (OSError, UnicodeDecodeError) as error:
            reason = error.strerror if isinstance(error, OSError) else "not UTF-8"
            raise _wrong(f"the grid cannot be read ({reason})", str(path)) from error

    @classmethod
    def from_toml(cls, text: str, *, source: str = "the grid") -> "Grid":
        """A grid from its TOML form."""
        try:
            tables = tomllib.loads(text)
        except (ValueError, RecursionError) as error:
            raise _wrong(f"not TOML ({error})", source) from error
        found = dict.fromkeys(_contenders(tables, source))
        if not found:
            raise _wrong("the grid has no strategy", source)
        return cls(tuple(found))


def _contenders(tables: dict[str, Any], source: str) -> Iterator[Contender]:
    for key in tables:
        if key not in _TOP:
            raise _wrong(f"unknown key {key}; known keys: {', '.join(_TOP)}", source)
    products = tables.get("product", [])
    if not isinstance(products, list) or not all(isinstance(product, dict) for product in products):
        raise _wrong("product is not a list of tables: write [[product]]", source)
    for number, product in enumerate(products, start=1):
        yield from _product(product, f"{source}, product {number}")
    if tables.get("cocitation", False) is True:
        yield Contender(None, COCITATION)
    elif tables.get("cocitation", False) is not False:
        raise _wrong("cocitation is true or false", source)


def _product(product: dict[str, Any], where: str) -> Iterator[Contender]:
    axes = {key: _values(value) for key, value in _fields(product, where)}
    similarities = axes.pop(("similarity", ""), [JACCARD])
    for similarity in similarities:
        if similarity not in SIMILARITIES:
            raise _wrong(f"similarity = {similarity!r} is not jaccard or cosine", where)
    count = len(similarities)
    for values in axes.values():
        count *= len(values)
    if not 0 < count <= _MOST:
        raise _wrong(f"it has {count:,} strategies; allowed: 1 to {_MOST:,}", where)
    for chosen in itertools.product(*axes.values()):
        strategy = _strategy(dict(zip(axes, chosen, strict=True)), where)
        for similarity in similarities:
            yield Contender(strategy, similarity)


def _fields(product: Mapping[str, Any], where: str) -> Iterator[tuple[tuple[str, str], Any]]:
    for section, values in product.items():
        if section == "similarity":
            yield (section, ""), values
        elif section not in _SECTIONS or not isinstance(values, dict):
            known = ", ".join(("similarity", *_SECTIONS))
            raise _wrong(
                f"{section} is not a section of a strategy; known sections: {known}", where
            )
        else:
            yield from (((section, name), value) for name, value in values.items())


def _values(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _strategy(fields: Mapping[tuple[str, str], Any], where: str) -> Strategy:
    tables: dict[str, dict[str, Any]] = {}
    for (section, name), value in fields.items():
        tables.setdefault(section, {})[name] = value
    try:
        return Strategy.from_tables(tables)
    except StrategyError as error:
        error.where = where
        raise


def _wrong(what: str, source: str) -> GridError:
    return GridError(what, source=source, advice="see docs/evaluation.md on grids")
