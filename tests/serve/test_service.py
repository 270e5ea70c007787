"""The index that is served, and a new one that cannot be opened."""

from pathlib import Path
from unittest.mock import Mock

import pytest

from pagekin.errors import IndexCorrupt
from pagekin.serve import service
from pagekin.serve.service import ServedIndex

UNFIT = IndexCorrupt("a table is cut short", path=Path("index"), advice="build the index again")


@pytest.mark.parametrize("error", [OSError(24, "Too many open files"), UNFIT])
def test_unusable_new_index_is_rejected_with_a_log_line(
    index: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    error: Exception,
) -> None:
    served = ServedIndex(str(index))
    before = served.snapshot

    monkeypatch.setattr(service, "Index", Mock(side_effect=error))
    assert served.open_new() is None
    assert served.snapshot is before
    assert "the new index is refused and the old one stays in use" in caplog.text
