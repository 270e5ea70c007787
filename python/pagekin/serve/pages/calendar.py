"""Captures of a page over time: how many there are of each month of each year."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from pagekin.query import Capture, Captures

__all__ = ["CaptureCalendar", "CaptureYear"]

LISTED = 50
"""Captures that are listed one by one."""
SHADES = (1, 2, 5, 10)
"""The least numbers of captures of each shade."""


@dataclass(frozen=True, slots=True)
class CaptureYear:
    """A year, its months' numbers of captures, and the shade of each from 0 to 4."""

    year: str
    months: list[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class CaptureCalendar:
    """Every year that has a capture, how many captures have no date, and the last ones."""

    count: int
    years: list[CaptureYear]
    undated: int
    last: Sequence[Capture]

    @classmethod
    def of(cls, found: Captures) -> "CaptureCalendar":
        """The calendar of the captures of a URL."""
        dates = [each.date for each in found if each.date is not None]
        months = Counter(date[:7] for date in dates)
        years = [_year(year, months) for year in sorted({date[:4] for date in dates})]
        last = found.captures[::-1][:LISTED]
        return cls(len(found), years, len(found) - len(dates), last)


def _year(year: str, months: Counter[str]) -> CaptureYear:
    counts = [months[f"{year}-{month:02}"] for month in range(1, 13)]
    return CaptureYear(year, [(count, sum(count >= least for least in SHADES)) for count in counts])
