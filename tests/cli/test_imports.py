"""A command waits for its own imports alone."""

import subprocess
import sys
from importlib.metadata import version

import pytest

from pagekin._core import VERSION
from pagekin.cli.main import COMMANDS

MODULES = {module for module, _ in COMMANDS.values()}
LOADED = """
import sys
from pagekin.cli import imported
imported(sys.argv[1:])
print(*(name.removeprefix("pagekin.cli.") for name in sys.modules if "pagekin.cli." in name))
"""


def loaded(*words: str) -> set[str]:
    """The modules of commands that are imported for these words."""
    command = [sys.executable, "-c", LOADED, *words]
    told = subprocess.run(command, capture_output=True, text=True, check=True)
    return {*told.stdout.split()} & MODULES


@pytest.mark.parametrize("command", ["index", "related", "show"])
def test_a_command_imports_no_other(command: str) -> None:
    assert loaded(command, "an.index") == {COMMANDS[command][0]}


@pytest.mark.parametrize("words", [(), ("--help",), ("sohw", "an.index")])
def test_without_a_command_all_are_imported(words: tuple[str, ...]) -> None:
    assert loaded(*words) == MODULES


def test_the_version_needs_none() -> None:
    assert loaded("--version") == set()


def test_the_version_is_that_of_the_package() -> None:
    assert version("pagekin") == VERSION
