"""What related pages cost the build of a documentation site.

    python -m bench.build.generators [--rounds 3] [--write]

A real manual of more than 200 pages is built by each generator with and without pagekin, in turns.
"""

import argparse
import shutil
import sys
import tempfile
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

from bench.measure import Sample, command_sample
from bench.report import clock_ratio, machine, on_core, ratio, table
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
    head = ["generator", "theme", "seconds on the core", "ratio (spread)", "by the clock"]
    versions = ", ".join(f"{name} {version(name)}" for name in ("sphinx", "mkdocs"))
    text = f"{machine()}; {versions}; {len(pages)} pages; rounds: {options.rounds}.\n\n"
    text += table(head, rows)
    if options.write:
        put_table("bench.build.generators", text)
    else:
        print(text)


def _compared(folder: Path, kind: str, theme: str, rounds: int) -> list[str]:
    """The best times without and with pagekin, and how many times as long the latter takes."""
    without, with_lists = [], []
    for _ in range(rounds):
        without.append(_build(folder, kind, theme, lists=False))
        with_lists.append(_build(folder, kind, theme, lists=True))
    before, after = min(map(on_core, without)), min(map(on_core, with_lists))
    ratios = ratio(with_lists, without, on_core), clock_ratio(with_lists, without)
    return [f"{before:.2f} and {after:.2f}", *ratios]


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
    shutil.rmtree(folder.parent / "built", ignore_errors=True)
    return command_sample([sys.executable, "-m", *words], folder, NO_MKDOCS_2_WARNING="1")


if __name__ == "__main__":
    main()
