"""Guard: help and command reference are complete; links and commands on pages are valid."""

import argparse
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from bench.quality.scoreboard import TOLD
from bench.quality.truths.crawls import CRAWLS
from pagekin.cli.main import parser
from pagekin.cli.reference import reference
from pagekin.strategy import DEFAULT

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
PAGES = sorted([*ROOT.glob("*.md"), *DOCS.rglob("*.md"), *(ROOT / "bench").glob("*.md")])
WRITTEN = [page for page in PAGES if page.name != "commands.md"]
"""Pages that people write; the page of commands is written by `make docs`."""


def commands() -> dict[str, argparse.ArgumentParser]:
    (group,) = (
        action for action in parser()._actions if isinstance(action, argparse._SubParsersAction)
    )
    assert {choice.dest for choice in group._choices_actions if choice.help} == {*group.choices}
    return dict(group.choices)


def arguments() -> Iterator[tuple[str, argparse.Action]]:
    for name, command in commands().items():
        yield from ((name, action) for action in command._actions)


@pytest.mark.parametrize(
    ("command", "action"), [*arguments()], ids=lambda value: getattr(value, "dest", value)
)
def test_every_argument_has_help(command: str, action: argparse.Action) -> None:
    assert action.help, f"pagekin {command}: {action.dest} has no help"


def test_every_command_prints_json() -> None:
    """But for `mcp`, whose standard output is the protocol."""
    for name, command in commands().items():
        known = {word for action in command._actions for word in action.option_strings}
        assert ("--json" in known) is (name != "mcp"), name


def test_command_reference_is_up_to_date() -> None:
    page = (DOCS / "commands.md").read_text(encoding="utf-8")
    assert page == reference(), "run make docs"


