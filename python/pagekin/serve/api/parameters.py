"""Parameters of a request: in its query, or in its body as JSON or as a form.

They are read here and not by the framework, which goes through the fields of a model anew with
each request: for those of related pages that took a third of a millisecond.
"""

from collections.abc import Iterable
from functools import cache
from typing import Any, TypeVar

from fastapi import Depends, Request
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, ConfigDict, ValidationError
from starlette.datastructures import UploadFile

from pagekin.errors import Refused

__all__ = ["NOTHING_ASKED", "Parameters", "in_body", "in_query", "read_body", "read_query"]

JSON, FORM = "application/json", "multipart/form-data"
FIELDS = 50
"""So many fields of a form are read."""


class Parameters(BaseModel):
    """Parameters of a request; one that is not known is an error."""

    model_config = ConfigDict(extra="forbid", frozen=True)


M = TypeVar("M", bound=Parameters)


def in_query(model: type[Parameters]) -> dict[str, Any]:
    """The query as OpenAPI describes it."""
    schema = model.model_json_schema()
    required = schema.get("required", [])
    parameters = [
        {
            "name": name,
            "in": "query",
            "required": name in required,
            "schema": described,
            "description": described["description"],
        }
        for name, described in schema["properties"].items()
    ]
    return {"parameters": parameters}


def in_body(model: type[Parameters]) -> dict[str, Any]:
    """The body as OpenAPI describes it. Of a form, `page` is a file."""
    json, form = model.model_json_schema(), model.model_json_schema()
    json["properties"]["page"] |= {"anyOf": [{"type": "string"}, {"type": "null"}]}
    form["properties"]["page"] = {"type": "string", "format": "binary"}
    content = {JSON: {"schema": json}, FORM: {"schema": form}}
    return {"requestBody": {"required": True, "content": content}}


def read_query(request: Request, model: type[M]) -> M:
    """The parameters in the query of a request."""
    fields = _gathered(request.query_params.multi_items(), model)
    try:
        return model.model_validate(fields)
    except ValidationError as error:
        raise _invalid("query", error) from error


async def read_body(request: Request, model: type[M]) -> M:
    """The parameters in a body. JSON must have the right types; a form has only strings."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    try:
        if kind == JSON:
            return model.model_validate_json(await request.body(), strict=True)
        if kind == FORM:
            return model.model_validate(await _form(request, model))
    except ValidationError as error:
        raise _invalid("body", error) from error
    raise Refused(
        "unsupported_media_type",
        f"the body is {kind or 'of no type'}",
        advice=f"send {JSON} or {FORM}",
    )


async def _form(request: Request, model: type[Parameters]) -> dict[str, Any]:
    """The fields of a form."""
    async with request.form(max_files=1, max_fields=FIELDS) as form:
        fields = [
            (name, await value.read() if isinstance(value, UploadFile) else value)
            for name, value in form.multi_items()
        ]
        return _gathered(fields, model)


def _gathered(fields: Iterable[tuple[str, str | bytes]], model: type[Parameters]) -> dict[str, Any]:
    """Fields by name. Those that are lists in the model may come again: of the others nobody
    knows which value is meant."""
    gathered: dict[str, Any] = {}
    for name, value in fields:
        if name in _lists(model):
            gathered.setdefault(name, []).append(value)
        elif name in gathered:
            raise Refused("bad_parameter", "is there twice", where=name, advice="give it once")
        else:
            gathered[name] = value
    return gathered


@cache
def _lists(model: type[Parameters]) -> frozenset[str]:
    fields = model.model_fields.items()
    return frozenset(name for name, field in fields if field.annotation == list[str])


def _invalid(where: str, error: ValidationError) -> RequestValidationError:
    return RequestValidationError(
        [each | {"loc": (where, *each["loc"])} for each in error.errors()]
    )


async def _nothing_asked(request: Request) -> None:
    for name in request.query_params:
        raise Refused(
            "unknown_parameter",
            "there is no such parameter",
            where=name,
            advice="see /api/docs",
        )


NOTHING_ASKED = Depends(_nothing_asked)
"""For a resource that takes nothing from its query."""
