"""The summary of a build, and whatever else is told to people, as lines."""

import re

from pagekin.cli.progress import size_text
from pagekin.types import BuildSummary, ConceptsFound

__all__ = ["counted", "printable", "summary_text"]

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]")


def summary_text(summary: BuildSummary, index: str) -> str:
    """What was read, skipped and written, and how long each stage took."""
    lines = [
        f"{counted(summary.pages, 'page')} from {counted(summary.captures, 'capture')}, "
        f"{size_text(summary.bytes_read)} read",
        f"skipped: {_reasons(summary)}",
        f"{counted(summary.bags, 'bag')} ({summary.bags - summary.pages:,} of pages that were not "
        f"crawled), {counted(summary.terms, 'term')}, {counted(summary.links, 'link')}",
        f"{index}: {size_text(summary.bytes_written)} written",
        "seconds: " + ", ".join(f"{stage} {time:.1f}" for stage, time in summary.seconds.items()),
    ]
    if summary.concepts:
        lines.insert(3, _concepts(summary.concepts))
    if summary.too_deep:
        lines.insert(
            2,
            f"{counted(summary.too_deep, 'page')} nested too deeply, read without the tree",
        )
    if summary.truncated:
        lines.insert(2, f"{counted(summary.truncated, 'page')} cut short by the crawler, and kept")
    if summary.links_left_out:
        lines.insert(
            2, f"{counted(summary.links_left_out, 'link')} past the 10,000th of a page left out"
        )
    return "\n".join(lines)


def _concepts(concepts: ConceptsFound) -> str:
    sample = counted(concepts.pages, "crawled page")
    if not concepts.found:
        return f"no concepts learnt from {sample}: nothing is shared, or everything"
    wanted = f" of {concepts.wanted:,} wanted" if concepts.found < concepts.wanted else ""
    more = ": the pages have no more in common" if wanted else ""
    return f"{concepts.found:,}{wanted} concepts learnt from {sample}{more}"


def counted(number: int, noun: str) -> str:
    """`1 page`, `2 pages`."""
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


def printable(text: str) -> str:
    """Text of unknown origin on one line, without anything that a terminal would obey."""
    return _CONTROL.sub("\N{REPLACEMENT CHARACTER}", text)


def _reasons(summary: BuildSummary) -> str:
    reasons = [f"{count:,} {reason}" for reason, count in summary.skipped.items() if count]
    if summary.superseded:
        reasons.append(f"{counted(summary.superseded, 'capture')} replaced by a later one")
    return ", ".join(reasons) or "nothing"
