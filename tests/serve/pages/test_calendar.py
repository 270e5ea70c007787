"""Numbers by month as years of shades."""

from pagekin.query import Capture, Captures
from pagekin.serve.pages.calendar import CaptureCalendar, years_of


def capture(date: str | None) -> Capture:
    return Capture("http://a.example/", date, "response", 200, None, None, 1, "a", 0, False, None)


def test_shades_follow_the_largest_number() -> None:
    months = {"2001-01": 1, "2001-02": 50, "2003-12": 100, "2003-03": 51}
    one, other = years_of(months)
    assert (one.year, other.year) == ("2001", "2003")
    assert one.months[:3] == [(1, 1), (50, 2), (0, 0)]
    assert (other.months[2], other.months[11]) == ((51, 3), (100, 4))
    assert years_of({}) == []


def test_calendar_lists_the_latest_captures_first() -> None:
    dates = [None, "2001-01-02T00:00:00Z", "2001-01-03T00:00:00Z", "2002-05-01T00:00:00Z"]
    found = Captures("http://a.example/", [capture(date) for date in dates])
    calendar = CaptureCalendar.of(found, 2)
    assert [each.date for each in calendar.listed] == [dates[3], dates[2]]
    assert (calendar.count, calendar.undated) == (4, 1)
    assert [year.months[0][0] for year in calendar.years] == [2, 0]
    assert [each.date for each in CaptureCalendar.of(found, 2, 2).listed] == [dates[1], None]
