"""The one shape of answers and the one shape of errors, as they travel and as they are documented.

An answer is one JSON object, the same that the command prints with `--json`, with `took_ms` as its
last field; lists have `paging`.
"""

from collections.abc import Sequence
from typing import Any

import orjson
from fastapi import Depends, Request
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import Response

from pagekin.errors import Refused
from pagekin.serve.api.examples import EXAMPLES
from pagekin.serve.errors import STATUS

__all__ = ["GIVEN_ONCE", "NOTHING_ASKED", "ErrorAnswer", "Parameters", "answer", "responses"]

ALWAYS = ("malformed_request", "unknown_parameter", "bad_parameter", "internal_error")
BUSY = ("overloaded", "too_slow", "index_fault")


class Parameters(BaseModel):
    """Parameters of a request; one that is not known is an error."""

    model_config = ConfigDict(extra="forbid", frozen=True)


async def _nothing_asked(request: Request) -> None:
    for name in request.query_params:
        raise Refused("unknown_parameter", "there is no such parameter", where=name, advice=_SEE)


async def _given_once(request: Request) -> None:
    names = [name for name, _ in request.query_params.multi_items() if name not in REPEATED]
    for name in {name for name in names if names.count(name) > 1}:
        raise Refused("bad_parameter", "is there twice", where=name, advice="give it once")


NOTHING_ASKED = Depends(_nothing_asked)
"""For a resource without parameters."""
GIVEN_ONCE = Depends(_given_once)
"""For all: which of two values is meant, nobody knows."""
REPEATED = ("url", "unlike")
_SEE = "see /api/docs"


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
    return Response(orjson.dumps(value), media_type="application/json")


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
