"""The report of a sweep: one HTML file that stands alone, and its figures as SVG and PNG.

Whatever comes from a crawl or a directory is escaped here.
"""

import html
import importlib
import math
from collections.abc import Iterable, Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from pagekin.evaluation.measures import RELATIONS, Gamma, K, Measure, Orthogonality, Precision
from pagekin.evaluation.report.example import ExamplePage, example
from pagekin.evaluation.report.figures import FigureData, Finding, figure_data, figures, findings
from pagekin.evaluation.selection import Sweep
from pagekin.evaluation.selection.results import best, rank_results
from pagekin.evaluation.truths.matching import within_bands
from pagekin.files import write_whole
from pagekin.strategy import Frequency

__all__ = [
    "HEAD",
    "HINT",
    "can_draw",
    "number",
    "paragraph",
    "section",
    "span",
    "table",
    "write_report",
]

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


def paragraph(text: str) -> str:
    """Plain text as a paragraph."""
    return f"<p>{html.escape(text)}</p>\n"


def section(title: str, *parts: str) -> str:
    """A heading and what belongs to it; the parts are HTML."""
    return f"<h2>{html.escape(title)}</h2>\n" + "".join(parts)


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table of plain text; cells that begin with a digit or a sign are right-aligned."""
    head = "".join(f"<th>{html.escape(text)}</th>" for text in heads)
    body = "".join(f"<tr>{''.join(map(_cell, row))}</tr>\n" for row in rows)
    return f'<div class="wide"><table><tr>{head}</tr>\n{body}</table></div>\n'


def _cell(text: str) -> str:
    numeric = text[:1].isdigit() or text[:1] in "-+"
    kind = ' class="n"' if numeric else ""
    return f"<td{kind}>{html.escape(text)}</td>"


HINT = "for the figures: pip install 'pagekin[evaluation]', and run the same command again"
MEASURE = Gamma()


def can_draw() -> bool:
    """Whether matplotlib is installed."""
    return find_spec("matplotlib") is not None


def write_report(swept: Sweep) -> Path:
    """Write `report.html`, and the figures into `figures/`."""
    drawing = importlib.import_module("pagekin.evaluation.report.drawing") if can_draw() else None
    path = swept.folder / "report.html"
    parts = [HEAD, *_Report(swept, drawing).parts(), "</body></html>\n"]
    write_whole(path, "".join(parts))
    return path


class _Report:
    def __init__(self, swept: Sweep, drawing: Any) -> None:
        self._swept = swept
        self._drawing = drawing
        self._known = {result.contender.key: result for result in swept.results}
        self._best = best(swept.results, MEASURE)

    def parts(self) -> Iterator[str]:
        yield "<h1>Strategies compared</h1>\n"
        yield self._about()
        yield self._winner()
        yield self._findings()
        yield section("Figures", *self._figures())
        yield self._example()
        yield self._bands()
        yield self._all()

    def _about(self) -> str:
        matched, parsed = self._swept.survey.matched, self._swept.pages
        coverage = matched.coverage
        text = (
            f"{len(self._swept.results):,} strategies on {parsed.pages:,} pages "
            f"({self._swept.survey.bags:,} bags), judged by {len(matched.ids):,} pages in "
            f"{len(matched.classes):,} classes. Pages in the directory only: "
            f"{coverage.directory_only:,}; in the crawl only: {coverage.crawl_only:,}; in the "
            f"directory, linked to and not crawled: {coverage.not_crawled:,}."
        )
        how = (
            "Γ is strict: of all pairs of a page of the query page's class and one that is not, "
            "those in the right order minus those in the wrong one, as a share. 1 is perfect, 0 is "
            "chance. Intervals hold 95 of 100 resamples of the classes."
        )
        missing = "" if self._drawing else paragraph(HINT)
        return paragraph(text) + paragraph(how) + missing

    def _winner(self) -> str:
        if self._best is None or self._best.contender.strategy is None:
            return ""
        low, high = self._best.interval(MEASURE)
        text = (
            f"{self._best.contender.name}: sibling-Γ {number(self._best.measure(MEASURE))} "
            f"({span(low, high)}). It is in best.toml, which pagekin index --strategy takes. The "
            "best of many is flattered by chance: pagekin tune tells an honest value."
        )
        toml = html.escape(self._best.contender.strategy.to_toml())
        return section("The best strategy", paragraph(text), f"<pre>{toml}</pre>\n")

    def _findings(self) -> str:
        found = findings(self._known, MEASURE)
        if not found:
            return ""
        heads = ("the paper says", "difference in sibling-Γ", "interval", "on this crawl")
        rows = [
            (
                finding.claim.sentence,
                f"{finding.difference:+.3f}",
                span(finding.low, finding.high),
                finding.verdict,
            )
            for finding in found
        ]
        return section("The paper's findings on this crawl", _summed_up(found), table(heads, rows))

    def _figures(self) -> Iterator[str]:
        for figure in figures():
            found = figure_data(figure, self._known)
            if found is not None:
                yield self._figure(found)
            if figure.number == 7:
                yield self._curve()

    def _figure(self, found: FigureData) -> str:
        figure = found.figure
        svg = ""
        if self._drawing:
            canvas = self._drawing.bars(found)
            folder = self._swept.folder / "figures"
            svg = (
                f"<figure>{self._drawing.save(canvas, folder, f'figure-{figure.number}')}</figure>"
            )
        rows = [
            (
                label,
                number(result.measure(figure.measure)),
                span(*result.interval(figure.measure)),
            )
            for label, result in zip(found.labels, found.results, strict=True)
        ]
        head = f"<h3>Figure {figure.number}: {html.escape(figure.title)}</h3>\n"
        values = table(("", str(figure.measure), "interval"), rows)
        return head + paragraph(figure.note) + svg + values

    def _curve(self) -> str:
        if not self._drawing:
            return ""
        canvas = self._drawing.curve(Frequency(), self._swept.survey.bags)
        svg = self._drawing.save(canvas, self._swept.folder / "figures", "figure-8")
        note = (
            f"With the default mu and sigma and {self._swept.survey.bags:,} bags: terms that are "
            "neither rare nor common count most."
        )
        return f"<h3>Figure 8: NMDF</h3>\n{paragraph(note)}<figure>{svg}</figure>\n"

    def _example(self) -> str:
        usable = [
            result for result in self._swept.results if result.contender.similarity == "jaccard"
        ]
        found = [result.contender.strategy for result in rank_results(usable, MEASURE)]
        strategies = [strategy for strategy in found if strategy is not None]
        if len(strategies) < 2:
            return ""
        return _example_section(example(self._swept, [strategies[0], strategies[-1]]))

    def _bands(self) -> str:
        usable = [result for result in self._swept.results if result.contender.strategy is not None]
        rows = []
        for place, (name, within) in enumerate(within_bands(self._swept.survey.matched)):
            found = [(float(result.bands.measure(MEASURE)[place]), result) for result in usable]
            sound = [pair for pair in found if pair[0] == pair[0]]
            if sound:
                value, winner = max(sound, key=lambda pair: pair[0])
                overall = self._best.bands.measure(MEASURE)[place] if self._best else value
                rows.append(
                    (
                        name,
                        f"{int(within.sum()):,}",
                        winner.contender.name,
                        number(value),
                        number(overall),
                    )
                )
        heads = ("inlinks", "pages", "best here", "sibling-Γ", "that of the best strategy overall")
        note = "Each band's best is flattered by chance the more, the fewer pages it has."
        return section("By in-degree of the query page", paragraph(note), table(heads, rows))

    def _all(self) -> str:
        gammas = [Gamma(relation) for relation in RELATIONS]
        measures: list[Measure] = [*gammas, Precision(K), Orthogonality()]
        heads = (
            "",
            "strategy",
            "sibling-gamma",
            "interval",
            "of decided pairs",
            *map(str, measures[1:]),
        )
        rows = [
            (
                str(place),
                result.contender.name,
                number(result.measure(MEASURE)),
                span(*result.interval(MEASURE)),
                number(result.measure(Gamma("sibling", "value"))),
                *(number(result.measure(measure)) for measure in measures[1:]),
            )
            for place, result in enumerate(rank_results(self._swept.results, MEASURE), start=1)
        ]
        return section("All strategies", table(heads, rows))


def _summed_up(found: list[Finding]) -> str:
    verdicts = [finding.verdict for finding in found]
    failed = [finding.claim.sentence for finding in found if finding.verdict == "does not hold"]
    text = f"{verdicts.count('holds')} of {len(found)} hold on this crawl"
    if failed:
        text += f"; these do not: {'; '.join(failed)}"
    return paragraph(f"{text}. Of {verdicts.count('cannot tell')} this directory cannot tell.")


def _example_section(found: ExamplePage) -> str:
    about = f"{found.title or '(no title)'}, {found.url}, of class {found.classes}"
    parts = [paragraph(about)]
    for listing in found.listings:
        rows = [
            (
                str(answer.rank),
                number(answer.similarity),
                answer.classes,
                answer.title or "",
                answer.url,
            )
            for answer in listing.answers
        ]
        head = f"<h3>{html.escape(listing.name)}: Γ {number(listing.gamma)}</h3>\n"
        parts.append(head + table(("rank", "similarity", "class", "title", "URL"), rows))
    return section("Figure 2: the best and the worst strategy on one page", *parts)
