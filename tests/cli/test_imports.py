"""A command imports only its own module."""

import subprocess
import sys
from importlib.metadata import version

import pytest

from pagekin._core import VERSION
from pagekin.cli.main import COMMANDS

MODULES = {module for module, _ in COMMANDS.values()}
LOADED = """
import sys
from pagekin.cli import import_commands
import_commands(sys.argv[1:])
print(*(name.rpartition(".")[2] for name in sys.modules if "pagekin.cli.commands." in name))
"""


ALL = "import sys; from pagekin.cli import import_commands; import_commands(sys.argv[1:])"


def printed(code: str, *words: str) -> set[str]:
    """The words that a program prints."""
    command = [sys.executable, "-c", code, *words]
    return {*subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()}


def loaded(*words: str) -> set[str]:
    """The modules of commands that are imported for these words."""
    return printed(LOADED, *words) & MODULES


def test_the_package_alone_imports_no_part() -> None:
    found = printed("import sys, pagekin; print(*sys.modules)")
    assert {name for name in found if name.startswith(("pagekin", "numpy", "pyarrow"))} == {
        "pagekin"
    }


def test_a_build_waits_for_no_other_verb() -> None:
    found = printed(f"{ALL}; print(*sys.modules)", "index")
    unused = ("pagekin.evaluation", "pagekin.export", "pagekin.serve", "pagekin.engines.spark")
    assert not {name for name in found if name.startswith(unused)}


@pytest.mark.parametrize("command", ["index", "related", "show"])
def test_command_imports_only_its_own_module(command: str) -> None:
    assert loaded(command, "an.index") == {COMMANDS[command][0]}


@pytest.mark.parametrize("words", [(), ("--help",), ("sohw", "an.index")])
def test_all_commands_are_imported_without_a_command(words: tuple[str, ...]) -> None:
    assert loaded(*words) == MODULES


def test_version_imports_no_command() -> None:
    assert loaded("--version") == set()


def test_core_version_equals_package_version() -> None:
    assert version("pagekin") == VERSION
