"""Progress output: plain lines in a pipe, bars on a terminal."""

import io

import pytest
from rich.console import Console

from pagekin.cli.progress import Bars, Lines, progress_on


class Clock:
    """A clock that tests set."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def run(total: int | None, unit: str, steps: list[tuple[float, int]]) -> list[str]:
    """The lines of one stage, advanced by (seconds later, amount)."""
    stream, clock = io.StringIO(), Clock()
    lines = Lines(stream, clock)
    lines.stage("pages", total, unit)
    for seconds, amount in steps:
        clock.now += seconds
        lines.advance(amount)
    lines.done()
    return stream.getvalue().splitlines()


def test_line_shows_share_rate_and_time_left() -> None:
    assert run(4000, "pages", [(2.0, 1000), (6.0, 3000)]) == [
        "pages: 1,000 pages of 4,000 pages (25%), 500 pages/s, 6.0 s left",
        "pages: 4,000 pages of 4,000 pages (100%), 500 pages/s",
        "pages: 4,000 pages in 8.0 s, 500 pages/s",
    ]


def test_line_without_a_total_shows_count_and_rate() -> None:
    assert run(None, "bags", [(4.0, 8)])[0] == "pages: 8 bags, 2 bags/s"


def test_lines_are_printed_at_most_every_two_seconds_and_at_the_end() -> None:
    assert len(run(100, "pages", [(0.5, 1)] * 9)) == 3


def test_empty_stage_prints_its_end() -> None:
    assert run(0, "pages", []) == ["pages: 0 pages in 0.0 s"]


@pytest.mark.parametrize(
    ("amount", "shown"),
    [(0, "0 B"), (999, "999 B"), (1500, "1.5 kB"), (2_340_000, "2.34 MB"), (5 * 10**12, "5.0 TB")],
)
def test_bytes_are_shown_with_a_prefix(amount: int, shown: str) -> None:
    assert run(None, "bytes", [(0.0, amount)]) == [f"pages: {shown} in 0.0 s"]


@pytest.mark.parametrize(("seconds", "shown"), [(75.0, "1 min 15 s"), (3900.0, "1 h 05 min")])
def test_long_times_are_shown_in_minutes_and_hours(seconds: float, shown: str) -> None:
    assert run(None, "pages", [(seconds, 0)])[-1] == f"pages: 0 pages in {shown}"


def test_new_stage_ends_the_previous_one_and_a_missing_stage_is_harmless() -> None:
    stream = io.StringIO()
    lines = Lines(stream, Clock())
    lines.advance()
    lines.done()
    lines.stage("crawl", None, "captures")
    lines.stage("bags", None, "bags")
    assert stream.getvalue() == "crawl: 0 captures in 0.0 s\n"


def test_finished_bars_keep_name_count_and_unit() -> None:
    stream = Terminal()
    bars = Bars(Console(file=stream, force_terminal=True, width=100))
    bars.advance()
    bars.done()
    bars.stage("crawl [a]", 10, "captures")
    bars.advance(4)
    bars.stage("bags", None, "bags")
    bars.done()
    assert "crawl [a]" in stream.getvalue()
    assert "4 captures" in stream.getvalue()
    assert "0 bags" in stream.getvalue()


def test_terminal_gets_bars_and_pipe_gets_lines() -> None:
    assert isinstance(progress_on(Terminal()), Bars)
    assert isinstance(progress_on(io.StringIO()), Lines)
