"""`pagekin`: reads the words of the command line, runs the command, ends with its exit code."""

import argparse
import os
import sys
from collections.abc import Sequence
from importlib.metadata import version

from pagekin.cli import demo, index, show
from pagekin.errors import ExitCode, PagekinError, exit_code

__all__ = ["main", "parser"]

COMMANDS = (index, show, demo)


def parser() -> argparse.ArgumentParser:
    """Every command with its options."""
    top = argparse.ArgumentParser(
        prog="pagekin", description="Related pages for any web crawl.", allow_abbrev=False
    )
    top.add_argument("--version", action="version", version=f"pagekin {version('pagekin')}")
    commands = top.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for command in COMMANDS:
        command.add_to(commands)
    return top


def main(words: Sequence[str] | None = None) -> int:
    """Run a command. Exit codes: 0 done, 1 the answer is no, 2 bad usage or bad input."""
    options = parser().parse_args(words)
    try:
        code = options.run(options)
        sys.stdout.flush()
    except PagekinError as error:
        print(f"pagekin: {error}", file=sys.stderr)
        return exit_code(error)
    except KeyboardInterrupt:
        print("pagekin: interrupted; an index that was there is unchanged", file=sys.stderr)
        return 130
    except BrokenPipeError:
        # Whoever read the answer has enough; nothing more can be written.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return ExitCode.DONE
    return int(code)
