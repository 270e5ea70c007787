"""The OpenAPI document, made from the endpoints: their options, their answers and their errors.

Answers are dataclasses; `examples.json` has an answer of each endpoint on the bundled sample crawl,
and a test asks for them again (tests/serve/write_examples.py).
"""

import json
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, fields, is_dataclass
from importlib.resources import files
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from starlette.requests import Request
from starlette.responses import Response

from pagekin._core import VERSION
from pagekin.fields import Option
from pagekin.serve.api.parameters import FORM, JSON, QUESTIONS, most_values
from pagekin.serve.errors import STATUS

__all__ = ["BINARY", "EXAMPLES", "TEXT", "Endpoint", "ErrorAnswer", "Example", "openapi"]

TEXT, BINARY = "text/plain", "application/octet-stream"
"""What an endpoint answers that gives bytes of an archive, of a text and of other media."""

ALWAYS = ("malformed_request", "unknown_parameter", "bad_parameter", "internal_error")
GUARDED = ("no_token", "foreign_host", "too_many_requests")
BUSY = ("overloaded", "too_slow", "index_fault")
TYPES = {str: "string", bytes: "string", int: "integer", float: "number", bool: "boolean"}
NAMED_TYPES = TYPES | {NoneType: "null"}

Schema = dict[str, Any]


@dataclass(frozen=True, slots=True)
class ErrorDetail:
    """What went wrong: a code for programs, a message and a hint for people."""

    code: str
    message: str
    hint: str


