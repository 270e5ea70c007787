"""How much of one record is accepted."""

from dataclasses import dataclass

__all__ = ["Limits"]

MIB = 1 << 20


@dataclass(frozen=True, slots=True)
class Limits:
    """Bytes; a record or body beyond them is skipped and counted as too large."""

    record: int = 64 * MIB
    body: int = 16 * MIB
