"""Putting tables into BENCHMARKS.md, each between its own marks."""

from pathlib import Path

__all__ = ["put_table"]


def put_table(path: Path, script: str, text: str) -> None:
    """Replace what the script put there before."""
    begin, end = f"<!-- begin: {script} --write -->", "<!-- end -->"
    head, found, rest = path.read_text(encoding="utf-8").partition(begin)
    if not found:
        raise RuntimeError(f"{path} has no place for {script}: {begin}")
    path.write_text(f"{head}{begin}\n{text}\n{end}{rest.partition(end)[2]}", encoding="utf-8")
