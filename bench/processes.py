"""The processes of a service: their memory and their time on the core, as Linux tells it."""

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

__all__ = ["Processes"]

EVERY = 1.0
"""Seconds between two looks at the memory."""


class Processes:
    """A parent and its children."""

    def __init__(self, parent: int) -> None:
        self._parent = parent

    def children(self) -> list[int]:
        """The children that are there now."""
        listed = Path(f"/proc/{self._parent}/task/{self._parent}/children").read_text()
        return [int(word) for word in listed.split()]

    def core_seconds(self) -> float:
        """The core time of the children."""
        stats = [Path(f"/proc/{child}/stat").read_text() for child in self.children()]
        fields = [stat.rpartition(")")[2].split() for stat in stats]
        ticks = sum(int(each[11]) + int(each[12]) for each in fields)
        return ticks / os.sysconf("SC_CLK_TCK")

    def megabytes(self) -> float:
        """The children's own memory; what they have mapped of the index is not theirs."""
        found = 0
        for child in self.children():
            for line in Path(f"/proc/{child}/status").read_text().splitlines():
                if line.startswith("RssAnon:"):
                    found += int(line.split()[1])
        return found / 1024

    @contextmanager
    def watched(self) -> Iterator[list[float]]:
        """The memory from second to second."""
        looks: list[float] = []
        ended = threading.Event()

        def look() -> None:
            while not ended.wait(EVERY):
                looks.append(self.megabytes())

        thread = threading.Thread(target=look)
        thread.start()
        try:
            yield looks
        finally:
            ended.set()
            thread.join()
