"""Which part of a list an answer is."""

from dataclasses import dataclass

__all__ = ["Paging"]


@dataclass(frozen=True, slots=True)
class Paging:
    """The part that was asked for, and the offset of the part after it if there is one."""

    offset: int
    k: int
    next: int | None

    @classmethod
    def of(cls, offset: int, k: int, listed: int) -> "Paging":
        """The part of a list that has at least so much."""
        end = offset + k
        return cls(offset, k, end if end < listed else None)