def test_command_reference_names_every_command_and_option() -> None:
    sections = re.split(r"^## pagekin ", reference(), flags=re.MULTILINE)
    by_command = {section.split(None, 1)[0]: section for section in sections[1:]}
    assert set(by_command) == set(commands())
    for command, action in arguments():
        for word in action.option_strings:
            assert word in by_command[command] or word in ("-h", "--help")


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def anchors(page: Path) -> set[str]:
    """The fragments that links to a page may use, made from headings as on GitHub."""
    headings = re.findall(r"^#+ (.*)", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_links_have_targets(page: Path) -> None:
    for link in re.findall(r"\]\(([^)\s]+)\)", page.read_text(encoding="utf-8")):
        if "://" not in link:
            path, _, anchor = link.partition("#")
            target = (page.parent / path).resolve() if path else page
            assert target.exists(), f"{name(page)}: {link}"
            assert not anchor or anchor in anchors(target), f"{name(page)}: {link}"


def commands_on(page: Path) -> Iterator[str]:
    """The commands of a page: lines of code that begin with pagekin."""
    text = re.sub(r"\\\n\s*", "", page.read_text(encoding="utf-8"))
    yield from re.findall(r"^(?: {4}(?:\$ )?|\$ )(pagekin .*)", text, re.MULTILINE)


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_commands_on_pages_are_valid(page: Path) -> None:
    for line in commands_on(page):
        options, unknown = parser().parse_known_args(shlex.split(line, comments=True)[1:])
        assert not unknown and options.run, f"{name(page)}: {line}"


def test_decisions_are_numbered_like_their_files_without_gaps() -> None:
    files = sorted((DOCS / "decisions").iterdir())
    titles = [file.read_text(encoding="utf-8").partition(".")[0] for file in files]
    assert titles == [f"# {number}" for number in range(1, len(files) + 1)]
    assert [int(file.name[:4]) for file in files] == [*range(1, len(files) + 1)]
    told = " ".join(page.read_text(encoding="utf-8") for page in PAGES)
    for number, file in re.findall(r"\[decision (\d+)\]\(\S*?(\d{4})-", told):
        assert int(number) == int(file)
    assert all(int(number) <= len(files) for number in re.findall(r"decision (\d+)", told))


QUOTED: dict[str, dict[str, tuple[str, str, tuple[int, ...]]]] = {
    "README.md": {
        r"recall (\S+) on numpy": ("### Sentence embeddings", "numpy", (2,)),
        r"numpy and (\S+) on the ency": ("### Sentence embeddings", "encyclopedia", (2,)),
        r"an index of schools takes (\S+) ms": ("### schools", "concepts", (1,)),
        r"takes (\S+) to \S+ times the size": ("## Size of an index", "numpy", (6,)),
        r"takes \S+ to (\S+) times the size": ("## Size of an index", "universities", (6,)),
    },
    "docs/scale.md": {
        r"Spark\s+takes\s+(\S+)\s+core": ("| copies of schools |", "8", (3,)),
        r"local\s+engine\s+(\S+)\s+for\s+one": ("## Spark", "local engine", (2,)),
        r"index\s+has\s+(\S+)\s+MB": ("## Size of an index", "schools", (2,)),
    },
}
"""Figures of a page: where they stand, and the table, row and cells of BENCHMARKS.md they quote."""


def cells(heading: str, row: str) -> list[str]:
    """A row of the first table of BENCHMARKS.md below a line, by its first cell."""
    text = (ROOT / "BENCHMARKS.md").read_text(encoding="utf-8")
    table = re.search(r"(?:^\|.*\n)+", text[text.index(heading) :], re.MULTILINE)
    assert table, heading
    for line in table[0].splitlines():
        found = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if found[0] == row:
            return found
    raise AssertionError(f"BENCHMARKS.md: no row {row} below {heading}")


@pytest.mark.parametrize(
    ("page", "pattern"), [(page, pattern) for page in QUOTED for pattern in QUOTED[page]]
)
def test_quoted_figures_match_benchmarks(page: str, pattern: str) -> None:
    found = re.search(pattern, (ROOT / page).read_text(encoding="utf-8"), re.MULTILINE)
    assert found, f"{page}: {pattern}"
    heading, row, columns = QUOTED[page][pattern]
    for quoted, column in zip(found.groups(), columns, strict=True):
        digits = len(quoted.partition(".")[2])
        measured = float(cells(heading, row)[column].split()[0])
        assert float(quoted) == round(measured + 1e-9, digits)


def scoreboard() -> Iterator[tuple[str, str, str, str]]:
    """The figures of the table in README: crawl, measure in words, system and value."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    head, _, *rows = re.findall(
        r"^\| (.*) \|$", text[text.index("| crawl and measure") :], re.MULTILINE
    )
    systems = head.split(" | ")[1:]
    for row in rows:
        name, *values = row.split(" | ")
        crawl, colon, words = name.partition(": ")
        if not colon:
            break
        for system, value in zip(systems, values, strict=True):
            yield crawl, words, DEFAULT if system == "pagekin" else system, value


def test_scoreboard_of_readme_matches_benchmarks() -> None:
    measures = {words: measure for measure, words in TOLD.items()}
    quoted = [*scoreboard()]
    assert {crawl for crawl, *_ in quoted} == {*CRAWLS}
    for crawl, words, system, value in quoted:
        column = cells(f"### {crawl}", "").index(measures[words])
        measured = float(cells(f"### {crawl}", system)[column].split()[0])
        assert abs(float(value) - measured) < 0.00501, (crawl, words, system)


def test_scale_estimates_follow_from_benchmarks() -> None:
    text = (DOCS / "scale.md").read_text(encoding="utf-8")
    spark = float(cells("| copies of schools |", "8")[3].split()[0]) / 8 / 52.1
    local = float(cells("## Spark", "local engine")[2].split()[0]) / 52.1
    assert f"| {spark:.3f} |" in text and f"| {local:.3f} |" in text
    assert f"| build | {3e6 * spark / 3600:.0f} core-hours |" in text
    assert f"about {3600 / local / 1000:.0f} GB" in text


AVOIDED = (
    *("so many", "is no address", "shall", "what is told", "asked:"),
    *(r"issue \d+", "this session", "machine was", "load of the machine"),
)
"""Unidiomatic phrases, and notes on the project's history."""


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_pages_avoid_unidiomatic_phrases(page: Path) -> None:
    text = " ".join(page.read_text(encoding="utf-8").split())
    for phrase in AVOIDED:
        found = re.findall(rf".{{0,40}}\b{phrase}.{{0,40}}", text, re.IGNORECASE)
        assert not found, f"{name(page)}: {found}"


@pytest.mark.parametrize("page", WRITTEN, ids=name)
def test_lines_of_prose_are_under_120_characters(page: Path) -> None:
    generated = r"<!-- begin.*?<!-- end -->|^```.*?^```"
    text = re.sub(generated, "", page.read_text(encoding="utf-8"), flags=re.S | re.M)
    for line in text.splitlines():
        assert len(line) < 120 or line.lstrip().startswith("|"), f"{name(page)}: {line[:60]}"


MAX_FILES = {
    "A new kind of document": 8,
    "A new kind of terms": 12,
    "A new measure": 4,
    "A new endpoint": 4,
    "A new output format": 3,
}


@pytest.mark.parametrize("change", MAX_FILES)
def test_common_changes_list_few_and_existing_files(change: str) -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    listed = re.search(rf"^\*\*{change}\*\*(?:.+\n)+\n((?:(?:\d| ).*\n)+)", text, re.MULTILINE)
    assert listed, change
    entries = re.findall(r"^\d+\. (.*(?:\n .*)*)", listed[1], re.M)
    assert len(entries) <= MAX_FILES[change]
    for entry in entries:
        path = re.match(r"`([^`]+)`", entry)
        assert path and ("(new)" in entry or (ROOT / path[1]).exists()), entry
