"""What a word of the command line stands for: a count, a size, a share, a time."""

import argparse
import re

__all__ = ["byte_size", "count", "seconds", "share"]

_UNITS = {"": 1, "K": 10**3, "M": 10**6, "G": 10**9, "T": 10**12}
_MOST = 10**12


def count(text: str) -> int:
    """A whole number from 1."""
    if not text.isdecimal() or not int(text):
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number from 1")
    return int(text)


def byte_size(text: str) -> int:
    """`2GB`, `512MB`, `1500000`: a number of bytes."""
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([KMGT]?)B?", text.strip().upper())
    size = float(match[1]) * _UNITS[match[2]] if match else 0.0
    if not 1 <= size <= _MOST:
        raise argparse.ArgumentTypeError(f"{text!r} is no size: write for example 2GB or 500MB")
    return int(size)


def share(text: str) -> float:
    """A number from 0 to 1."""
    return _between(text, 0, 1, "number from 0 to 1")


def seconds(text: str) -> float:
    """A time from a thousandth of a second to a day."""
    return _between(text, 0.001, 86_400, "number of seconds")


def _between(text: str, least: float, most: float, what: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = float("nan")
    if not least <= number <= most:
        raise argparse.ArgumentTypeError(f"{text!r} is no {what}")
    return number
