"""An audit as text, CSV, HTML, Markdown, JSON or SARIF, and JSON back to an audit."""

import csv
import html
import io
import json
from collections.abc import Callable, Iterator
from dataclasses import asdict, fields
from os import PathLike
from pathlib import Path
from typing import Any

from pagekin._core import VERSION
from pagekin.audit.findings import KINDS, Audit, Finding
from pagekin.errors import InputError

__all__ = ["FORMATS", "read_audit", "render"]

SHOWN = 20
"""Findings of each kind in a text or a comment; other formats have all."""
COLUMNS = [each.name for each in fields(Finding)]
SARIF = "https://json.schemastore.org/sarif-2.1.0.json"
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""How a cell begins that a spreadsheet would run."""


def render(audit: Audit, form: str) -> str:
    """The audit in one of `FORMATS`, ending with a newline."""
    if form not in FORMATS:
        expected = f"one of {', '.join(FORMATS)}"
        raise InputError(f"{form!r} is not {expected}", source="format", advice=f"give {expected}")
    return FORMATS[form](audit)


def read_audit(path: str | PathLike[str]) -> Audit:
    """An audit that was written as JSON."""
    try:
        read = json.loads(Path(path).read_text(encoding="utf-8"))
        read.pop("counts")
        return Audit(**read | {"findings": [Finding(**each) for each in read["findings"]]})
    except OSError as error:
        raise InputError(
            f"cannot be read ({error.strerror})", source=path, advice="write it with --format json"
        ) from error
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise InputError(
            "not an audit", source=path, advice="write it with pagekin audit --format json"
        ) from error


def _json(audit: Audit) -> str:
    return json.dumps(asdict(audit) | {"counts": audit.counts}, ensure_ascii=False) + "\n"


def _json_lines(audit: Audit) -> str:
    """One finding a line."""
    lines = (json.dumps(asdict(each), ensure_ascii=False) for each in audit.findings)
    return "".join(f"{line}\n" for line in lines)


def _csv(audit: Audit) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for finding in audit.findings:
        writer.writerow([_cell(getattr(finding, name)) for name in COLUMNS])
    return out.getvalue()


def _cell(value: object) -> object:
    """A cell that no spreadsheet takes for a formula."""
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value


def _by_kind(audit: Audit) -> Iterator[tuple[str, list[Finding]]]:
    for name in KINDS:
        found = [finding for finding in audit.findings if finding.kind == name]
        if found:
            yield name, found


def _summary(audit: Audit) -> str:
    found = [f"{len(found):,} {KINDS[name].title.lower()}" for name, found in _by_kind(audit)]
    files = f"; {audit.files:,} linked files are not in the crawl" if audit.files else ""
    line = ", ".join(found) or "nothing found"
    return f"{audit.site}: {audit.pages:,} pages, {audit.links:,} links: {line}{files}"


def _text(audit: Audit) -> str:
    lines = [_summary(audit)]
    for name, found in _by_kind(audit):
        lines += ["", f"{KINDS[name].title} ({len(found):,}): {KINDS[name].meaning}"]
        for finding in found[:SHOWN]:
            lines += [f"  {line}" for line in _finding_lines(finding)]
        lines += _more(found, "  … {:,} more; --format csv lists all")
    return "\n".join(lines) + "\n"


def _finding_lines(finding: Finding) -> Iterator[str]:
    score = "" if finding.score is None else f"{finding.score:.3f}  "
    yield f"{score}{finding.url}"
    if finding.target is not None:
        pages = f"  ({finding.pages:,} pages)" if finding.pages > 1 else ""
        yield f"    -> {finding.target}{pages}"
    if finding.words:
        yield f"       “{finding.words}”"


def _more(found: list[Finding], text: str) -> list[str]:
    return [text.format(len(found) - SHOWN)] if len(found) > SHOWN else []


def _markdown(audit: Audit) -> str:
    lines = ["### Link audit", "", _summary(audit)]
    for name, found in _by_kind(audit):
        lines += ["", f"<details><summary>{KINDS[name].title}: {len(found):,}</summary>", ""]
        lines += [KINDS[name].meaning, "", *map(_bullet, found[:SHOWN])]
        lines += [*_more(found, "- … {:,} more"), "", "</details>"]
    return "\n".join(lines) + "\n"


def _bullet(finding: Finding) -> str:
    """A list item; URLs and words are code, so that nothing in them is markup or a mention."""
    target = f" → {_code(finding.target)}" if finding.target else ""
    pages = f" ({finding.pages:,} pages)" if finding.pages > 1 else ""
    words = f": {_code(finding.words)}" if finding.words else ""
    return f"- {_code(finding.url)}{target}{pages}{words}"


def _code(text: str) -> str:
    return f"`{' '.join(text.replace('`', ' ').split())}`"


def _html(audit: Audit) -> str:
    title = f"Link audit of {audit.site}"
    body = [f"<h1>{_shown(title)}</h1>", f"<p>{_shown(_summary(audit))}</p>"]
    for name, found in _by_kind(audit):
        kind = KINDS[name]
        body += [f'<h2 id="{name}">{kind.title} ({len(found):,})</h2>', f"<p>{kind.meaning}</p>"]
        body += ["<table>", "<tr><th>Page</th><th>Other page</th><th>Details</th></tr>"]
        body += [*map(_html_row, found), "</table>"]
    return (
        f'<!doctype html>\n<html lang="en">\n<head><meta charset="utf-8">\n'
        f"<title>{_shown(title)}</title>\n<style>{_STYLE}</style></head>\n<body>\n"
        + "\n".join(body)
        + "\n</body>\n</html>\n"
    )


_STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem}"
    "table{border-collapse:collapse;width:100%}td,th{text-align:left;vertical-align:top;"
    "padding:.4rem .6rem;border-bottom:1px solid #ccc;overflow-wrap:anywhere}"
    "@media(prefers-color-scheme:dark){body{background:#111;color:#eee}a{color:#9cf}}"
)


def _html_row(finding: Finding) -> str:
    details = [finding.message, f"“{finding.words}”" if finding.words else ""]
    details += [] if finding.score is None else [f"score {finding.score:.3f}"]
    text = "<br>".join(_shown(each) for each in details if each)
    page, other = _link(finding.url, finding.title), _link(finding.target, finding.target_title)
    return f"<tr><td>{page}</td><td>{other}</td><td>{text}</td></tr>"


def _link(url: str | None, title: str | None) -> str:
    # URLs of a crawl are http or https.
    return "" if url is None else f'<a href="{_shown(url)}">{_shown(title or url)}</a>'


def _shown(text: str) -> str:
    return html.escape(text)


def _sarif(audit: Audit) -> str:
    """SARIF 2.1.0, which code hosts show beside a change."""
    rules = [
        {
            "id": kind.name,
            "shortDescription": {"text": kind.title},
            "fullDescription": {"text": kind.meaning},
            "defaultConfiguration": {"level": kind.level},
        }
        for kind in KINDS.values()
    ]
    driver = {"name": "pagekin", "version": VERSION, "rules": rules}
    run = {"tool": {"driver": driver}, "results": [*map(_result, audit.findings)]}
    return json.dumps({"$schema": SARIF, "version": "2.1.0", "runs": [run]}) + "\n"


def _result(finding: Finding) -> dict[str, Any]:
    message = [finding.message, finding.target, finding.words and f"“{finding.words}”"]
    key = "\n".join(part or "" for part in finding.key)
    return {
        "ruleId": finding.kind,
        "level": finding.level,
        "message": {"text": ": ".join(filter(None, message))},
        "locations": [{"physicalLocation": {"artifactLocation": {"uri": finding.url}}}],
        "partialFingerprints": {"finding/v1": key},
    }


FORMATS: dict[str, Callable[[Audit], str]] = {
    "text": _text,
    "csv": _csv,
    "html": _html,
    "markdown": _markdown,
    "json": _json,
    "jsonl": _json_lines,
    "sarif": _sarif,
}
"""How an audit can be written."""
