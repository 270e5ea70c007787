"""Questions and answers of the bundled sample crawl, for the documentation.

A test asks them again: `examples.json` is what the service says (tests/serve/write_examples.py).
"""

import json
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

__all__ = ["EXAMPLES", "Example"]


@dataclass(frozen=True, slots=True)
class Example:
    """A request for a resource, with a body where it is sent by POST, and the answer to it."""

    method: str
    path: str
    body: dict[str, Any] | None
    answer: dict[str, Any]


def _read() -> dict[str, Example]:
    text = (files("pagekin.serve.api") / "examples.json").read_text(encoding="utf-8")
    return {name: Example(**fields) for name, fields in json.loads(text).items()}


EXAMPLES = _read()
"""By the names of the operations."""
