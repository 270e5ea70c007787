"""The settings of a service and the limits of requests: flags, defaults and bounds."""

import json
import os
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from pagekin.errors import EngineError
from pagekin.fields import option
from pagekin.replay import EXAMPLE
from pagekin.work.settings import ANSWER_CACHE, REQUEST_BODY

__all__ = ["RequestLimits", "ServeSettings", "read_token"]


@dataclass(frozen=True, slots=True)
class RequestLimits:
    """Limits of one request, and of all requests of a worker together.

    `head` is in bytes; a list can be paged through to `depth`; `waiting` requests may wait for a
    thread. A client may take `seconds` to send each of head and body.
    """

    k: int = option(100, "maximum k of a request", low=1, flag="--max-k", placeholder="K")
    batch: int = option(
        100, "maximum number of questions of a batch", low=1, flag="--max-batch", placeholder="N"
    )
    text: int = option(200_000, "maximum length of a text, in characters", low=1, flag="--max-text")
    body: int = option(
        REQUEST_BODY,
        "maximum size of a request body",
        flag="--max-body",
        in_bytes=True,
        placeholder="SIZE",
    )
    connections: int = option(
        1000, "maximum number of connections per worker", low=1, flag="--max-connections"
    )
    seconds: float = option(
        10.0, "maximum time of a request, in seconds", low=0.001, high=86_400, flag="--max-seconds"
    )
    rate: float = option(
        0.0,
        "maximum requests per second of a client (an IP address) to a worker; 0: unlimited",
        low=0,
        high=1_000_000,
        flag="--max-rate",
        placeholder="N",
    )
    head: int = 64 << 10
    depth: int = 1000
    waiting: int = 256


@dataclass(frozen=True, slots=True)
class ServeSettings:
    """The settings of `pagekin serve`.

    `threads` and `cache` are per worker. With `ahead`, idle workers compute answers before they are
    requested, until the cache is full. `reload` is the number of seconds between checks for a new
    index; 0 is never. `others` are indexes that answer as one with the first.
    """

    index: str
    host: str = option("127.0.0.1", "address to listen on")
    port: int = option(8080, "port to listen on; 0 selects a free port")
    report: str | None = option(
        None, "folder of `pagekin sweep` with the report to show", placeholder="FOLDER"
    )
    workers: int = option(1, "worker processes", low=1)
    threads: int = field(default_factory=lambda: max(os.cpu_count() or 1, 2))
    cache: int = option(
        ANSWER_CACHE, "size of the answer cache of each worker", in_bytes=True, placeholder="SIZE"
    )
    ahead: bool = option(
        True, "while idle, compute answers for the highest-ranked pages until the cache is full"
    )
    access_log: bool = option(True, "log every request")
    json_log: bool = option(False, "write the access log as JSON lines")
    allow_host: tuple[str, ...] = option(
        (),
        "answer requests for this host name as well; a service on loopback answers only to "
        "localhost and loopback addresses (repeatable)",
        placeholder="NAME",
    )
    allow_origin: tuple[str, ...] = option(
        (),
        "let scripts on pages of this origin send requests, such as https://a.example; *: any "
        "origin (repeatable)",
        placeholder="ORIGIN",
    )
    token_file: str | None = option(
        None,
        "file with a token that every request must have: Authorization: Bearer TOKEN",
        placeholder="FILE",
    )
    replay: str | None = option(
        None,
        "address of a web archive with {url} and {timestamp} (14 digits), for links that replay "
        f"captures: {EXAMPLE}",
        placeholder="TEMPLATE",
    )
    source_root: str | None = option(
        None,
        "folder or URI that has the archives now (default: where they were, or beside the index)",
        placeholder="FOLDER",
    )
    partial: bool = option(
        False, "answer without those of several indexes that cannot be read, and say so"
    )
    reload: float = 0.0
    others: tuple[str, ...] = ()
    limits: RequestLimits = field(default_factory=RequestLimits)

    @property
    def indexes(self) -> tuple[str, ...]:
        """All indexes, which answer as one."""
        return self.index, *self.others

    def to_json(self) -> str:
        """The settings as one line, for a worker."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, line: str) -> "ServeSettings":
        """The settings of such a line."""
        raw: dict[str, Any] = json.loads(line)
        lists = {name: tuple(raw[name]) for name in ("allow_host", "allow_origin", "others")}
        return cls(**raw | lists | {"limits": RequestLimits(**raw["limits"])})


def read_token(path: str) -> str:
    """The token in a file, without white space around it."""
    try:
        token = Path(path).read_text(encoding="ascii").strip()
    except (OSError, ValueError) as error:
        raise EngineError(
            f"the token cannot be read ({error})", where=path, advice="name a text file"
        ) from error
    if len(token) < 16:
        raise EngineError(
            "the token has less than 16 characters",
            where=path,
            advice="make one: openssl rand -hex 32",
        )
    return token
