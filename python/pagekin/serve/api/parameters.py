"""Parameters of a request, read by the options that describe them: from the query or the body."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

from starlette.datastructures import UploadFile
from starlette.requests import Request

from pagekin.errors import InputError, Refused
from pagekin.fields import Option, options_of

__all__ = ["FORM", "JSON", "Values", "most_values", "read_batch", "read_body", "read_query"]

JSON, FORM = "application/json", "multipart/form-data"
MAX_FIELDS = 50
"""Fields of a form that are read."""
MAX_VALUES = 10
"""Values of one parameter that has no list of choices."""
QUESTIONS = "questions"
"""The name of the questions of a batch."""
DOCS = "see /api/docs"

T = TypeVar("T")


class Values:
    """The values of a request's parameters, by the names of the fields that they set."""

    def __init__(self, options: Sequence[Option], given: Mapping[str, Any]) -> None:
        missing = [each.parameter for each in options if each.required and each.name not in given]
        if missing:
            raise _bad(missing[0], "is missing")
        self._values = {each.name: given.get(each.name, each.default) for each in options}

    def to(self, described: Callable[..., T], **others: Any) -> T:
        """The dataclass whose options these values are."""
        names = {each.name for each in options_of(described)} if isinstance(described, type) else ()
        found = {name: value for name, value in self._values.items() if name in names}
        return described(**found | others)


def most_values(option: Option) -> int:
    """Values of one parameter."""
    return max(MAX_VALUES, len(option.choices))


def read_query(request: Request, options: Sequence[Option]) -> Values:
    """The parameters in the query of a request."""
    return Values(options, _parse(request.query_params.multi_items(), options))


async def read_body(request: Request, options: Sequence[Option]) -> Values:
    """The parameters in a body. JSON must have the right types; a form has only strings."""
    for name in request.query_params:
        raise _unknown(name)
    kind = _media_type(request)
    if kind == JSON:
        return Values(options, _check(_document(await request.body()), options))
    if kind == FORM:
        return Values(options, await _form(request, options))
    raise Refused(
        "unsupported_media_type",
        f"the body is {kind or 'of no type'}",
        advice=f"send {JSON} or {FORM}",
    )


async def read_batch(
    request: Request, options: Sequence[Option], shared: Sequence[Option]
) -> tuple[list[Values], Values]:
    """The questions in a JSON body, and the parameters that they share."""
    for name in request.query_params:
        raise _unknown(name)
    kind = _media_type(request)
    if kind != JSON:
        raise Refused(
            "unsupported_media_type", f"the body is {kind or 'of no type'}", advice=f"send {JSON}"
        )
    document = _document(await request.body())
    questions = document.pop(QUESTIONS, None)
    if not isinstance(questions, list) or not questions:
        raise _bad(QUESTIONS, "is not a list of questions")
    read = [_question(number, each, options) for number, each in enumerate(questions)]
    return read, Values(shared, _check(document, shared))


def _question(number: int, document: object, options: Sequence[Option]) -> Values:
    """One question of a batch; an error in it names its number."""
    place = f"{QUESTIONS}[{number}]"
    if not isinstance(document, dict):
        raise _bad(place, "is not an object")
    try:
        return Values(options, _check(document, options))
    except Refused as error:
        where = f"{place}.{error.where}"
        raise Refused(error.code, error.what, where=where, advice=error.advice) from None


def _media_type(request: Request) -> str:
    return request.headers.get("content-type", "").partition(";")[0].strip().lower()


def _parse(items: Iterable[tuple[str, str | bytes]], options: Sequence[Option]) -> dict[str, Any]:
    """Values of strings. Only options with many values may come more than once."""
    known = {each.parameter: each for each in options}
    given: dict[str, Any] = {}
    unknown: list[str] = []
    seen: set[str] = set()
    for name, text in items:
        option = known.get(name)
        if name in seen and not (option and option.many):
            raise _bad(name, "given twice", "give it once")
        seen.add(name)
        if option is None:
            unknown.append(name)
        elif option.many:
            given[option.name] = (*given.get(option.name, ()), *_values(option, text))
        else:
            given[option.name] = _value(option, text)
    if unknown:
        raise _unknown(unknown[0])
    _check_numbers_of_values(given, options)
    return given


def _values(option: Option, text: str | bytes) -> list[Any]:
    """The values in one text."""
    if option.commas and isinstance(text, str):
        return [_value(option, part) for part in text.split(",")]
    return [_value(option, text)]


def _value(option: Option, text: str | bytes) -> Any:
    if option.kind is bytes:
        return text.encode() if isinstance(text, str) else text
    if isinstance(text, bytes):
        raise _bad(option.parameter, "is a file", "send it as a text")
    try:
        return option.parse(text)
    except InputError as error:
        raise _bad(option.parameter, error.what) from None


def _document(body: bytes) -> dict[str, Any]:
    """A JSON object."""
    try:
        found = json.loads(body)
        # Lone surrogates are valid escapes of JSON, and no text.
        json.dumps(found, ensure_ascii=False).encode()
    except (ValueError, RecursionError) as error:
        raise Refused(
            "malformed_request", f"the body is not JSON: {str(error)[:80]}", advice="send JSON"
        ) from None
    if not isinstance(found, dict):
        raise _bad("body", "is not an object")
    return found


def _check(document: Mapping[str, Any], options: Sequence[Option]) -> dict[str, Any]:
    """Values that have types of their own."""
    known = {each.parameter: each for each in options}
    given: dict[str, Any] = {}
    for name, value in document.items():
        option = known.get(name)
        if option is None:
            raise _unknown(name)
        if value is not None or option.default is not None:
            given[option.name] = _check_type(option, value)
    _check_numbers_of_values(given, options)
    return given


def _check_type(option: Option, value: Any) -> Any:
    """A value of JSON. One value may stand for a list of one; a page is a string here."""
    try:
        if option.many:
            if isinstance(value, str):
                value = value.split(",") if option.commas else [value]
            return tuple(map(option.checked, value if isinstance(value, list) else [value]))
        if option.kind is bytes:
            # A page that comes as text is UTF-8, even if it declares another encoding.
            return UTF_8_MARK + value.encode() if isinstance(value, str) else option.checked(value)
        return option.checked(value)
    except InputError as error:
        raise _bad(option.parameter, error.what) from None


UTF_8_MARK = b"\xef\xbb\xbf"
"""Tells a reader of HTML, before anything in the page does, that it is UTF-8."""


async def _form(request: Request, options: Sequence[Option]) -> dict[str, Any]:
    async with request.form(max_files=1, max_fields=MAX_FIELDS) as form:
        fields = [
            (name, await value.read() if isinstance(value, UploadFile) else value)
            for name, value in form.multi_items()
        ]
    return _parse(fields, options)


def _check_numbers_of_values(given: Mapping[str, Any], options: Sequence[Option]) -> None:
    for each in options:
        if each.many and len(given.get(each.name, ())) > most_values(each):
            raise _bad(each.parameter, f"given more than {most_values(each)} times")


def _unknown(name: str) -> Refused:
    return Refused("unknown_parameter", "no such parameter", where=name, advice=DOCS)


def _bad(name: str, what: str, advice: str = DOCS) -> Refused:
    return Refused("bad_parameter", what, where=name, advice=advice)
