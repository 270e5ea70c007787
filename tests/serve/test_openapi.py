"""The OpenAPI document: schemathesis asks what it allows and what it forbids, and believes nothing.

Statuses, types and shapes of all answers must be those that are documented, and nothing may fail.
"""

import json
from pathlib import Path
from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.checks import not_a_server_error
from schemathesis.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
    unsupported_method,
)

from pagekin.serve.api.examples import EXAMPLES, Example
from tests.serve.running import Running

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
    response_headers_conformance,
    unsupported_method,
]


@pytest.fixture(scope="session")
def document(service: Running) -> Any:
    return schemathesis.openapi.from_url(f"{service.base}/api/openapi.json")


schema = schemathesis.pytest.from_fixture("document")


@pytest.mark.slow
@schema.parametrize()
@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
def test_the_service_does_what_its_document_says(case: schemathesis.Case) -> None:
    case.call_and_validate(checks=CHECKS, timeout=60)


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_is_what_the_service_answers(service: Running, name: str) -> None:
    example = EXAMPLES[name]
    assert settled(_asked(service, example).json()) == settled(example.answer)


def _asked(service: Running, example: Example) -> httpx.Response:
    return service.client.request(example.method, example.path, json=example.body)


def settled(answer: dict[str, Any]) -> dict[str, Any]:
    """Without what depends on the machine: times, names of files, the version of the crawl."""
    text = json.dumps(answer, sort_keys=True)
    found: dict[str, Any] = json.loads(text, object_hook=_settled)
    return found


def _settled(fields: dict[str, Any]) -> dict[str, Any]:
    if fields.get("file"):
        fields["file"] = Path(fields["file"]).name
    return {name: fields[name] for name in fields if name not in ("took_ms", "seconds", "index")}


def test_every_operation_has_an_example_and_every_error_the_one_shape(service: Running) -> None:
    document = service.answer("/api/openapi.json")
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            responses = operation["responses"]
            assert responses["200"]["content"]["application/json"]["example"], (method, path)
            for status in set(responses) - {"200"}:
                shape = responses[status]["content"]["application/json"]["schema"]
                assert shape == {"$ref": "#/components/schemas/ErrorAnswer"}, (method, path)
