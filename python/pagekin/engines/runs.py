"""Files between stages that are cut into parts."""

from dataclasses import dataclass

__all__ = ["Part", "Run"]

Part = tuple[str, int, int]
"""A part of a file: path, start, end."""


@dataclass(frozen=True, slots=True)
class Run:
    """A file of one part a partition, and where each part ends."""

    path: str
    ends: list[int]

    def part(self, partition: int) -> Part:
        """Where the partition's part is."""
        return self.path, self.ends[partition - 1] if partition else 0, self.ends[partition]
