"""`/api/docs`: the OpenAPI document as a page for people; nothing is loaded from elsewhere."""

import json
from dataclasses import dataclass
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from pagekin.serve.api.examples import EXAMPLES
from pagekin.serve.errors import STATUS
from pagekin.serve.pages.rendering import filled
from pagekin.serve.settings import RequestLimits

__all__ = ["router"]

router = APIRouter(include_in_schema=False)

HERE = "http://127.0.0.1:8080"
"""Where examples find the service. What a client calls it must not get into a page that is kept."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of an operation."""

    name: str
    kind: str
    default: str
    meaning: str


@dataclass(frozen=True, slots=True)
class Operation:
    """Something that can be asked, with an example."""

    name: str
    method: str
    path: str
    meaning: str
    parameters: list[Parameter]
    errors: list[tuple[str, str]]
    command: str
    answer: str


@router.get("/docs")
async def get_docs(request: Request) -> HTMLResponse:
    """The page."""
    limits: RequestLimits = request.app.state.service.settings.limits
    found = operations(request.app.openapi())
    page = filled("api.html", root="../", operations=found, limits=limits, codes=STATUS)
    return HTMLResponse(page)


def operations(document: dict[str, Any]) -> list[Operation]:
    """Every operation of an OpenAPI document."""
    return [
        _operation(method, path, described)
        for path, methods in document["paths"].items()
        for method, described in methods.items()
    ]


def _operation(method: str, path: str, described: dict[str, Any]) -> Operation:
    name = f"{method}_{path.rpartition('/')[2]}"
    example = EXAMPLES[name]
    return Operation(
        name=name,
        method=method.upper(),
        path=path,
        meaning=described["description"],
        parameters=[*_in_query(described), *_in_body(described)],
        errors=[
            (status, response["description"])
            for status, response in described["responses"].items()
            if status != "200"
        ],
        command=_command(example.path, example.body),
        answer=json.dumps(example.answer, indent=2, ensure_ascii=False),
    )


def _in_query(described: dict[str, Any]) -> list[Parameter]:
    return [
        _parameter(each["name"], each["schema"], each.get("required", False))
        for each in described.get("parameters", [])
    ]


def _in_body(described: dict[str, Any]) -> list[Parameter]:
    body = described.get("requestBody", {"content": {}})["content"].get("application/json")
    fields = body["schema"]["properties"] if body else {}
    return [_parameter(name, schema, False) for name, schema in fields.items()]


def _parameter(name: str, schema: dict[str, Any], required: bool) -> Parameter:
    default = "required" if required else json.dumps(schema.get("default")).strip("[]")
    return Parameter(
        name, _kind(schema), "" if default == "null" else default, schema["description"]
    )


def _kind(schema: dict[str, Any]) -> str:
    kinds = [each["type"] for each in schema.get("anyOf", [schema])]
    least, most = schema.get("minimum"), schema.get("maximum")
    span = f" from {least}" if least is not None else ""
    span += f" to {most}" if most is not None else ""
    return " or ".join(kind for kind in kinds if kind != "null") + span


def _command(path: str, body: dict[str, Any] | None) -> str:
    """The request as a line for a shell."""
    address = f"'{HERE}{path}'"
    if body is None:
        return f"curl {address}"
    return f"curl {address} -H 'content-type: application/json' -d '{json.dumps(body)}'"
