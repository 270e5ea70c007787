"""Options: default, bounds and help stated once."""

from dataclasses import dataclass, fields
from typing import Any, get_type_hints

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagekin.errors import InputError
from pagekin.fields import byte_size, byte_size_text, check_options, option, options_of
from pagekin.query import FilterKeywords, Filters


@dataclass(frozen=True, slots=True)
class Sample:
    k: int = option(10, "how many", low=1)
    share: float = option(0.5, "how much", low=0, high=1)
    exact: bool = option(False, "whether")
    size: int = option(1000, "how large", in_bytes=True)
    names: tuple[str, ...] = option((), "which", parameter="name")
    internal: int = 3


OPTIONS = {each.name: each for each in options_of(Sample)}


def test_options_have_type_default_and_names() -> None:
    assert [*OPTIONS] == ["k", "share", "exact", "size", "names"]
    names = OPTIONS["names"]
    assert (names.kind, names.many, names.parameter, names.flag) == (str, True, "name", "--names")
    assert (OPTIONS["k"].kind, OPTIONS["k"].default, OPTIONS["k"].required) == (int, 10, False)


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("k", "7", 7),
        ("share", "1", 1.0),
        ("share", "0.25", 0.25),
        ("exact", "true", True),
        ("exact", "0", False),
        ("size", "2MB", 2_000_000),
    ],
)
def test_text_is_parsed_to_a_value(name: str, text: str, value: Any) -> None:
    assert OPTIONS[name].parse(text) == value


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("k", "0", "'0' is not a whole number of at least 1"),
        ("k", "1.5", "not a whole number"),
        ("k", "ten", "not a whole number"),
        ("share", "nan", "not a number from 0 to 1"),
        ("share", "1.01", "not a number from 0 to 1"),
        ("exact", "maybe", "not true or false"),
        ("size", "lots", "not a size such as 2GB or 500MB"),
    ],
)
def test_bad_text_is_rejected_with_the_expected_form(name: str, text: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        OPTIONS[name].parse(text)


def test_field_out_of_bounds_is_rejected_by_name() -> None:
    with pytest.raises(InputError) as refused:
        check_options(Sample(share=2))
    assert refused.value.source == "share"


@given(st.integers(1, 999), st.sampled_from(["", "B", "KB", "MB", "G"]))
def test_sizes_are_decimal(number: int, unit: str) -> None:
    power = {"": 0, "B": 0, "KB": 3, "MB": 6, "G": 9}[unit]
    assert byte_size(f"{number}{unit}") == number * 10**power


@given(st.integers(1, 10**9))
def test_size_is_read_back_from_its_text(size: int) -> None:
    assert byte_size(byte_size_text(size)) == size
    assert byte_size_text(2_000_000_000) == "2GB"


def test_filter_keywords_match_filter_fields() -> None:
    hints = get_type_hints(Filters)
    expected = {each.name: hints[each.name] for each in fields(Filters)}
    assert get_type_hints(FilterKeywords) == expected
    assert {each.name for each in options_of(Filters)} == {*expected}
