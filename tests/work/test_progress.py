"""The silent progress of the library, and that it fits the interface."""

import pytest

from pagekin.work.progress import Progress, SilentProgress


def test_silent_progress_prints_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    progress: Progress = SilentProgress()
    progress.stage("pages", None, "pages")
    progress.advance()
    progress.advance(3)
    progress.done()
    assert capfd.readouterr() == ("", "")
