"""The page on commands, made from the parser itself.

    python -m pagekin.cli.reference > docs/commands.md

A test fails where the two differ. Python's own help text is not used: it changes with its version.
"""

import argparse
from collections.abc import Iterator

from pagekin.cli.main import parser

__all__ = ["reference"]

HEAD = """# Commands

Written by `make docs` from the commands themselves; do not edit it.

Exit codes: 0 done, 1 the answer is "no" (an unknown URL, no related page, an index that is not
sound), 2 bad usage or bad input, 130 interrupted. Answers go to standard output, progress and
errors to standard error.
"""


def reference() -> str:
    """The whole page."""
    commands = parser()._subparsers
    found = commands._group_actions if commands else []
    sections = [
        _section(name, command)
        for action in found
        if isinstance(action, argparse._SubParsersAction)
        for name, command in action.choices.items()
    ]
    return "\n".join([HEAD, *sections])


def _section(name: str, command: argparse.ArgumentParser) -> str:
    rows = [f"| {_cell(words)} | {_cell(meaning)} |" for words, meaning in _arguments(command)]
    table = ["| argument | meaning |", "|---|---|", *rows]
    return "\n".join([f"## pagekin {name}", "", command.description or "", "", *table, ""])


def _arguments(command: argparse.ArgumentParser) -> Iterator[tuple[str, str]]:
    for action in command._actions:
        if not isinstance(action, argparse._HelpAction):
            yield f"`{_words(action)}`", (action.help or "") % vars(action)


def _words(action: argparse.Action) -> str:
    value = action.metavar or "|".join(action.choices or ()) or action.dest.upper()
    if not action.option_strings:
        return f"{value}..." if action.nargs == "+" else f"{value}"
    names = ", ".join(action.option_strings)
    return names if action.nargs == 0 else f"{names} {value}"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


if __name__ == "__main__":
    print(reference(), end="")
