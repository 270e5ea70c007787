"""How much of one record is accepted."""

from dataclasses import dataclass

from pagekin.errors import EngineError

__all__ = ["Limits"]

MIB = 1 << 20
MOST = 1 << 40


@dataclass(frozen=True, slots=True)
class Limits:
    """Bytes; a record or body beyond them is skipped and counted as too large."""

    record: int = 64 * MIB
    body: int = 16 * MIB

    def __post_init__(self) -> None:
        for name, limit in (("record", self.record), ("body", self.body)):
            if not 1 <= limit <= MOST:
                raise EngineError(
                    f"the limit {name} = {limit} is not possible", advice=f"allowed: 1 to {MOST}"
                )
