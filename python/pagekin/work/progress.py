"""The interface through which long work reports progress.

Library code never prints: it calls a `Progress` that the caller provides. Stages follow one another
and never overlap; all calls come from one thread.
"""

from typing import Protocol

__all__ = ["Progress", "SilentProgress"]


class Progress(Protocol):
    """The receiving end: stages, each of which advances until it is done."""

    def stage(self, name: str, total: int | None, unit: str) -> None:
        """Begin a stage of `total` units (None: not known), ending the one before it."""

    def advance(self, amount: int = 1) -> None:
        """Count `amount` more units of the current stage."""

    def done(self) -> None:
        """End the current stage; harmless where none is open."""


class SilentProgress:
    """Prints nothing: the default of the library."""

    def stage(self, name: str, total: int | None, unit: str) -> None:
        """Begin a stage, silently."""

    def advance(self, amount: int = 1) -> None:
        """Advance, silently."""

    def done(self) -> None:
        """End the stage, silently."""
