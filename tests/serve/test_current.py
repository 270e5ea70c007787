"""The index that is served now, and one that cannot take its place."""

from pathlib import Path

import pytest

from pagekin.errors import PagekinError
from pagekin.serve import current
from pagekin.serve.current import Current


@pytest.mark.parametrize("error", [OSError(24, "Too many open files"), PagekinError("no index")])
def test_what_cannot_be_opened_is_refused_with_a_line(
    index: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    error: Exception,
) -> None:
    served = Current(str(index))
    before = served.snapshot

    def fails(path: Path) -> None:
        raise error

    monkeypatch.setattr(current, "Index", fails)
    assert served.opened() is None
    assert served.snapshot is before
    assert "the new index is refused and the old one is served on" in caplog.text
