"""How people set a field of a dataclass: a command-line flag, an HTTP parameter, a form control.

A field states its default, its bounds and its help once; every face reads them from here.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import MISSING, dataclass, field, fields, replace
from functools import cache
from typing import Any, get_args, get_type_hints

from pagekin.errors import InputError

__all__ = ["Option", "byte_size", "byte_size_text", "check_options", "option", "options_of"]

SIZE = "a size such as 2GB or 500MB"
UNITS = {"": 1, "K": 10**3, "M": 10**6, "G": 10**9, "T": 10**12}
LARGEST_SIZE = 10**12
KEY = "option"


@dataclass(frozen=True, slots=True)
class Option:
    """One field as people set it. `help` is a phrase, `label` the text beside a form control.

    `parameter` and `flag` are its names in HTTP and on the command line, by default the name of the
    field. `placeholder` stands for the value in a usage line. A text must be one of `choices`, or
    one that `accepts` understands and `expects` describes. With `commas`, one text may have several
    values.
    """

    help: str
    low: float | None = None
    high: float | None = None
    label: str = ""
    parameter: str = ""
    flag: str = ""
    placeholder: str = ""
    choices: tuple[str, ...] = ()
    accepts: Callable[[str], object] | None = None
    expects: str = ""
    in_bytes: bool = False
    commas: bool = False
    name: str = ""
    kind: type = str
    many: bool = False
    default: Any = None
    required: bool = False

    @property
    def expected(self) -> str:
        """A description of valid values, for an error message."""
        if self.in_bytes or self.expects:
            return self.expects or SIZE
        if self.kind is bool:
            return "true or false"
        if self.choices:
            return f"one of {', '.join(self.choices)}"
        if self.kind is str:
            return "a text"
        number = "a whole number" if self.kind is int else "a number"
        if self.high is not None:
            return f"{number} from {self.low:g} to {self.high:g}"
        return f"{number} of at least {self.low:g}" if self.low is not None else number

    def parse(self, text: str) -> Any:
        """The value that a text stands for."""
        value = byte_size(text) if self.in_bytes else self._converted(text)
        return self.checked(value, text)

    def checked(self, value: Any, text: str | None = None) -> Any:
        """The value, if it has the right type and is within bounds."""
        shown = repr(value) if text is None else repr(text[:40])
        right = isinstance(value, int | float if self.kind is float else self.kind)
        if not right or (self.kind is not bool and isinstance(value, bool)):
            raise self._wrong(shown)
        if self.kind in (int, float) and not self._within(value):
            raise self._wrong(shown)
        if self.choices and value not in self.choices:
            raise self._wrong(shown)
        if self.accepts and self.accepts(value) is None:
            raise self._wrong(shown)
        return value

    def _wrong(self, shown: str) -> InputError:
        return InputError(
            f"{shown} is not {self.expected}",
            source=self.parameter or self.name,
            advice=f"give {self.expected}",
        )

    def _within(self, value: float) -> bool:
        low = float("-inf") if self.low is None else self.low
        high = float("inf") if self.high is None else self.high
        return low <= value <= high

    def _converted(self, text: str) -> Any:
        """The text converted to the type of the field; text that cannot be converted stays text."""
        if self.kind is bool:
            return {"true": True, "1": True, "false": False, "0": False}.get(text.lower(), text)
        if self.kind is int:
            whole = re.fullmatch(r"\s*[+-]?[0-9]{1,100}\s*", text)
            return int(text) if whole else text
        if self.kind is float:
            try:
                return float(text)
            except ValueError:
                return text
        return text


def byte_size(text: str) -> int:
    """`2GB`, `512MB`, `1500000`: a number of bytes, in powers of ten."""
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([KMGT]?)B?", text.strip().upper())
    size = float(match[1]) * UNITS[match[2]] if match else 0.0
    if not 1 <= size <= LARGEST_SIZE:
        raise InputError(f"{text!r} is not {SIZE}", source="", advice=f"give {SIZE}")
    return int(size)


def byte_size_text(size: int) -> str:
    """The shortest text that `byte_size` reads as this number of bytes."""
    unit, factor = max(
        (each for each in UNITS.items() if size % each[1] == 0), key=lambda each: each[1]
    )
    return f"{size // factor}{unit}B"


def option(default: Any = MISSING, explanation: str = "", **described: Any) -> Any:
    """A field of a dataclass that people can set."""
    return field(default=default, metadata={KEY: Option(explanation, **described)})


@cache
def options_of(described: type, *names: str) -> tuple[Option, ...]:
    """The options among the fields of a dataclass: all, or those with these names."""
    found = {each.name: each for each in _options(described)}
    return tuple(found[name] for name in names or found)


def _options(described: type) -> Iterator[Option]:
    hints = get_type_hints(described)
    for each in fields(described):
        if KEY in each.metadata:
            stated: Option = each.metadata[KEY]
            kind, many = _kind(hints[each.name])
            yield replace(
                stated,
                name=each.name,
                kind=kind,
                many=many,
                default=None if each.default is MISSING else each.default,
                required=each.default is MISSING,
                parameter=stated.parameter or each.name,
                flag=stated.flag or f"--{each.name.replace('_', '-')}",
            )


def _kind(hint: Any) -> tuple[type, bool]:
    """The type of one value, and whether there may be several."""
    parts = [part for part in get_args(hint) if part not in (type(None), ...)]
    many = getattr(hint, "__origin__", None) is tuple
    kind = parts[0] if parts else hint
    return kind, many


def check_options(value: Any) -> None:
    """Reject a dataclass with an option out of bounds; the error names the field."""
    described: type = type(value)
    for each in options_of(described):
        given = getattr(value, each.name)
        if (each.kind in (int, float) or each.choices or each.accepts) and given is not None:
            each.checked(given)
