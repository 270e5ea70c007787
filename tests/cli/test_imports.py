"""A command waits for its own imports alone."""

import subprocess
import sys

import pytest

LOADED = """
import sys
from pagekin.cli import imported
imported(sys.argv[1:])
print(*sorted(name.removeprefix("pagekin.cli.") for name in sys.modules if "pagekin.cli." in name))
"""


def loaded(*words: str) -> set[str]:
    told = subprocess.run(
        [sys.executable, "-c", LOADED, *words], stdout=subprocess.PIPE, check=True
    )
    return {*told.stdout.decode().split()}


def test_a_command_imports_no_other() -> None:
    assert loaded("show", "an.index") & {"show", "index", "serve", "tune"} == {"show"}


@pytest.mark.parametrize("words", [(), ("--help",), ("sohw", "an.index")])
def test_without_a_command_all_are_imported(words: tuple[str, ...]) -> None:
    assert loaded(*words) >= {"show", "index", "serve", "tune"}
