"""`/evaluation`: what a sweep found, drawn from its numbers."""

from dataclasses import dataclass

from fastapi import APIRouter
from fastapi.responses import HTMLResponse

from pagekin.evaluation.measures import Gamma
from pagekin.evaluation.report.figures import Figure, figures
from pagekin.serve.answers.evaluation import Judged, Report, evaluation
from pagekin.serve.pages.rendering import render
from pagekin.serve.service import Asking

__all__ = ["router"]

router = APIRouter()


@dataclass(frozen=True, slots=True)
class Bar:
    """A strategy in a figure."""

    label: str
    value: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Chart:
    """A figure of the paper, as far as the sweep goes."""

    number: int
    title: str
    note: str
    measure: str
    bars: list[Bar]


@router.get("/evaluation")
async def show(asking: Asking) -> HTMLResponse:
    """The charts and the table of the report, if one is given."""
    report = asking.snapshot.report
    return render(
        "evaluation.html",
        figures=None if report is None else charts(report),
        strategies=[] if report is None else evaluation(report).strategies,
        best=None if report is None else report.best,
    )


def charts(report: Report) -> list[Chart]:
    """The figures that have something to compare."""
    known = {f"{each.fingerprint or '-'}:{each.similarity}": each for each in report.strategies}
    drawn = [_chart(figure, known) for figure in figures()]
    return [chart for chart in drawn if len(chart.bars) > 1]


def _chart(figure: Figure, known: dict[str, Judged]) -> Chart:
    there = [bar for bar in figure.bars if bar.contender.key in known]
    bars = [_bar(figure, bar.label, known[bar.contender.key]) for bar in there]
    return Chart(figure.number, figure.title, figure.note, str(figure.measure), bars)


def _bar(figure: Figure, label: str, judged: Judged) -> Bar:
    if isinstance(figure.measure, Gamma):
        gamma = judged.sibling
        return Bar(label, gamma.strict, gamma.low, gamma.high)
    return Bar(label, judged.orthogonality, None, None)
