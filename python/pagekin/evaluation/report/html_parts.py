"""The parts of a report as HTML. Whatever comes from a crawl or a directory is escaped here."""

import html
import math
import re
from collections.abc import Iterable, Sequence

from pagekin.evaluation.measures import Gamma

__all__ = ["HEAD", "number", "paragraph", "section", "span", "symbol", "table"]

HEAD = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Strategies compared</title><style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem;
       color: #1c1c1c; background: #fff }
h1, h2, h3 { line-height: 1.2 } h2 { margin-top: 2.5rem }
table { border-collapse: collapse; font-size: 0.9rem; margin: 1rem 0 }
th, td { padding: 0.2rem 0.7rem; text-align: left; border-bottom: 1px solid #ddd }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums }
figure { margin: 1rem 0; overflow-x: auto } svg { max-width: 100%; height: auto }
pre { background: #f4f4f4; padding: 0.8rem; overflow-x: auto } .wide { overflow-x: auto }
.holds { color: #1a6b2f } .fails { color: #a02020 } .open { color: #7a5a00 }
</style></head><body>
"""


def number(value: float | None, digits: int = 3) -> str:
    """A number, or a dash for none."""
    return "-" if value is None or math.isnan(value) else f"{value:.{digits}f}"


def span(low: float, high: float) -> str:
    """An interval."""
    return "-" if math.isnan(low) else f"{low:.3f} to {high:.3f}"


def symbol(gamma: Gamma) -> str:
    """A Γ as it is written in sentences and heads of tables."""
    return f"{gamma.relation}-Γ"


def paragraph(text: str) -> str:
    """Plain text as a paragraph."""
    return f"<p>{html.escape(text)}</p>\n"


def section(title: str, *parts: str) -> str:
    """A heading and what belongs to it; the parts are HTML."""
    return f"<h2>{html.escape(title)}</h2>\n" + "".join(parts)


_NUMERIC = re.compile(r"[-+]?[\d,]*\.?\d*%?|-?[\d.]+ to -?[\d.]+|-")


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table of plain text; a column of numbers is right-aligned, with its head."""
    cells = [[*row] for row in rows]
    numeric = [all(map(_NUMERIC.fullmatch, column)) for column in zip(*cells, strict=True)]
    kinds = [' class="n"' if each else "" for each in numeric or [False] * len(heads)]

    def line(tag: str, texts: Sequence[str]) -> str:
        parts = (
            f"<{tag}{kind}>{html.escape(text)}</{tag}>"
            for kind, text in zip(kinds, texts, strict=True)
        )
        return f"<tr>{''.join(parts)}</tr>\n"

    body = "".join(line("td", row) for row in cells)
    return f'<div class="wide"><table>{line("th", heads)}{body}</table></div>\n'
