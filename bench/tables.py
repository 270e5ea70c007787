"""Writes tables into BENCHMARKS.md, each between its own marks."""

from bench.measure import BENCH

__all__ = ["put_table"]

PAGE = BENCH.parent / "BENCHMARKS.md"


def put_table(module: str, text: str) -> None:
    """Replace the table of this benchmark."""
    begin, end = f"<!-- begin: python -m {module} --write -->", "<!-- end -->"
    head, found, rest = PAGE.read_text(encoding="utf-8").partition(begin)
    if not found:
        raise RuntimeError(f"{PAGE} has no place for {module}: {begin}")
    PAGE.write_text(f"{head}{begin}\n{text}\n{end}{rest.partition(end)[2]}", encoding="utf-8")
