"""The figures of a sweep for which there are results."""

from dataclasses import dataclass

from pagekin.evaluation.measures import Gamma
from pagekin.evaluation.report.figures import Figure, figures
from pagekin.evaluation.selection.results_table import StrategyResult, SweepReport

__all__ = ["Chart", "ChartBar", "charts"]


@dataclass(frozen=True, slots=True)
class ChartBar:
    """A strategy in a figure."""

    label: str
    value: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Chart:
    """A figure of the paper."""

    number: int
    title: str
    note: str
    measure: str
    bars: list[ChartBar]


def charts(report: SweepReport) -> list[Chart]:
    """The figures that have something to compare."""
    known = {f"{each.fingerprint or '-'}:{each.similarity}": each for each in report.strategies}
    drawn = [_chart(figure, known) for figure in figures()]
    return [chart for chart in drawn if len(chart.bars) > 1]


def _chart(figure: Figure, known: dict[str, StrategyResult]) -> Chart:
    there = [bar for bar in figure.bars if bar.contender.key in known]
    bars = [_bar(figure, bar.label, known[bar.contender.key]) for bar in there]
    return Chart(figure.number, figure.title, figure.note, str(figure.measure), bars)


def _bar(figure: Figure, label: str, judged: StrategyResult) -> ChartBar:
    if isinstance(figure.measure, Gamma):
        gamma = judged.sibling
        return ChartBar(label, gamma.strict, gamma.low, gamma.high)
    return ChartBar(label, judged.orthogonality, None, None)