@dataclass(frozen=True, slots=True)
class ErrorAnswer:
    """The one shape of errors."""

    error: ErrorDetail


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A method of a path: its parameters, its answer and its errors.

    Of `chosen` an answer has the fields that a client chooses. A batch has `questions`, each with
    these parameters.
    """

    method: str
    path: str
    answer: type
    handler: Callable[[Request], Awaitable[Response]]
    options: Sequence[Option] = ()
    codes: Sequence[str] = ()
    media: str = JSON
    chosen: type | None = None
    questions: Sequence[Option] = ()

    @property
    def name(self) -> str:
        """The name of its example."""
        return f"{self.method.lower()}_{self.path.rpartition('/')[2]}"

    @property
    def meaning(self) -> str:
        """What it is for: the docstring of its handler."""
        return (self.handler.__doc__ or "").strip()


@dataclass(frozen=True, slots=True)
class Example:
    """A request to an endpoint, with a body where it is sent by POST, and its answer."""

    method: str
    path: str
    body: dict[str, Any] | None
    answer: dict[str, Any] | str


def _examples() -> dict[str, Example]:
    text = (files("pagekin.serve.api") / "examples.json").read_text(encoding="utf-8")
    return {name: Example(**each) for name, each in json.loads(text).items()}


EXAMPLES = _examples()
"""By the names of the endpoints."""


def openapi(endpoints: Sequence[Endpoint]) -> dict[str, Any]:
    """The whole document."""
    schemas: dict[str, Schema] = {}
    paths: dict[str, Any] = {}
    for each in endpoints:
        paths.setdefault(each.path, {})[each.method.lower()] = _operation(each, schemas)
    for name in {each.chosen.__name__ for each in endpoints if each.chosen}:
        del schemas[name]["required"]
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "pagekin",
            "description": "Related pages in a web crawl, and why.",
            "version": VERSION,
        },
        "paths": paths,
        "components": {"schemas": schemas},
    }


def _operation(endpoint: Endpoint, schemas: dict[str, Schema]) -> dict[str, Any]:
    operation: dict[str, Any] = {
        "operationId": endpoint.name,
        "summary": endpoint.name.replace("_", " ").capitalize(),
        "description": endpoint.meaning,
        "responses": _responses(endpoint, schemas),
    }
    if endpoint.questions:
        schema = _batch(endpoint)
        operation["requestBody"] = {"required": True, "content": {JSON: {"schema": schema}}}
    elif endpoint.method == "POST":
        content = {kind: {"schema": _body(endpoint.options, kind)} for kind in (JSON, FORM)}
        operation["requestBody"] = {"required": True, "content": content}
    elif endpoint.options:
        operation["parameters"] = [_parameter(each) for each in endpoint.options]
    return operation


def _batch(endpoint: Endpoint) -> Schema:
    """The body of a batch."""
    body = _body(endpoint.options, JSON)
    questions = {
        "type": "array",
        "minItems": 1,
        "items": _body(endpoint.questions, JSON),
        "description": "questions, each with the parameters of POST /api/related",
    }
    properties = {QUESTIONS: questions} | body["properties"]
    return body | {"properties": properties, "required": [QUESTIONS]}


def _parameter(option: Option) -> dict[str, Any]:
    described = {
        "name": option.parameter,
        "in": "query",
        "required": option.required,
        "description": option.help,
        "schema": _option_schema(option),
    }
    return described | {"style": "form", "explode": False} if option.commas else described


def _option_schema(option: Option) -> Schema:
    value: Schema = {"type": TYPES[option.kind]}
    if option.choices:
        value["enum"] = list(option.choices)
    if option.low is not None:
        value["minimum"] = option.low
    if option.high is not None:
        value["maximum"] = option.high
    if option.many:
        value = {"type": "array", "items": value, "maxItems": most_values(option)}
    if option.default is not None:
        value["default"] = list(option.default) if option.many else option.default
    return value | {"description": option.help}


def _body(options: Sequence[Option], kind: str) -> Schema:
    properties = {each.parameter: _body_schema(each, kind) for each in options}
    return {"type": "object", "properties": properties, "additionalProperties": False}


def _body_schema(option: Option, kind: str) -> Schema:
    """A field of a body. In JSON one value may stand for a list of one; a form has files, and 0 or
    1 for a flag."""
    schema = _option_schema(option)
    if option.kind is bytes and kind == FORM:
        return schema | {"format": "binary"}
    if option.kind is bool and kind == FORM:
        return schema | {"type": ["boolean", "integer"], "minimum": 0, "maximum": 1}
    if kind == FORM:
        return schema
    if option.many:
        described = {key: schema.pop(key) for key in ("description", "default")}
        return {"anyOf": [{"type": "string"}, schema]} | described
    if option.default is None:
        return schema | {"type": [schema["type"], "null"]}
    return schema


def _responses(endpoint: Endpoint, schemas: dict[str, Schema]) -> dict[str, Any]:
    answer = _schema(endpoint.answer, schemas)
    content = {endpoint.media: {"schema": answer, "example": EXAMPLES[endpoint.name].answer}}
    if endpoint.media != JSON:
        content[BINARY] = {"schema": answer | {"format": "binary"}}
    found: dict[str, Any] = {"200": {"description": "the answer", "content": content}}
    statuses: dict[int, list[str]] = {}
    for code in (*endpoint.codes, *ALWAYS, *GUARDED, *BUSY):
        statuses.setdefault(STATUS[code], []).append(code)
    error = {JSON: {"schema": _schema(ErrorAnswer, schemas)}}
    for status, codes in sorted(statuses.items()):
        named = " or ".join(f"`{code}`" for code in codes)
        found[str(status)] = {"description": f"error code {named}", "content": error}
    return found


def _schema(hint: Any, schemas: dict[str, Schema]) -> Schema:
    """The JSON schema of a type; those of dataclasses are put into `schemas` once."""
    if hint in NAMED_TYPES:
        return {"type": NAMED_TYPES[hint]}
    if is_dataclass(hint) and isinstance(hint, type):
        if hint.__name__ not in schemas:
            schemas[hint.__name__] = {}
            schemas[hint.__name__] |= _object(hint, schemas)
        return {"$ref": f"#/components/schemas/{hint.__name__}"}
    origin, parts = get_origin(hint), get_args(hint)
    if origin is Literal:
        return {"type": "string", "enum": list(parts)}
    if origin in (Union, UnionType):
        return {"anyOf": [_schema(part, schemas) for part in parts]}
    if origin is dict:
        return {"type": "object", "additionalProperties": _schema(parts[1], schemas)}
    # All that is left is a list, or a tuple of one type; another type has not one part.
    (item,) = {*parts}
    array: Schema = {"type": "array", "items": _schema(item, schemas)}
    return array | {"minItems": len(parts), "maxItems": len(parts)} if origin is tuple else array


def _object(described: type, schemas: dict[str, Schema]) -> Schema:
    hints = get_type_hints(described)
    names = [each.name for each in fields(described)]
    return {
        "type": "object",
        "description": (described.__doc__ or "").partition("\n")[0],
        "properties": {name: _schema(hints[name], schemas) for name in names},
        "required": names,
    }
