"""One table: which error is which HTTP status, and the one shape in which it is told.

Under `/api` an error is JSON; elsewhere it is a page.
"""

import logging
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

import orjson
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response

from pagekin.errors import (
    IndexFault,
    InputError,
    MalformedUrl,
    PagekinError,
    Refused,
    UnknownPage,
    UnknownWord,
)

__all__ = ["CODES", "STATUS", "Problem", "Telling", "problem_of"]

STATUS: dict[str, int] = {
    "malformed_url": 400,
    "malformed_request": 400,
    "unknown_page": 404,
    "unknown_word": 404,
    "no_report": 404,
    "not_found": 404,
    "method_not_allowed": 405,
    "slow_request": 408,
    "body_too_large": 413,
    "url_too_long": 414,
    "unsupported_media_type": 415,
    "unknown_parameter": 422,
    "bad_parameter": 422,
    "head_too_large": 431,
    "internal_error": 500,
    "overloaded": 503,
    "too_slow": 503,
    "index_fault": 503,
}
"""Every code of an error and its status."""

CODES: dict[type[PagekinError], str] = {
    MalformedUrl: "malformed_url",
    UnknownPage: "unknown_page",
    UnknownWord: "unknown_word",
    InputError: "bad_parameter",
    IndexFault: "index_fault",
    PagekinError: "internal_error",
}
"""The code of each error of the tree, that of the nearest class above it."""

SHOWN = 200
"""So many letters of what a client sent are quoted back."""

_log = logging.getLogger("pagekin.serve")


@dataclass(frozen=True, slots=True)
class Problem:
    """What went wrong, for programs (`code`) and for people."""

    code: str
    message: str
    hint: str

    @property
    def status(self) -> int:
        """The HTTP status."""
        return STATUS[self.code]

    def to_json(self) -> bytes:
        """The one shape of an error."""
        return orjson.dumps({"error": asdict(self)})


def problem_of(error: PagekinError) -> Problem:
    """The problem that an error of the tree is. Where files lie is for the log alone."""
    kind = next(kind for kind in type(error).__mro__ if kind in CODES)
    code = error.code if isinstance(error, Refused) else CODES[kind]
    if code in _OURS:
        _log.error("%s", error)
        return Problem(code, *_OURS[code])
    place = f"{_brief(error.where)}: " if error.where else ""
    return Problem(code, _whole(f"{place}{error.what}"), _whole(error.advice))


_OURS = {
    "index_fault": ("the index cannot be read here", "ask whoever runs this service"),
    "internal_error": ("the service failed at this", "ask whoever runs this service"),
}


def invalid(error: RequestValidationError) -> Problem:
    """The problem that parameters of the wrong name, type or size are."""
    first: dict[str, Any] = error.errors()[0]
    name = ".".join(str(part) for part in first["loc"][1:]) or str(first["loc"][0])
    if first["type"] == "json_invalid":
        reason = first.get("ctx", {}).get("error", "")
        return Problem("malformed_request", f"the body is no JSON: {reason}", "send valid JSON")
    if first["type"] == "extra_forbidden":
        return Problem(
            "unknown_parameter",
            _whole(f"{_brief(name)}: there is no such parameter"),
            "see /api/docs",
        )
    return Problem("bad_parameter", _whole(f"{_brief(name)}: {first['msg']}"), "see /api/docs")


def _of_http(error: HTTPException) -> Problem:
    """The problem that the framework itself met."""
    found = {404: "not_found", 405: "method_not_allowed"}
    if error.status_code in found:
        return Problem(found[error.status_code], str(error.detail), "see /api/docs")
    return Problem("malformed_request", _whole(str(error.detail)), "see /api/docs")


def _methods(request: Request) -> str:
    """All methods of a path of the API; the framework names those of its first route alone."""
    described: dict[str, Any] = request.app.openapi()["paths"].get(
        request.scope["path"], {"get": {}}
    )
    return ", ".join(sorted([*described, "head"])).upper()


@dataclass(frozen=True, slots=True)
class Telling:
    """How a problem is told: as JSON under /api, elsewhere as the page that `page` makes of it."""

    page: Callable[[str, Problem], str]

    def response(self, path: str, problem: Problem) -> Response:
        """The response to a request for this path."""
        headers = {"retry-after": "5"} if problem.status == 503 else None
        if path.startswith("/api/") or path == "/api":
            return Response(problem.to_json(), problem.status, headers, "application/json")
        return Response(self.page(path, problem), problem.status, headers, "text/html")

    def add_to(self, app: FastAPI) -> None:
        """Tell all errors of an application so."""

        async def of_tree(request: Request, error: Exception) -> Response:
            problem = problem_of(error) if isinstance(error, PagekinError) else _UNEXPECTED
            return self.response(request.scope["path"], problem)

        async def of_parameters(request: Request, error: Exception) -> Response:
            problem = invalid(error) if isinstance(error, RequestValidationError) else _UNEXPECTED
            return self.response(request.scope["path"], problem)

        async def of_framework(request: Request, error: Exception) -> Response:
            if not isinstance(error, HTTPException):
                return self.response(request.scope["path"], _UNEXPECTED)
            response = self.response(request.scope["path"], _of_http(error))
            if error.status_code == 405:
                response.headers["allow"] = _methods(request)
            return response

        app.add_exception_handler(PagekinError, of_tree)
        app.add_exception_handler(RequestValidationError, of_parameters)
        app.add_exception_handler(HTTPException, of_framework)
        app.add_exception_handler(Exception, of_tree)


_UNEXPECTED = Problem("internal_error", *_OURS["internal_error"])


def _brief(text: str) -> str:
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"


def _whole(text: str) -> str:
    """Without halves of characters, which JSON cannot carry."""
    return text.encode("utf-8", "replace").decode("utf-8")
