"""What a build has read and skipped, and what it says when that was nothing."""

from pagekin import _core
from pagekin.errors import CrawlError
from pagekin.types import BuildSummary, Failure

__all__ = ["count_in", "nothing_found"]


def count_in(summary: BuildSummary, extracted: _core.Extracted) -> None:
    """Add what one thread has read."""
    summary.captures += extracted.captures
    summary.pages += extracted.pages
    summary.trees += extracted.trees
    summary.too_deep += extracted.too_deep
    summary.truncated += extracted.truncated
    summary.links_left_out += extracted.links_left_out
    for reason, count in extracted.skips:
        summary.skipped[reason] = summary.skipped.get(reason, 0) + count
    summary.failures += [Failure(*failure) for failure in extracted.failures]


def nothing_found(summary: BuildSummary) -> CrawlError:
    """The first failure, with the others as notes; without one, what was skipped."""
    errors = [failure.as_error() for failure in summary.failures]
    if not errors or summary.skipped:
        reasons = ", ".join(f"{count} {reason}" for reason, count in summary.skipped.items())
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
