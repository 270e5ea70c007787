"""The report of a sweep: one HTML file that stands alone, and its figures as SVG and PNG."""

import html
import importlib
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from pagekin.evaluation.measures import ORDERINGS, Gamma, K, Measure, Orthogonality, Precision
from pagekin.evaluation.report.by_class import class_rows, dominating_class
from pagekin.evaluation.report.example import ExamplePage, example
from pagekin.evaluation.report.figures import FigureData, figure_data, figures
from pagekin.evaluation.report.findings import findings_section
from pagekin.evaluation.report.html_parts import (
    HEAD,
    number,
    paragraph,
    section,
    span,
    symbol,
    table,
)
from pagekin.evaluation.selection import Sweep, difference
from pagekin.evaluation.selection.results import rank_results
from pagekin.evaluation.truths.directory import BIAS
from pagekin.evaluation.truths.matching import within_bands
from pagekin.strategy import Frequency
from pagekin.work.files import write_whole

__all__ = ["HINT", "can_draw", "write_report"]

HINT = "for the figures: pip install 'pagekin[evaluation]', and run the same command again"


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
        self._gamma, self._best, self._default = swept.gamma, swept.best, swept.default

    def parts(self) -> Iterator[str]:
        yield "<h1>Strategies compared</h1>\n"
        yield self._about()
        yield self._winner()
        yield findings_section(self._swept)
        yield section("Figures", *self._figures())
        yield self._example()
        yield self._bands()
        yield self._classes()
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
            f"chance. Intervals hold 95 of 100 resamples of the classes. Bias: {BIAS}."
        )
        missing = "" if self._drawing else paragraph(HINT)
        notes = " ".join([text, *self._swept.notes])
        return paragraph(notes) + paragraph(how) + missing

    def _winner(self) -> str:
        if self._best is None or self._best.contender.strategy is None:
            return ""
        low, high = self._best.interval(self._gamma)
        value = number(self._best.measure(self._gamma))
        text = (
            f"{self._best.contender.label}: {symbol(self._gamma)} {value} "
            f"({span(low, high)}). It is in best.toml, which pagekin index --strategy takes. The "
            "best of many is flattered by chance: pagekin tune tells an honest value."
        )
        toml = html.escape(self._best.contender.strategy.to_toml())
        return section(
            "The best strategy", paragraph(text), self._against_default(), f"<pre>{toml}</pre>\n"
        )

    def _against_default(self) -> str:
        if self._best is None or self._default is None:
            return ""
        if self._best is self._default:
            return paragraph("It is the default.")
        gain, low, high = difference(self._best, self._default, self._gamma)
        sure = "a sure gain" if low > 0 else "no sure gain"
        return paragraph(
            f"The default has {number(self._default.measure(self._gamma))}: a difference of "
            f"{gain:+.3f} ({low:+.3f} to {high:+.3f}), {sure}."
        )

    def _figures(self) -> Iterator[str]:
        for figure in figures(self._gamma):
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
        found = [result.contender.strategy for result in rank_results(usable, self._gamma)]
        strategies = [strategy for strategy in found if strategy is not None]
        if len(strategies) < 2:
            return ""
        return _example_section(example(self._swept, [strategies[0], strategies[-1]]))

    def _bands(self) -> str:
        usable = [result for result in self._swept.results if result.contender.strategy is not None]
        rows = []
        for place, (name, within) in enumerate(within_bands(self._swept.survey.matched)):
            found = [(float(result.bands.measure(self._gamma)[place]), result) for result in usable]
            sound = [pair for pair in found if pair[0] == pair[0]]
            if sound:
                value, winner = max(sound, key=lambda pair: pair[0])
                overall = self._best.bands.measure(self._gamma)[place] if self._best else value
                rows.append(
                    (
                        name,
                        f"{int(within.sum()):,}",
                        winner.contender.label,
                        number(value),
                        number(overall),
                    )
                )
        heads = (
            "inlinks",
            "pages",
            "best here",
            symbol(self._gamma),
            "that of the best strategy overall",
        )
        note = "Each band's best is flattered by chance the more, the fewer pages it has."
        return section("By in-degree of the query page", paragraph(note), table(heads, rows))

    def _classes(self) -> str:
        """The best strategy and the default, class by class."""
        results = [result for result in (self._best, self._default) if result is not None]
        if not results:
            return ""
        shown = results[:1] if results[0] is results[-1] else results
        names = ["the best", "the default"][: len(shown)]
        heads = (
            "class",
            "queries",
            "share of pairs",
            *(f"{symbol(self._gamma)} of {each}" for each in names),
        )
        note = "Γ is pooled over query pages, so that a class counts by its share of pairs. "
        return section(
            "By class",
            paragraph(note + dominating_class(shown[0], self._swept.survey.matched, self._gamma)),
            table(heads, class_rows(shown, self._swept.survey.matched, self._gamma)),
        )

    def _all(self) -> str:
        gamma = self._gamma
        others = [each for each in map(Gamma, ORDERINGS) if each != gamma]
        measures: list[Measure] = [*others, Precision(K), Orthogonality()]
        heads = (
            "",
            "strategy",
            str(gamma),
            "interval",
            "of decided pairs",
            *map(str, measures),
        )
        rows = [
            (
                str(place),
                result.contender.label,
                number(result.measure(self._gamma)),
                span(*result.interval(self._gamma)),
                number(result.measure(Gamma(gamma.relation, "value"))),
                *(number(result.measure(measure)) for measure in measures),
            )
            for place, result in enumerate(rank_results(self._swept.results, self._gamma), start=1)
        ]
        return section("All strategies", table(heads, rows))


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
