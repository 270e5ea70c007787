"""Dates of captures: as answers show them, and as people and archives write them."""

import calendar
import re
from datetime import UTC, datetime, timedelta

from pagekin.errors import InputError

__all__ = ["DATE", "MOMENT", "iso_date", "moment_of", "seconds_of", "span_of", "timestamp"]

DATE = "a date such as 2024, 2024-05, 2024-05-17 or 2024-05-17T08:30:00Z"
MOMENT = f"{DATE}, or 20240517083000"
_DATE = re.compile(
    r"(?P<year>[0-9]{4})(-(?P<month>[0-9]{2})(-(?P<day>[0-9]{2})"
    r"(T(?P<hour>[0-9]{2}):(?P<minute>[0-9]{2}):(?P<second>[0-9]{2})Z)?)?)?"
)
_DIGITS = re.compile(r"([0-9]{4})([0-9]{2})([0-9]{2})(?:([0-9]{2})([0-9]{2})([0-9]{2}))?")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def seconds_of(date: str) -> tuple[int, int] | None:
    """The first and the last second since 1970 of a date; None if it is not one."""
    found = _DATE.fullmatch(date.strip())
    if not found:
        return None
    given = {name: int(text) for name, text in found.groupdict().items() if text}
    latest = {"month": 12, "hour": 23, "minute": 59, "second": 59} | given
    try:
        start = datetime(**{"month": 1, "day": 1} | given, tzinfo=UTC)
        days = calendar.monthrange(latest["year"], latest["month"])[1]
        end = datetime(**{"day": days} | latest, tzinfo=UTC)
    except ValueError:
        return None
    return int(start.timestamp()), int(end.timestamp())


def moment_of(date: str) -> tuple[int, int] | None:
    """The same, also of 8 or 14 digits as archives write them."""
    digits = _DIGITS.fullmatch(date.strip())
    if not digits:
        return seconds_of(date)
    year, month, day, *time = digits.groups()
    clock = f"T{':'.join(time)}Z" if time[0] else ""
    return seconds_of(f"{year}-{month}-{day}{clock}")


def span_of(date: str) -> tuple[int, int]:
    """The first and the last second of a date that people wrote; other texts are errors."""
    span = moment_of(date)
    if span is None:
        raise InputError(f"{date[:40]!r} is not {MOMENT}", source="date", advice=f"give {MOMENT}")
    return span


def iso_date(seconds: int | None) -> str | None:
    """Seconds since 1970 as answers show them: 2024-05-17T08:30:00Z."""
    if seconds is None:
        return None
    date = _EPOCH + timedelta(seconds=seconds)
    return f"{date.replace(tzinfo=None).isoformat()}Z"


def timestamp(seconds: int) -> str:
    """Seconds since 1970 as archives write them: 20240517083000."""
    date = _EPOCH + timedelta(seconds=seconds)
    return re.sub("[^0-9]", "", date.replace(tzinfo=None).isoformat())
