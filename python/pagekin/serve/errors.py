"""One table: which error has which HTTP status, and the one shape of errors.

Under `/api` an error is JSON; elsewhere it is a page.
"""

import logging
from collections.abc import Callable
from dataclasses import asdict, dataclass

import orjson
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ExceptionHandler

from pagekin.errors import (
    ArchiveFault,
    IndexFault,
    InputError,
    MalformedUrl,
    PagekinError,
    Refused,
    UnknownPage,
    UnknownWord,
)

__all__ = ["CODES", "STATUS", "ErrorResponses", "Problem", "problem_of"]

STATUS: dict[str, int] = {
    "malformed_url": 400,
    "malformed_request": 400,
    "no_token": 401,
    "foreign_origin": 403,
    "unknown_page": 404,
    "unknown_word": 404,
    "no_report": 404,
    "not_found": 404,
    "method_not_allowed": 405,
    "slow_request": 408,
    "body_too_large": 413,
    "url_too_long": 414,
    "unsupported_media_type": 415,
    "foreign_host": 421,
    "unknown_parameter": 422,
    "bad_parameter": 422,
    "too_many_requests": 429,
    "head_too_large": 431,
    "internal_error": 500,
    "overloaded": 503,
    "too_slow": 503,
    "index_fault": 503,
    "archive_fault": 503,
}
"""Every code of an error and its status."""

CODES: dict[type[PagekinError], str] = {
    MalformedUrl: "malformed_url",
    UnknownPage: "unknown_page",
    UnknownWord: "unknown_word",
    InputError: "bad_parameter",
    IndexFault: "index_fault",
    ArchiveFault: "archive_fault",
    PagekinError: "internal_error",
}
"""The code of each error of the tree, that of the nearest class above it."""

SHOWN = 200
"""Maximum number of characters of client input that are quoted back."""

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
    """An error of ours as a problem. Paths of files appear in the log only."""
    kind = next(kind for kind in type(error).__mro__ if kind in CODES)
    code = error.code if isinstance(error, Refused) else CODES[kind]
    if code in _OURS:
        _log.error("%s", error)
        return Problem(code, *_OURS[code])
    place = f"{_brief(error.where)}: " if error.where else ""
    return Problem(code, _valid(f"{place}{error.what}"), _valid(error.advice))


_OURS = {
    "index_fault": ("the index cannot be read", "ask the operator of this service"),
    "archive_fault": (
        "the archive of this capture cannot be read",
        "ask the operator of this service: --source-root says where archives are",
    ),
    "internal_error": ("the service failed to answer", "ask the operator of this service"),
}


def _of_http(error: HTTPException) -> Problem:
    """An error of the framework as a problem."""
    found = {404: "not_found", 405: "method_not_allowed"}
    if error.status_code in found:
        return Problem(found[error.status_code], str(error.detail), "see /api/docs")
    return Problem("malformed_request", _valid(str(error.detail)), "see /api/docs")


@dataclass(frozen=True, slots=True)
class ErrorResponses:
    """Errors as responses: JSON under /api, elsewhere the page that `page` makes of a problem."""

    page: Callable[[str, Problem], str]

    def response(self, path: str, problem: Problem) -> Response:
        """The response to a request for this path."""
        headers = _HEADERS.get(problem.status)
        if path.startswith("/api/") or path == "/api":
            return Response(problem.to_json(), problem.status, headers, "application/json")
        return Response(self.page(path, problem), problem.status, headers, "text/html")

    def handlers(self) -> dict[int | type[Exception], ExceptionHandler]:
        """The handlers of an application, by class of exception."""

        async def of_pagekin(request: Request, error: Exception) -> Response:
            problem = problem_of(error) if isinstance(error, PagekinError) else _UNEXPECTED
            return self.response(request.scope["path"], problem)

        async def of_framework(request: Request, error: Exception) -> Response:
            if not isinstance(error, HTTPException):
                return self.response(request.scope["path"], _UNEXPECTED)
            response = self.response(request.scope["path"], _of_http(error))
            response.headers.update(error.headers or {})
            return response

        return {
            PagekinError: of_pagekin,
            HTTPException: of_framework,
            Exception: of_pagekin,
        }


_HEADERS = {
    401: {"www-authenticate": "Bearer"},
    429: {"retry-after": "5"},
    503: {"retry-after": "5"},
}
_UNEXPECTED = Problem("internal_error", *_OURS["internal_error"])


def _brief(text: str) -> str:
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"


def _valid(text: str) -> str:
    """Without lone surrogates, which JSON cannot carry."""
    return text.encode("utf-8", "replace").decode("utf-8")
