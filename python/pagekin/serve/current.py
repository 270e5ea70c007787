"""The index that is served now.

It is swapped as a whole: a request takes the snapshot once and keeps it, whatever comes after.
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
"""What is found where the served index came from."""

_log = logging.getLogger("pagekin.serve")


@dataclass(frozen=True, slots=True)
class Snapshot:
    """An index, the report that goes with it, and a name that changes when either does."""

    index: Index
    report: SweepReport | None
    name: str


class Current:
    """The snapshot that new requests are given."""

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
        """What is on disk now. What cannot be used is refused, with a line in the log."""
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
        """Whether the place that the index came from still holds it."""
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
