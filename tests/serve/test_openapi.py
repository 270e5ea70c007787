"""The OpenAPI document: schemathesis sends valid and invalid requests.

Statuses, types and shapes of all answers must be those that are documented, and nothing may fail.
"""

import json
from pathlib import Path
from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.checks import positive_data_acceptance

from pagekin.serve.api import DOCUMENT
from pagekin.serve.api.openapi import EXAMPLES, Example
from tests.serve.running import Running

schema = schemathesis.openapi.from_dict(DOCUMENT)


@pytest.mark.slow
@schema.parametrize()
@settings(max_examples=40, suppress_health_check=list(HealthCheck))
def test_service_conforms_to_its_openapi_document(
    case: schemathesis.Case[Any], service: Running
) -> None:
    """All checks but one: that at least one of url, text and page is given, and how large k may be,
    OpenAPI cannot say of parameters."""
    unsure = [positive_data_acceptance]
    case.call_and_validate(base_url=service.base, excluded_checks=unsure, timeout=60)


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples_equal_the_answers_of_the_service(service: Running, name: str) -> None:
    example = EXAMPLES[name]
    response = _asked(service, example)
    is_json = response.headers["content-type"] == "application/json"
    asked = settled(response.json() if is_json else response.text)
    assert asked == settled(example.answer), "run python -m tests.serve.write_examples"


def _asked(service: Running, example: Example) -> httpx.Response:
    return service.client.request(example.method, example.path, json=example.body)


def settled(answer: dict[str, Any] | str) -> dict[str, Any] | str:
    """Without what depends on the machine or the day: times, folders, the last bits of numbers."""
    text = json.dumps(answer, sort_keys=True)
    found: dict[str, Any] | str = json.loads(
        text, object_hook=_settled, parse_float=lambda number: round(float(number), 9)
    )
    return found


def _settled(fields: dict[str, Any]) -> dict[str, Any]:
    if fields.get("file"):
        fields["file"] = Path(fields["file"]).name
    return {name: fields[name] for name in fields if name not in ("took_ms", "seconds", "index")}


def test_operations_have_examples_and_errors_have_one_shape(service: Running) -> None:
    document = service.answer("/api/openapi.json")
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            responses = operation["responses"]
            answer = next(iter(responses["200"]["content"].values()))
            assert answer["example"], (method, path)
            for status in set(responses) - {"200"}:
                shape = responses[status]["content"]["application/json"]["schema"]
                assert shape == {"$ref": "#/components/schemas/ErrorAnswer"}, (method, path)
