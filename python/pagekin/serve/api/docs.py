"""`/api/docs`: the OpenAPI document as a page, which loads nothing from other hosts."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pagekin.serve.api.openapi import EXAMPLES
from pagekin.serve.api.parameters import FORM
from pagekin.serve.errors import STATUS
from pagekin.serve.pages.menu import MenuEntry
from pagekin.serve.pages.rendering import render_text
from pagekin.serve.settings import RequestLimits

__all__ = ["docs_page"]


LINES = 100
"""Lines shown of an answer."""


@dataclass(frozen=True, slots=True)
class DocumentedParameter:
    """A parameter of an operation."""

    name: str
    kind: str
    default: str
    meaning: str


@dataclass(frozen=True, slots=True)
class Operation:
    """A method of a path, with an example."""

    name: str
    method: str
    path: str
    meaning: str
    parameters: list[DocumentedParameter]
    forms: bool
    errors: list[tuple[str, str]]
    command: str
    answer: str


def docs_page(
    document: dict[str, Any], limits: RequestLimits, address: str, menu: Sequence[MenuEntry]
) -> str:
    """The page. Its examples ask the service at this address."""
    found = operations(document, address)
    frame = {"root": "../", "menu": menu}
    return render_text("api.html", operations=found, limits=limits, codes=STATUS, **frame)


def operations(document: dict[str, Any], address: str) -> list[Operation]:
    """Every operation of an OpenAPI document."""
    return [
        _operation(method, path, described, address)
        for path, methods in document["paths"].items()
        for method, described in methods.items()
    ]


def _operation(method: str, path: str, described: dict[str, Any], address: str) -> Operation:
    name = f"{method}_{path.rpartition('/')[2]}"
    example = EXAMPLES[name]
    return Operation(
        name=name,
        method=method.upper(),
        path=path,
        meaning=described["description"],
        parameters=[*_in_query(described), *_in_body(described)],
        forms=FORM in described.get("requestBody", {"content": {}})["content"],
        errors=[
            (status, response["description"])
            for status, response in described["responses"].items()
            if status != "200"
        ],
        command=_command(f"{address}{example.path}", example.body),
        answer=_shown(example.answer),
    )


def _shown(answer: dict[str, Any] | str) -> str:
    """The first lines of an answer."""
    text = answer if isinstance(answer, str) else json.dumps(answer, indent=1, ensure_ascii=False)
    lines = text.split("\n")
    return "\n".join([*lines[:LINES], "…"] if len(lines) > LINES else lines)


def _in_query(described: dict[str, Any]) -> list[DocumentedParameter]:
    return [
        _parameter(each["name"], each["schema"], each.get("required", False))
        for each in described.get("parameters", [])
    ]


def _in_body(described: dict[str, Any]) -> list[DocumentedParameter]:
    body = described.get("requestBody", {"content": {}})["content"].get("application/json")
    fields = body["schema"]["properties"] if body else {}
    return [_parameter(name, schema, False) for name, schema in fields.items()]


def _parameter(name: str, schema: dict[str, Any], required: bool) -> DocumentedParameter:
    default = "required" if required else json.dumps(schema.get("default")).strip("[]")
    return DocumentedParameter(
        name, _kind(schema), "" if default == "null" else default, schema["description"]
    )


def _kind(schema: dict[str, Any]) -> str:
    kinds: list[str] = []
    for each in schema.get("anyOf", [schema]):
        kinds += each["type"] if isinstance(each["type"], list) else [each["type"]]
    lowest, highest = schema.get("minimum"), schema.get("maximum")
    span = f" from {lowest}" if lowest is not None else ""
    span += f" to {highest}" if highest is not None else ""
    return " or ".join(kind for kind in kinds if kind != "null") + span


def _command(url: str, body: dict[str, Any] | None) -> str:
    """The request as a line for a shell."""
    if body is None:
        return f"curl '{url}'"
    return f"curl '{url}' -H 'content-type: application/json' -d '{json.dumps(body)}'"
