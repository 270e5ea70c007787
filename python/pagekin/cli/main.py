"""`pagekin`: parses the command line, runs the command, returns its exit code."""

import argparse
import contextlib
import importlib
import io
import os
import sys
import threading
from collections.abc import Callable, Sequence
from typing import Any

from pagekin._core import VERSION
from pagekin.cli.output import printable
from pagekin.errors import ExitCode, PagekinError, exit_code, nearest

__all__ = ["import_commands", "main", "parser"]

AddCommand = Callable[[Any], None]

COMMANDS = {
    "index": ("indexing", "add_index_command"),
    "add": ("update", "add_add"),
    "remove": ("update", "add_remove"),
    "compact": ("update", "add_compact"),
    "merge": ("update", "add_merge"),
    "related": ("ask", "add_related"),
    "search": ("ask", "add_search"),
    "show": ("ask", "add_show"),
    "capture": ("capture", "add_capture"),
    "compare": ("ask", "add_compare"),
    "pairs": ("ask", "add_pairs"),
    "audit": ("audit", "add_audit"),
    "precompute": ("write", "add_precompute"),
    "export": ("write", "add_export"),
    "dump": ("dump", "add_dump"),
    "evaluate": ("evaluate", "add_evaluate"),
    "sweep": ("evaluate", "add_sweep"),
    "tune": ("evaluate", "add_tune"),
    "serve": ("serve", "add_serve"),
    "mcp": ("mcp", "add_mcp"),
    "check": ("indexing", "add_check"),
    "sign": ("indexing", "add_sign"),
    "demo": ("demo", "add_demo"),
}
"""The module of each command, and the function that adds it to a parser."""
RENAMED = {("pagekin related", "--alpha"): "--min-agreement"}
"""Flags of earlier versions, by command, and their new names."""
INTERRUPTED = 130


def import_commands(words: Sequence[str]) -> list[AddCommand]:
    """Import only the command that the words name, or else all commands: imports take time."""
    if words[:1] == ["--version"]:
        return []
    named = [word for word in words[:1] if word in COMMANDS]
    return [_add_command(*COMMANDS[name]) for name in named or COMMANDS]


def _add_command(module: str, name: str) -> AddCommand:
    add: AddCommand = getattr(importlib.import_module(f"pagekin.cli.commands.{module}"), name)
    return add


def parser(words: Sequence[str] = ()) -> argparse.ArgumentParser:
    """The command that the words name with its options, or else every command."""
    top = argparse.ArgumentParser(
        prog="pagekin", description="Related pages for any web crawl.", allow_abbrev=False
    )
    top.add_argument("--version", action="version", version=f"pagekin {VERSION}")
    commands = top.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for add_command in import_commands(words):
        add_command(commands)
    for named in commands.choices.values():
        named.set_defaults(command=named)
    return top


def main(words: Sequence[str] | None = None) -> int:
    """Run a command. Exit codes: 0 done, 1 the answer is no, 2 bad input, 3 a defect."""
    without_stdout = "stdout" in _open_closed_streams()
    if isinstance(sys.stdout, io.TextIOWrapper):
        # A title may have characters that the terminal's encoding lacks.
        sys.stdout.reconfigure(errors="backslashreplace")
    code = int(_run(sys.argv[1:] if words is None else words))
    if without_stdout:
        _print_error(
            "standard output is closed, so nothing was printed; redirect it to a file or /dev/null"
        )
    if words is None:
        _leave_waiting_threads(code)
    return code


def _open_closed_streams() -> list[str]:
    """Open closed standard streams on /dev/null, and return their names.

    Otherwise the next file opened would get the number of a closed stream, and its output.
    """
    closed = [name for name in ("stdin", "stdout", "stderr") if getattr(sys, name) is None]
    for name in closed:
        number = os.open(os.devnull, os.O_RDWR)
        os.set_inheritable(number, True)
        setattr(sys, name, os.fdopen(number, "r" if name == "stdin" else "w"))
    return closed


def _parse(words: Sequence[str]) -> argparse.Namespace:
    """The parsed options; an unknown one is an error of its command, with a suggestion."""
    top = parser(words)
    if not words:
        top.print_help(sys.stderr)
        top.exit(ExitCode.BAD_INPUT)
    options, unknown = top.parse_known_args(words)
    if unknown:
        command: argparse.ArgumentParser = options.command
        known = [name for action in command._actions for name in action.option_strings]
        renamed = RENAMED.get((command.prog, unknown[0].partition("=")[0]))
        hint = f"it is called {renamed} now; " if renamed else nearest(unknown[0], known)
        command.error(
            f"unknown option: {' '.join(unknown)}; {hint}{command.prog} --help lists all options"
        )
    return options


def _run(words: Sequence[str]) -> int:
    try:
        options = _parse(words)
        code: ExitCode = options.run(options)
        sys.stdout.flush()
    except PagekinError as error:
        _print_error(str(error), *getattr(error, "__notes__", ()))
        return exit_code(error)
    except KeyboardInterrupt:
        _print_error("interrupted; an existing index is whole, old or new")
        return INTERRUPTED
    except BrokenPipeError:
        # The reader closed the pipe.
        _close_stdout()
        return ExitCode.DONE
    except OSError as error:
        # An error with a file name is about that file.
        stdout_failed = error.filename is None and _stdout_fails()
        what = f"standard output cannot be written ({error})" if stdout_failed else str(error)
        _close_stdout()
        _print_error(f"{what}; fix the cause and try again")
        return ExitCode.BAD_INPUT
    return code


def _leave_waiting_threads(code: int) -> None:
    """End the process now if a thread still waits for a pipe: Python would wait for it."""
    for thread in threading.enumerate():
        if thread is not threading.current_thread():
            # Ctrl-C may come while a thread is being started; such a thread cannot be joined yet.
            with contextlib.suppress(RuntimeError):
                thread.join(timeout=0.5)
    if threading.active_count() > 1:
        sys.stderr.flush()
        os._exit(code)


def _print_error(*lines: str) -> None:
    with contextlib.suppress(OSError):
        for line in lines:
            print(f"pagekin: {printable(line)}", file=sys.stderr)


def _stdout_fails() -> bool:
    """Whether standard output failed: then it fails again."""
    try:
        print(flush=True)
    except OSError:
        return True
    return False


def _close_stdout() -> None:
    """Redirect standard output to /dev/null, so that flushing at exit does not fail."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
