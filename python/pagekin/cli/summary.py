"""The summary of a build, as lines for people."""

from pagekin.types import BuildSummary

__all__ = ["summary_text"]


def summary_text(summary: BuildSummary, index: str) -> str:
    """What was read, skipped and written, and how long each stage took."""
    lines = [
        f"{summary.pages:,} pages from {summary.captures:,} captures, "
        f"{_size(summary.bytes_read)} read",
        f"skipped: {_reasons(summary)}",
        f"{summary.bags:,} bags ({summary.bags - summary.pages:,} of pages that were not crawled), "
        f"{summary.terms:,} terms, {summary.links:,} links",
        f"{index}: {_size(summary.bytes_written)} written",
        "seconds: " + ", ".join(f"{stage} {time:.1f}" for stage, time in summary.seconds.items()),
    ]
    if summary.too_deep:
        lines.insert(
            2, f"{summary.too_deep:,} pages nested too deeply were read without their tree"
        )
    if summary.links_left_out:
        lines.insert(
            2, f"{summary.links_left_out:,} links past the 10,000th of their page left out"
        )
    return "\n".join(lines)


def _reasons(summary: BuildSummary) -> str:
    reasons = dict(summary.skipped)
    if summary.superseded:
        reasons["captures replaced by a later one"] = summary.superseded
    return (
        ", ".join(f"{count:,} {reason}" for reason, count in reasons.items() if count) or "nothing"
    )


def _size(count: float) -> str:
    for unit in ("B", "kB", "MB", "GB"):
        if count < 1000:
            return f"{count:.3g} {unit}"
        count /= 1000
    return f"{count:,.1f} TB"
