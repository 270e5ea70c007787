"""The API page has everything in the OpenAPI document, and loads nothing from other hosts."""

import re
import shlex
from html import unescape
from pathlib import Path

from pagekin.serve.api.openapi import EXAMPLES
from pagekin.serve.errors import CODES, STATUS
from tests.serve.running import Running


def test_page_lists_every_operation_and_parameter(service: Running) -> None:
    page = unescape(service.get("/api/docs").text)
    document = service.answer("/api/openapi.json")
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            assert f"<code>{method.upper()} {path}</code>" in page
            for parameter in operation.get("parameters", []):
                assert f"<code>{parameter['name']}</code>" in page
    for code in STATUS:
        assert f"<code>{code}</code>" in page


def test_examples_are_valid_shell_commands(service: Running) -> None:
    page = unescape(service.get("/api/docs").text)
    commands = re.findall(r"<pre>(curl .*?)</pre>", page, re.DOTALL)
    asked = [shlex.split(command)[1] for command in commands]
    assert asked == [f"{service.base}{example.path}" for example in EXAMPLES.values()]


def test_page_loads_nothing_from_other_hosts(service: Running) -> None:
    page = service.get("/api/docs").text
    for address in re.findall(r'(?:src|href|action)="([^"]*)"', page):
        assert address.startswith(("../", "#", "openapi.json")), address
    assert "<style" not in page
    assert " style=" not in page
    assert re.findall(r"<script([^>]*)>(.*?)</script>", page, re.DOTALL)[0][1] == ""


def test_host_header_does_not_appear_on_the_page(service: Running) -> None:
    for path in ("/api/docs", "/", "/nothing", "/api/nothing"):
        response = service.client.get(path, headers={"host": "evil.example"})
        assert "evil" not in response.text


def test_examples_ask_the_name_that_the_operator_gave(index: Path) -> None:
    with Running(index, "--allow-host", "related.example") as running:
        for host, address in (
            ("related.example", "https://related.example/"),
            ("localhost", f"{running.base}/"),
        ):
            page = running.client.get("/api/docs", headers={"host": host})
            (found, *_) = re.findall(r"curl '([^']*/)api/", unescape(page.text))
            assert found == address


def test_every_error_class_has_a_code_with_a_status() -> None:
    assert set(CODES.values()) <= set(STATUS)


def test_documentation_lists_all_error_codes() -> None:
    text = (Path(__file__).parents[2] / "docs" / "serve.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \| (\d+) \|", text, re.MULTILINE)
    assert {code: int(status) for code, status in rows} == STATUS
