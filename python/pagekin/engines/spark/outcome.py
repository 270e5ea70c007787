"""What became of the sources, summed up group by group."""

import json
from collections.abc import Iterable
from dataclasses import asdict, fields

from pagekin.types import BuildSummary, Failure

__all__ = ["OUTCOME", "added", "packed", "unpacked"]

OUTCOME = "outcome.json"

MOST_FAILURES = 1000
"""So many files that cannot be read are named; all are counted."""


def packed(summary: BuildSummary) -> bytes:
    """A summary as bytes."""
    return json.dumps(asdict(summary)).encode()


def unpacked(content: bytes) -> BuildSummary:
    """The summary that was packed."""
    known = json.loads(content)
    known["failures"] = [Failure(**failure) for failure in known["failures"]]
    return BuildSummary(**known)


def added(summaries: Iterable[BuildSummary]) -> BuildSummary:
    """All of them together; failures and reasons in order."""
    total = BuildSummary()
    for summary in summaries:
        for field in fields(BuildSummary):
            if field.type is int:
                sum_ = getattr(total, field.name) + getattr(summary, field.name)
                setattr(total, field.name, sum_)
        for reason, count in summary.skipped.items():
            total.skipped[reason] = total.skipped.get(reason, 0) + count
        total.failures += summary.failures
    total.skipped = dict(sorted(total.skipped.items()))
    total.failures.sort(key=lambda failure: (failure.source, failure.offset))
    del total.failures[MOST_FAILURES:]
    return total
