"""Where strategies are tried: the last merge is kept, and either half can be judged."""

import os
from collections.abc import Hashable
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from pagekin.evaluation.counts import Counts, counted
from pagekin.evaluation.kept.merged import MergedBags, merge_key
from pagekin.evaluation.kept.survey import Survey
from pagekin.evaluation.matching import Matched
from pagekin.evaluation.summary import K
from pagekin.strategy import Strategy

__all__ = ["Workbench"]


@dataclass(slots=True)
class Workbench:
    """Counts of any strategy on any part of the directory."""

    survey: Survey
    folder: Path
    threads: int = field(default_factory=lambda: os.cpu_count() or 1)
    _key: Hashable = None
    _merged: MergedBags | None = None
    _cleanup: ExitStack = field(default_factory=ExitStack)

    def __enter__(self) -> "Workbench":
        return self

    def __exit__(self, *error: object) -> None:
        self._cleanup.close()

    def counts(self, strategy: Strategy, part: Matched) -> Counts:
        """What is counted for a strategy within a part of the directory."""
        wanted = np.searchsorted(self.survey.matched.ids, part.ids)
        bags = self._merge(strategy).collection(strategy, rows=wanted)
        return counted(
            lambda ks, first, last: bags.tally(part.family, "jaccard", ks, first, last),
            part.first_class,
            len(part.classes),
            [K],
            self.threads,
        )

    def _merge(self, strategy: Strategy) -> MergedBags:
        key = merge_key(strategy)
        if self._merged is None or key != self._key:
            self._cleanup.close()
            merged = MergedBags(self.survey, strategy, self.folder, self.threads)
            self._merged = self._cleanup.enter_context(merged)
            self._key = key
        return self._merged
