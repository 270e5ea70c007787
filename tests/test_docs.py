"""A guard: commands have help, their page is of today, links and commands of all pages hold."""

import argparse
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from pagekin.cli.main import parser
from pagekin.cli.reference import reference

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
PAGES = sorted([*ROOT.glob("*.md"), *DOCS.rglob("*.md")])


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
def test_every_argument_says_what_it_is(command: str, action: argparse.Action) -> None:
    assert action.help, f"pagekin {command}: {action.dest} has no help"


def test_the_page_on_commands_is_as_the_commands_are() -> None:
    page = (DOCS / "commands.md").read_text(encoding="utf-8")
    assert page == reference(), "run make docs"


def test_the_page_names_every_command_and_option() -> None:
    sections = re.split(r"^## pagekin ", reference(), flags=re.MULTILINE)
    by_command = {section.split(None, 1)[0]: section for section in sections[1:]}
    assert set(by_command) == set(commands())
    for command, action in arguments():
        for word in action.option_strings:
            assert word in by_command[command] or word in ("-h", "--help")


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def anchors(page: Path) -> set[str]:
    """What may stand behind # in a link to a page, as GitHub makes it from headings."""
    headings = re.findall(r"^#+ (.*)", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_every_link_of_a_page_leads_somewhere(page: Path) -> None:
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
def test_every_command_of_a_page_is_one(page: Path) -> None:
    for line in commands_on(page):
        options, unknown = parser().parse_known_args(shlex.split(line, comments=True)[1:])
        assert not unknown and options.run, f"{name(page)}: {line}"


def test_decisions_are_numbered_without_gaps_as_their_files_are() -> None:
    files = sorted((DOCS / "decisions").iterdir())
    titles = [file.read_text(encoding="utf-8").partition(".")[0] for file in files]
    assert titles == [f"# {number}" for number in range(1, len(files) + 1)]
    assert [int(file.name[:4]) for file in files] == [*range(1, len(files) + 1)]
    told = " ".join(page.read_text(encoding="utf-8") for page in PAGES)
    for number, file in re.findall(r"\[decision (\d+)\]\(\S*?(\d{4})-", told):
        assert int(number) == int(file)
    assert all(int(number) <= len(files) for number in re.findall(r"decision (\d+)", told))
