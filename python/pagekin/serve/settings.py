"""What a service serves, where, and how much of it a request may take."""

import json
import os
from dataclasses import asdict, dataclass, field
from typing import Any

__all__ = ["RequestLimits", "ServeSettings"]

MIB = 1 << 20


@dataclass(frozen=True, slots=True)
class RequestLimits:
    """What one request, and all of them together, may take of a worker.

    `head` and `body` are bytes of a request, `text` letters of a text, `k` hits of an answer,
    `depth` how far a list can be paged through; `seconds` an answer may take, and as long may a
    client take to send each of head and body. `waiting` requests may wait for a thread.
    """

    head: int = 64 << 10
    body: int = 2 * MIB
    text: int = 200_000
    k: int = 100
    depth: int = 1000
    seconds: float = 10.0
    waiting: int = 256
    connections: int = 1000


@dataclass(frozen=True, slots=True)
class ServeSettings:
    """Everything that `pagekin serve` can be told.

    `threads` and `cache` (bytes of answers that are kept) are of each worker. With `ahead` answers
    are made before they are asked for, as far as these bytes go. With `reload` the index is looked
    at every so many seconds; 0 is never.
    """

    index: str
    report: str | None = None
    host: str = "127.0.0.1"
    port: int = 8080
    workers: int = 1
    threads: int = field(default_factory=lambda: max(os.cpu_count() or 1, 2))
    cache: int = 64 * MIB
    ahead: bool = True
    reload: float = 0.0
    access_log: bool = False
    limits: RequestLimits = field(default_factory=RequestLimits)

    def to_json(self) -> str:
        """The settings as one line, for a worker."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, line: str) -> "ServeSettings":
        """The settings of such a line."""
        raw: dict[str, Any] = json.loads(line)
        return cls(**raw | {"limits": RequestLimits(**raw["limits"])})
