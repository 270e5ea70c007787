"""Captures and pages over time: how many there are in each month of each year."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pagekin.query import Capture, Captures

__all__ = ["CaptureCalendar", "CountedYear", "years_of"]


@dataclass(frozen=True, slots=True)
class CountedYear:
    """A year, its months' numbers, and the shade of each from 0 to 4."""

    year: str
    months: list[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class CaptureCalendar:
    """Every year that has a capture, how many captures have no date, and a part of them, the latest
    first."""

    count: int
    years: list[CountedYear]
    undated: int
    listed: Sequence[Capture]

    @classmethod
    def of(cls, found: Captures, k: int, offset: int = 0) -> "CaptureCalendar":
        """The calendar of the captures of a URL, and `k` of them."""
        dates = [each.date for each in found if each.date is not None]
        years = years_of(Counter(date[:7] for date in dates))
        listed = found.captures[::-1][offset : offset + k]
        return cls(len(found), years, len(found) - len(dates), listed)


def years_of(months: Mapping[str, int]) -> list[CountedYear]:
    """The years of numbers by month, such as 2024-05."""
    most = max(months.values(), default=1)
    return [_year(year, months, most) for year in sorted({month[:4] for month in months})]


def _year(year: str, months: Mapping[str, int], most: int) -> CountedYear:
    counts = [months.get(f"{year}-{month:02}", 0) for month in range(1, 13)]
    return CountedYear(year, [(count, _shade(count, most)) for count in counts])


def _shade(count: int, most: int) -> int:
    """From 0 for none to 4 for the most."""
    return -(-4 * count // most)
