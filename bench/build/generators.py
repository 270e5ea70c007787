"""What related pages cost the build of a documentation site.

    python -m bench.build.generators [--rounds 3] [--write]

A real manual of more than 200 pages is built by each generator with and without pagekin, in turns.
"""

import argparse
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

from bench.measure import Sample
from bench.report import by_clock, machine, on_core, table
from bench.tables import put_table
from tests.generators.sites import manual, write_markdown, write_rst

SITES = (("mkdocs", "mkdocs"), ("mkdocs", "material"), ("sphinx", "alabaster"))


def main() -> None:
    """Measure and print, or write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--write", action="store_true", help="replace the table in BENCHMARKS.md")
    options = parser.parse_args()
    pages = manual()
    rows = []
    with tempfile.TemporaryDirectory() as name:
        write_rst(Path(name) / "sphinx", pages)
        write_markdown(Path(name) / "mkdocs" / "docs", pages)
        for kind, theme in SITES:
            rows.append([kind, theme, *_compared(Path(name) / kind, kind, theme, options.rounds)])
            print(rows[-1], file=sys.stderr)
    head = ["generator", "theme", "seconds by the clock", "more", "seconds on the core", "more"]
    versions = ", ".join(f"{name} {version(name)}" for name in ("sphinx", "mkdocs"))
    text = f"{machine()}; {versions}; {len(pages)} pages; rounds: {options.rounds}.\n\n"
    text += table(head, rows)
    if options.write:
        put_table("bench.build.generators", text)
    else:
        print(text)


def _compared(folder: Path, kind: str, theme: str, rounds: int) -> list[str]:
    """The best times without and with pagekin, and what the latter has more."""
    without, with_lists = [], []
    for _ in range(rounds):
        without.append(_build(folder, kind, theme, lists=False))
        with_lists.append(_build(folder, kind, theme, lists=True))
    cells = []
    for seconds in (by_clock, on_core):
        before, after = min(map(seconds, without)), min(map(seconds, with_lists))
        cells += [f"{before:.2f} and {after:.2f}", f"{after / before - 1:.1%}"]
    return cells


def _build(folder: Path, kind: str, theme: str, *, lists: bool) -> Sample:
    """Build the site from nothing."""
    if kind == "sphinx":
        extensions = '"pagekin.generators.sphinx"' if lists else ""
        settings = f'project = "A manual"\nextensions = [{extensions}]\nhtml_theme = "{theme}"\n'
        (folder / "conf.py").write_text(settings, encoding="utf-8")
        return _run(["sphinx", "-q", "-b", "html", ".", "../built"], folder)
    plugins = "search, pagekin" if lists else "search"
    settings = f"site_name: A manual\nplugins: [{plugins}]\ntheme: {theme}\n"
    (folder / "mkdocs.yml").write_text(settings, encoding="utf-8")
    return _run(["mkdocs", "build", "-q", "-d", "../built"], folder)


def _run(words: Sequence[str], folder: Path) -> Sample:
    """Time a child, and the children it waited for."""
    shutil.rmtree(folder.parent / "built", ignore_errors=True)
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(
        [sys.executable, "-m", *words],
        cwd=folder,
        check=True,
        capture_output=True,
        env=os.environ | {"NO_MKDOCS_2_WARNING": "1"},
    )
    wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Sample(wall, cpu)


if __name__ == "__main__":
    main()
