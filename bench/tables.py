"""Writes tables into BENCHMARKS.md and other pages, each between its own marks."""

from pathlib import Path

from bench.measure import BENCH

__all__ = ["put_table"]

PAGE = BENCH.parent / "BENCHMARKS.md"


def put_table(module: str, text: str, page: Path = PAGE) -> None:
    """Replace the table of this benchmark on a page."""
    begin, end = f"<!-- begin: python -m {module} --write -->", "<!-- end -->"
    head, found, rest = page.read_text(encoding="utf-8").partition(begin)
    if not found:
        raise RuntimeError(f"{page} has no place for {module}: {begin}")
    page.write_text(f"{head}{begin}\n{text}\n{end}{rest.partition(end)[2]}", encoding="utf-8")
