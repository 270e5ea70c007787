"""The index that is served now.

It is swapped as a whole: a request takes the snapshot once and keeps it to its end.
"""

import hashlib
import logging
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pagekin._core import VERSION
from pagekin.errors import IndexFault, PagekinError
from pagekin.evaluation.selection.results_table import SweepReport, read_report
from pagekin.index import Manifest
from pagekin.opened import Index

__all__ = ["Current", "OnDisk", "Snapshot"]

OnDisk = Literal["same", "changed", "missing", "damaged"]
"""The state on disk of the served index."""

_log = logging.getLogger("pagekin.serve")


@dataclass(frozen=True, slots=True)
class Snapshot:
    """An index, the report that goes with it, and a name that changes when either does."""

    index: Index
    report: SweepReport | None
    name: str


class Current:
    """The snapshot for new requests."""

    def __init__(self, index: str, report: str | None = None) -> None:
        self._path = Path(index)
        self._report = report
        self.snapshot = self._opened()
        self._after_swap: list[Callable[[], None]] = []

    @property
    def index(self) -> Index:
        """The index of the snapshot."""
        return self.snapshot.index

    def after_swap(self, call: Callable[[], None]) -> None:
        """Call this whenever there is another snapshot."""
        self._after_swap.append(call)

    def opened(self) -> Snapshot | None:
        """Open the index on disk. An unusable one is rejected with a line in the log."""
        try:
            return self._opened()
        except (PagekinError, OSError) as error:
            _log.error("the new index is refused and the old one stays in use: %s", error)
            return None

    def swap(self, snapshot: Snapshot) -> None:
        """Give this snapshot to the requests to come."""
        self.snapshot = snapshot
        for call in self._after_swap:
            call()
        _log.info("serves %s as of now (%s)", self._path, snapshot.name)

    def on_disk(self) -> OnDisk:
        """Whether the index is still on disk."""
        try:
            manifest = Manifest.read(self._path)
        except IndexFault:
            return "damaged" if self._path.exists() else "missing"
        return "same" if manifest == self.index.reader.manifest else "changed"

    def _opened(self) -> Snapshot:
        index = Index(self._path)
        report = read_report(self._report) if self._report is not None else None
        parts = (VERSION, index.reader.manifest.checksum, report.digest if report else "")
        return Snapshot(index, report, hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16])
