"""The command `pagekin` from its first moment on.

Importing the package takes a while, during which a user may press Ctrl-C. This module is not part
of the package, because Python imports a package before any of its modules.
"""

import contextlib
import importlib
import os
import signal
import sys
from types import FrameType

__all__ = ["main"]

INTERRUPTED = 130


def main() -> int:
    """Import the command line and run it."""
    listens = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if listens:
        # An exception is not enough: libraries that are being imported catch it, or raise another.
        signal.signal(signal.SIGINT, _leave)
    command_line = importlib.import_module("pagekin.cli")
    command_line.import_commands(sys.argv[1:])
    if listens:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    code: int = command_line.main()
    return code


def _leave(_number: int, _frame: FrameType | None) -> None:
    """End the process: nothing has begun yet."""
    with contextlib.suppress(OSError):
        os.write(2, b"pagekin: interrupted\n")
    os._exit(INTERRUPTED)
