"""Writes the examples of the API anew: what the service answers on the sample crawl today.

python -m tests.serve.write_examples
"""

import json
import tempfile
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pagekin.serve.api
from pagekin.sample.pack import write_sample
from pagekin.serve.api.openapi import EXAMPLES, Example
from tests.serve.reports import write_report
from tests.serve.running import Running


def write() -> None:
    """Request every example again."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_sample(folder / "sample.warc.gz")
        pagekin.build(folder / "sample.warc.gz", folder / "index")
        (folder / "report").mkdir()
        write_report(folder / "sample.warc.gz", folder / "report")
        with Running(folder / "index", "--report", str(folder / "report")) as service:
            found = {name: asdict(_again(service, each)) for name, each in EXAMPLES.items()}
    text = json.dumps(found, indent=1, ensure_ascii=False)
    Path(pagekin.serve.api.__file__).with_name("examples.json").write_text(
        f"{text}\n", encoding="utf-8"
    )


def _again(service: Running, example: Example) -> Example:
    response = service.client.request(example.method, example.path, json=example.body)
    assert response.status_code == 200, response.text
    if not response.headers["content-type"].startswith("application/json"):
        return replace(example, answer=response.text)
    answer: dict[str, Any] = response.json()
    for timed in (answer, *answer.get("answers", [])):
        if "took_ms" in timed:
            timed["took_ms"] = 1.2
    cards = answer, answer.get("one", {}), answer.get("other", {}), *answer.get("captures", [])
    for card in cards:
        if card.get("file"):
            card["file"] = Path(card["file"]).name
    return replace(example, answer=answer)


if __name__ == "__main__":
    write()
