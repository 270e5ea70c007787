"""Answers that are kept, so that a question that is asked again costs nearly nothing.

What a GET is answered depends on its URL and on the snapshot of the index alone. So the whole
response is kept under the URL, packed, the least lately used go first when room is wanted, and a
new snapshot empties all. `took_ms` stays that of the computing; a kept answer has the header `age`.
"""

import time
import zlib
from collections import OrderedDict
from dataclasses import dataclass

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pagekin.serve.current import Current

__all__ = ["AnswerCache", "KeptAnswers"]

OVERHEAD = 1024
"""Bytes that keeping an answer takes besides its key and its body, by a generous guess."""
PACKED = 1
"""How hard bodies are packed. Their names and words recur, so a fifth is left of them after a tenth
of a millisecond, and unpacking takes a quarter of that."""
KEPT_STATUS = (200, 404)
NEVER = ("/api/health", "/api/ready", "/static/")
"""What depends on more than the snapshot, or is a file already."""

Key = tuple[str, str, bytes]
"""Snapshot, path and query string."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A response with its body packed, and when it was computed."""

    status: int
    headers: list[tuple[bytes, bytes]]
    packed: bytes
    made: float


class AnswerCache:
    """Answers by their key, in at most so many bytes."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._answers: OrderedDict[Key, Answer] = OrderedDict()
        self.bytes = 0

    def __len__(self) -> int:
        return len(self._answers)

    def get(self, key: Key) -> Answer | None:
        """The answer that is kept, which is now the latest used."""
        answer = self._answers.get(key)
        if answer is not None:
            self._answers.move_to_end(key)
        return answer

    def put(self, key: Key, answer: Answer) -> None:
        """Keep an answer; one that alone is more than an eighth of all room is not kept."""
        if key in self._answers or _size(key, answer) > self._most // 8:
            return
        self._answers[key] = answer
        self.bytes += _size(key, answer)
        while self.bytes > self._most:
            self.bytes -= _size(*self._answers.popitem(last=False))

    def clear(self) -> None:
        """Keep nothing."""
        self._answers.clear()
        self.bytes = 0


def _size(key: Key, answer: Answer) -> int:
    return OVERHEAD + len(key[1]) + len(key[2]) + len(answer.packed)


class KeptAnswers:
    """An application whose answers are kept. It gives each request the snapshot it is to ask."""

    def __init__(self, app: ASGIApp, current: Current, cache: AnswerCache) -> None:
        self._app = app
        self._current = current
        self._cache = cache
        current.after_swap(cache.clear)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer from what is kept, or ask and keep."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        if scope["method"] == "HEAD":
            # A GET whose body the server keeps to itself.
            scope = {**scope, "method": "GET"}
        snapshot = scope["pagekin.snapshot"] = self._current.snapshot
        if scope["method"] != "GET" or scope["path"].startswith(NEVER):
            await self._app(scope, receive, send)
            return
        key = (snapshot.name, scope["path"], scope["query_string"])
        answer = self._cache.get(key)
        if answer is not None:
            await _again(answer, send)
            return
        recorder = _Recorder(send)
        await self._app(scope, receive, recorder)
        if recorder.complete and snapshot is self._current.snapshot:
            self._cache.put(key, recorder.answer())


async def _again(answer: Answer, send: Send) -> None:
    age = str(int(time.monotonic() - answer.made)).encode()
    headers = [*answer.headers, (b"age", age)]
    await send({"type": "http.response.start", "status": answer.status, "headers": headers})
    await send({"type": "http.response.body", "body": zlib.decompress(answer.packed)})


class _Recorder:
    """A way to send that remembers what was sent."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._start: Message = {}
        self._body: list[bytes] = []
        self.complete = False

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            # A copy: whoever stands before us adds headers of his own.
            self._start = dict(message)
        else:
            self._body.append(message.get("body", b""))
            ended = not message.get("more_body", False)
            self.complete = ended and self._start["status"] in KEPT_STATUS
        await self._send(message)

    def answer(self) -> Answer:
        status, headers = self._start["status"], list(self._start.get("headers", []))
        packed = zlib.compress(b"".join(self._body), PACKED)
        return Answer(status, headers, packed, time.monotonic())
