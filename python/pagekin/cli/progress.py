"""Progress on stderr: bars on a terminal, plain lines elsewhere."""

import contextlib
import time
from collections.abc import Callable
from typing import TextIO

from rich.console import Console
from rich.progress import BarColumn, ProgressColumn, SpinnerColumn, Task, TaskID, TextColumn
from rich.progress import Progress as RichProgress
from rich.text import Text

from pagekin.work.progress import Progress

__all__ = ["Bars", "Lines", "progress_on", "size_text"]

SECONDS_BETWEEN_LINES = 2.0


def progress_on(stream: TextIO) -> Progress:
    """Bars if `stream` is a terminal, plain lines if it is a file or a pipe."""
    return Bars(Console(file=stream)) if stream.isatty() else Lines(stream)


class Lines:
    """A line at most every two seconds, and one at the end of each stage."""

    def __init__(self, stream: TextIO, clock: Callable[[], float] = time.monotonic) -> None:
        self._stream = stream
        self._clock = clock
        self._name: str | None = None

    def stage(self, name: str, total: int | None, unit: str) -> None:
        """Begin a stage, ending the one before it."""
        self.done()
        self._total, self._unit = total, unit
        self._count = 0
        self._begun = self._last_line = self._clock()
        # Set last: Ctrl-C may come at any line, and `done` needs everything above.
        self._name = name

    def advance(self, amount: int = 1) -> None:
        """Count, and write a line if the last one is two seconds old."""
        if self._name is None:
            return
        self._count += amount
        now = self._clock()
        if now - self._last_line >= SECONDS_BETWEEN_LINES:
            self._last_line = now
            self._write(self._so_far(now - self._begun))

    def done(self) -> None:
        """Write what the stage did and how long it took."""
        if self._name is None:
            return
        seconds = self._clock() - self._begun
        rate = _rate(self._count, seconds, self._unit)
        self._write(f"{_amount(self._count, self._unit)} in {_duration(seconds)}{rate}")
        self._name = None

    def _so_far(self, seconds: float) -> str:
        rate = _rate(self._count, seconds, self._unit)
        if not self._total:
            return f"{_amount(self._count, self._unit)}{rate}"
        share = f"{min(self._count / self._total, 1):.0%}"
        of = f"{_amount(self._count, self._unit)} of {_amount(self._total, self._unit)}"
        return f"{of} ({share}){rate}{_left(self._count, self._total, seconds)}"

    def _write(self, text: str) -> None:
        # The work goes on even if nobody reads its progress.
        with contextlib.suppress(OSError):
            print(f"{self._name}: {text}", file=self._stream, flush=True)


class Bars:
    """One bar a stage, with rate and time left; finished bars stay on the screen."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._bars: RichProgress | None = None
        self._task = TaskID(0)

    def stage(self, name: str, total: int | None, unit: str) -> None:
        """Begin a bar below the one before it."""
        self.done()
        self._bars = RichProgress(
            SpinnerColumn(finished_text="✓"),
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            _Facts(unit),
            console=self._console,
        )
        self._bars.start()
        self._task = self._bars.add_task(name, total=total)

    def advance(self, amount: int = 1) -> None:
        """Lengthen the bar."""
        if self._bars is not None:
            self._bars.advance(self._task, amount)

    def done(self) -> None:
        """Fill the bar and leave it on the screen."""
        if self._bars is None:
            return
        count = self._bars.tasks[0].completed
        self._bars.update(self._task, total=count, completed=count)
        self._bars.stop()
        self._bars = None


class _Facts(ProgressColumn):
    """Count, rate and time left, worded like `Lines`."""

    def __init__(self, unit: str) -> None:
        super().__init__()
        self._unit = unit

    def render(self, task: Task) -> Text:
        """The text beside the bar."""
        seconds, count = task.elapsed or 0.0, int(task.completed)
        facts = f"{_amount(count, self._unit)}{_rate(count, seconds, self._unit)}"
        if task.finished or not task.total:
            return Text(f"{facts}, {_duration(seconds)}")
        return Text(facts + _left(count, int(task.total), seconds))


def size_text(count: float) -> str:
    """A number of bytes with a unit."""
    for prefix in ("", "k", "M", "G"):
        if count < 1000:
            return f"{count:.3g} {prefix}B"
        count /= 1000
    return f"{count:,.1f} TB"


def _amount(count: float, unit: str) -> str:
    return size_text(count) if unit == "bytes" else f"{count:,.0f} {unit}"


def _rate(count: int, seconds: float, unit: str) -> str:
    return f", {_amount(count / seconds, unit)}/s" if count and seconds > 0 else ""


def _left(count: int, total: int, seconds: float) -> str:
    if not count or count >= total:
        return ""
    return f", {_duration(seconds * (total - count) / count)} left"


def _duration(seconds: float) -> str:
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02} min" if hours else f"{minutes} min {rest:02} s"
