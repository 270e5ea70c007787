"""Bodies of requests: JSON, or a form with an uploaded file."""

from typing import Any, TypeVar

from fastapi import Request
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, ValidationError
from starlette.datastructures import UploadFile

from pagekin.errors import Refused

__all__ = ["described", "read_body"]

JSON, FORM = "application/json", "multipart/form-data"
FIELDS = 50
"""So many fields of a form are read."""

M = TypeVar("M", bound=BaseModel)


def described(model: type[BaseModel]) -> dict[str, Any]:
    """The body as OpenAPI describes it. Of a form, `page` is a file."""
    json, form = model.model_json_schema(), model.model_json_schema()
    json["properties"]["page"] |= {"anyOf": [{"type": "string"}, {"type": "null"}]}
    form["properties"]["page"] = {"type": "string", "format": "binary"}
    return {"required": True, "content": {JSON: {"schema": json}, FORM: {"schema": form}}}


async def read_body(request: Request, model: type[M]) -> M:
    """The parameters in a body. JSON must have the right types; a form has only strings."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    try:
        if kind == JSON:
            return model.model_validate_json(await request.body(), strict=True)
        if kind == FORM:
            return model.model_validate(await _form(request, model))
    except ValidationError as error:
        found = [each | {"loc": ("body", *each["loc"])} for each in error.errors()]
        raise RequestValidationError(found) from error
    raise Refused(
        "unsupported_media_type",
        f"the body is {kind or 'of no type'}",
        advice=f"send {JSON} or {FORM}",
    )


async def _form(request: Request, model: type[BaseModel]) -> dict[str, Any]:
    """The fields of a form; those that are lists in the model may come again."""
    async with request.form(max_files=1, max_fields=FIELDS) as form:
        fields: dict[str, Any] = {}
        for name, value in form.multi_items():
            content = await value.read() if isinstance(value, UploadFile) else value
            known = model.model_fields.get(name)
            if known is not None and known.annotation == list[str]:
                fields.setdefault(name, []).append(content)
            elif name in fields:
                raise Refused("bad_parameter", f"{name}: is there twice", advice="give it once")
            else:
                fields[name] = content
        return fields
