"""What the paper says that is not about two strategies, and a verdict on each by a sweep.

A statement has no interval unless it says so: the counts of a sweep are by class or by band of
in-degree, not by both.
"""

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from pagekin.evaluation.measures import RELATIONS, Gamma, Measure, Orthogonality
from pagekin.evaluation.report.claims import Verdict
from pagekin.evaluation.report.figures import anchor, content, links
from pagekin.evaluation.selection import Contender, Result, difference
from pagekin.evaluation.truths.matching import band_names
from pagekin.strategy import Window

__all__ = ["Statement", "WindowGap", "agreement", "statements", "window_gaps"]

FEW = 0.1
"""Exceptions are very few if they are at most this share."""


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence of the paper, what was found, and what to make of it."""

    sentence: str
    found: str
    verdict: Verdict


def statements(results: Mapping[str, Result], measure: Measure) -> list[Statement]:
    """Every statement that these results can be asked about."""
    return [
        *_agreement(results),
        *_mostly_orthogonal(results),
        *_gap_closes(results, measure),
        *_stemming_varies(results, measure),
    ]


def _agreement(results: Mapping[str, Result]) -> Iterator[Statement]:
    share = agreement([*results.values()])
    if not math.isnan(share):
        yield Statement(
            "the three partial Γ order strategies alike, with very few exceptions",
            f"{share:.0%} of all pairs of strategies",
            "holds" if share >= 1 - FEW else "does not hold",
        )


def _mostly_orthogonal(results: Mapping[str, Result]) -> Iterator[Statement]:
    """Judged by the interval of the share over resamples of the classes."""
    for name, contender in (("links", links()), ("content", content())):
        result = results.get(contender.key)
        if result is not None and not math.isnan(share := result.measure(Orthogonality())):
            low, high = result.interval(Orthogonality())
            verdict: Verdict = "does not hold" if high < 0.5 else "cannot tell"
            yield Statement(
                f"by {name}, most pairs of a class have no term in common",
                f"{share:.1%} ({low:.1%} to {high:.1%})",
                "holds" if low > 0.5 else verdict,
            )


def _gap_closes(results: Mapping[str, Result], measure: Measure) -> Iterator[Statement]:
    gaps = window_gaps(results, measure)
    if len(gaps) > 1:
        first, last = (gap.basic - gap.syntactic for gap in (gaps[0], gaps[-1]))
        yield Statement(
            "the gap between kinds of windows closes for pages with many inlinks",
            f"{first:+.3f} with {gaps[0].inlinks} inlinks, {last:+.3f} with {gaps[-1].inlinks}",
            "holds" if last < first / 2 else "does not hold",
        )


def _stemming_varies(results: Mapping[str, Result], measure: Measure) -> Iterator[Statement]:
    """Footnote 13, by the widths of the intervals of both differences."""
    stem, stopstem, nostem = (results.get(contender.key) for contender in _stemmings())
    if stem is None or stopstem is None or nostem is None:
        return
    widths = []
    for one, other in ((stem, stopstem), (stopstem, nostem)):
        _, low, high = difference(one, other, measure)
        widths.append(high - low)
    yield Statement(
        "what stemming gains over stopping by stem varies more than what that gains",
        f"intervals {widths[0]:.3f} and {widths[1]:.3f} wide",
        "holds" if widths[0] > widths[1] else "does not hold",
    )


def _stemmings() -> tuple[Contender, Contender, Contender]:
    near = Window()
    return (
        anchor(near, "nmdf", "stem"),
        anchor(near, "nmdf", "stopstem"),
        anchor(near, "nmdf", "nostem"),
    )


def agreement(results: Sequence[Result]) -> float:
    """The share of pairs of strategies that the three partial Γ order alike; ties are left out."""
    values = [[result.measure(Gamma(relation)) for relation in RELATIONS] for result in results]
    sound = [row for row in values if not any(map(math.isnan, row))]
    alike = compared = 0
    for one, two in itertools.combinations(sound, 2):
        signs = {math.copysign(1, a - b) for a, b in zip(one, two, strict=True) if a != b}
        compared += bool(signs)
        alike += len(signs) == 1
    return alike / compared if compared else math.nan


@dataclass(frozen=True, slots=True)
class WindowGap:
    """How much better windows of 32 words are than syntactic ones, within a band of in-degree."""

    inlinks: str
    basic: float
    syntactic: float


def window_gaps(results: Mapping[str, Result], measure: Measure) -> list[WindowGap]:
    """The gap in every band that can be measured; the paper says that inlinks close it."""
    even = Window(distance=False)
    keys = [anchor(window).key for window in (even, replace(even, kind="syntactic"))]
    if not all(key in results for key in keys):
        return []
    basic, syntactic = (results[key].bands.measure(measure).tolist() for key in keys)
    gaps = [WindowGap(*row) for row in zip(band_names(), basic, syntactic, strict=True)]
    return [gap for gap in gaps if not math.isnan(gap.basic - gap.syntactic)]
