"""What became of the sources, summed up group by group."""

import json
from collections.abc import Iterable
from dataclasses import asdict, fields

from pagekin.types import BuildSummary, Failure

__all__ = ["OUTCOME", "added", "packed", "unpacked"]

OUTCOME = "outcome.json"

MOST_FAILURES = 1000
"""So many files that cannot be read are named, the others counted."""


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
                both = getattr(total, field.name) + getattr(summary, field.name)
                setattr(total, field.name, both)
        for reason, count in summary.skipped.items():
            total.skipped[reason] = total.skipped.get(reason, 0) + count
        total.failures += summary.failures
    total.skipped = dict(sorted(total.skipped.items()))
    total.failures = _named(total.failures)
    return total


def _named(failures: list[Failure]) -> list[Failure]:
    """The first failures in order, and how many more there are."""
    ordered = sorted(failures, key=lambda failure: (failure.source, failure.offset))
    more = len(ordered) - MOST_FAILURES
    if more <= 0:
        return ordered
    others = Failure("the sources", 0, f"{more:,} more cannot be read", "see to these first")
    return [*ordered[:MOST_FAILURES], others]
