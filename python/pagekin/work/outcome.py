"""The outcome of a build, a sweep or a search: what was read, skipped and failed.

Both engines count into a `BuildSummary`. Bad records are counted by reason, bad files are named.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from pagekin import _core
from pagekin.errors import CrawlError

__all__ = [
    "HELD_OUT_LINKS",
    "HELD_OUT_SECTIONS",
    "BuildSummary",
    "ConceptCounts",
    "Failure",
    "HeldOutPages",
    "no_page_error",
]

MAX_FAILURES = 1000
"""Maximum number of unreadable files that are listed; the others are counted."""


@dataclass(frozen=True, slots=True)
class Failure:
    """A file that could not be read, or not to its end."""

    source: str
    offset: int
    reason: str
    advice: str

    def as_error(self) -> CrawlError:
        """The failure as an error, for a crawl of which nothing could be read."""
        return CrawlError(self.reason, source=self.source, offset=self.offset, advice=self.advice)


@dataclass(frozen=True, slots=True)
class ConceptCounts:
    """The number of concepts found, of concepts requested, and of pages in the sample: none if they
    are those of another index's model."""

    found: int
    wanted: int
    pages: int

    @property
    def is_of_model(self) -> bool:
        """Whether they were taken over."""
        return self.found > 0 and not self.pages


HELD_OUT_SECTIONS = "sections such as See also"
HELD_OUT_LINKS = "links side by side"


@dataclass(frozen=True, slots=True)
class HeldOutPages:
    """What was held out of the evidence, of how many pages, and how many pages there are."""

    what: str
    pages: int
    crawled: int


@dataclass(slots=True)
class BuildSummary:
    """The captures that a build read and skipped, and the tables that it wrote."""

    captures: int = 0
    pages: int = 0
    superseded: int = 0
    folded: int = 0
    trees: int = 0
    too_deep: int = 0
    truncated: int = 0
    skipped: dict[str, int] = field(default_factory=dict)
    failures: list[Failure] = field(default_factory=list)
    links: int = 0
    links_left_out: int = 0
    urls_left_out: int = 0
    pages_cut: int = 0
    held_out_pages: int = 0
    held_out_pairs: list[tuple[int, int]] = field(default_factory=list)
    bags: int = 0
    terms: int = 0
    concepts: ConceptCounts | None = None
    fitted: dict[str, float] = field(default_factory=dict)
    bytes_read: int = 0
    bytes_written: int = 0
    changed: bool = True
    seconds: dict[str, float] = field(default_factory=dict)

    @property
    def counts(self) -> dict[str, int]:
        """The counts of the manifest."""
        return {
            "pages": self.pages,
            "bags": self.bags,
            "terms": self.terms,
            "links": self.links,
            "concepts": self.concepts.found if self.concepts else 0,
        }

    def count(self, extracted: _core.ExtractSummary) -> None:
        """Add what one thread has read."""
        self.captures += extracted.captures
        self.pages += extracted.pages
        self.trees += extracted.trees
        self.too_deep += extracted.too_deep
        self.truncated += extracted.truncated
        self.links_left_out += extracted.links_left_out
        self.pages_cut += extracted.pages_cut
        self.held_out_pages += extracted.held_out_pages
        self.held_out_pairs += extracted.held_out_pairs
        for reason, count in extracted.skips.items():
            self.skipped[reason] = self.skipped.get(reason, 0) + count
        self.failures += [
            Failure(failure.source, failure.offset, failure.reason, failure.advice)
            for failure in extracted.failures
        ]

    def sort(self) -> None:
        """Sort reasons and failures, so that their order does not depend on threads."""
        self.skipped = dict(sorted(self.skipped.items()))
        self.failures.sort(key=lambda failure: (failure.source, failure.offset))

    @classmethod
    def total(cls, summaries: Iterable["BuildSummary"]) -> "BuildSummary":
        """The sum of all, sorted; of many failures the first are listed."""
        total = cls()
        for summary in summaries:
            for column in fields(cls):
                if column.type is int:
                    both = getattr(total, column.name) + getattr(summary, column.name)
                    setattr(total, column.name, both)
            for reason, count in summary.skipped.items():
                total.skipped[reason] = total.skipped.get(reason, 0) + count
            total.failures += summary.failures
        total.sort()
        more = len(total.failures) - MAX_FAILURES
        if more > 0:
            rest = Failure("the sources", 0, f"{more:,} more cannot be read", "fix these first")
            total.failures[MAX_FAILURES:] = [rest]
        return total

    def as_dict(self) -> dict[str, Any]:
        """The summary as JSON, without held-out evidence, which is for evaluation."""
        raw = asdict(self)
        del raw["held_out_pages"], raw["held_out_pairs"]
        return raw

    def to_json(self) -> bytes:
        """The summary as bytes, for a task that hands it on."""
        return json.dumps(asdict(self)).encode()

    @classmethod
    def from_json(cls, content: bytes) -> "BuildSummary":
        """The summary of such bytes; those of tasks have no concepts yet."""
        raw = json.loads(content)
        raw["failures"] = [Failure(**failure) for failure in raw["failures"]]
        return cls(**raw)


def no_page_error(failures: Sequence[Failure], skipped: Mapping[str, int]) -> CrawlError:
    """The first failure, with the others as notes; without one, the reasons for skipping."""
    errors = [failure.as_error() for failure in failures]
    if not errors or skipped:
        reasons = ", ".join(f"{count} {reason}" for reason, count in skipped.items())
        errors.append(
            CrawlError(
                f"no page was found (skipped: {reasons or 'nothing'})",
                source="the sources",
                advice="give captures of HTML pages with status 200",
            )
        )
    for other in errors[1:]:
        errors[0].add_note(str(other))
    return errors[0]
