"""The one shape of answers and the one shape of errors, as they travel and as they are documented.

An answer is one JSON object, the same that the command prints with `--json`, with `took_ms` as its
last field; lists have `paging`.
"""

from collections.abc import Callable, Sequence
from typing import Any, Concatenate, ParamSpec

import orjson
from pydantic import BaseModel, Field
from starlette.responses import Response

from pagekin.opened import Index
from pagekin.serve.api.examples import EXAMPLES
from pagekin.serve.errors import STATUS
from pagekin.serve.service import Asker

__all__ = ["ErrorAnswer", "answer", "answered", "responses"]

ALWAYS = ("malformed_request", "unknown_parameter", "bad_parameter", "internal_error")
BUSY = ("overloaded", "too_slow", "index_fault")

P = ParamSpec("P")


class ErrorDetail(BaseModel):
    """What went wrong."""

    code: str = Field(description="the reason, for programs")
    message: str = Field(description="what happened, for people")
    hint: str = Field(description="what to do about it")


class ErrorAnswer(BaseModel):
    """The one shape of errors."""

    error: ErrorDetail


def answer(value: object) -> Response:
    """A value as a response."""
    return _response(orjson.dumps(value))


async def answered(
    asking: Asker,
    question: Callable[Concatenate[Index, P], object],
    *args: P.args,
    **kwargs: P.kwargs,
) -> Response:
    """What a question is answered, as a response. The thread that computes it writes the JSON as
    well: so the values never leave the core that made them."""

    def written(index: Index) -> bytes:
        return orjson.dumps(question(index, *args, **kwargs))

    return _response(await asking.ask(written))


def _response(body: bytes) -> Response:
    return Response(body, media_type="application/json")


def responses(example: str, *codes: str) -> dict[int | str, dict[str, Any]]:
    """What a resource may answer: an example, and the errors by their codes."""
    statuses: dict[int, list[str]] = {}
    for code in (*codes, *ALWAYS, *BUSY):
        statuses.setdefault(STATUS[code], []).append(code)
    told = {"application/json": {"example": EXAMPLES[example].answer}}
    found: dict[int | str, dict[str, Any]] = {200: {"description": "the answer", "content": told}}
    for status, named in sorted(statuses.items()):
        found[status] = _documented(named)
    return found


def _documented(codes: Sequence[str]) -> dict[str, Any]:
    described = " or ".join(f"`{code}`" for code in codes)
    return {"model": ErrorAnswer, "description": f"error code {described}"}
