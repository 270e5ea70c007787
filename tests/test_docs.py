"""A guard: every command and option has help, and docs/commands.md tells what they are today."""

import argparse
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from pagekin.cli.main import parser
from pagekin.cli.reference import reference

DOCS = Path(__file__).parent.parent / "docs"


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
